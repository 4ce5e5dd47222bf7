"""The package in an environment that has nothing but what it asks for; called by scripts/clean_environment.

clean_environment.py light      without scikit-learn: read and check
clean_environment.py sklearn    with it: the estimators, and scikit-learn's checks of one
"""

import importlib
import sys
from pathlib import Path

import recta


def light():
    assert "site-packages" in recta.__file__, recta.__file__
    assert "sklearn" not in sys.modules and "scipy" not in sys.modules
    mapped = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    for name in ("libopenblas", "libfmt", "libzstd", "libutf8proc"):  # the wheel's own, not the machine's
        paths = {line.split()[-1] for line in mapped if f"/{name}" in line}
        assert paths and all("/recta.libs/" in path for path in paths), (name, paths)
    table = recta.read("housing")
    assert table.shape == (506, 14)
    assert recta.check(table, target="price").rank == 13
    Path("t.csv").write_text("a,b\n1,2\n2,4.5\n3,6\n")
    assert recta.read("t.csv")["b"].tolist() == [2.0, 4.5, 6.0]
    try:
        importlib.import_module("recta.linear_model")
    except ModuleNotFoundError as missing:
        assert "need scikit-learn, which is not installed" in str(missing)
    else:
        raise AssertionError("scikit-learn should not be here")


def sklearn():
    from sklearn.utils.estimator_checks import check_estimator

    from recta.linear_model import LinearRegression, Ridge

    X, y = recta.datasets.load("housing", return_X_y=True)
    model = LinearRegression().fit(X, y)
    assert model.certificate_.verdict == "proved"
    model.save("m.recta")
    assert (recta.load("m.recta").predict(X) == model.predict(X)).all()
    check_estimator(Ridge())


{"light": light, "sklearn": sklearn}[sys.argv[1]]()
print("good")
