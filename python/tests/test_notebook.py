"""What a notebook shows."""

import io

import pytest
from sklearn.pipeline import make_pipeline

import recta
from recta._base.progress import PlainBar
from recta.linear_model import LinearRegression, Ridge


def test_html_shows_model_objective_and_certificate(problem, tmp_path):
    X, y, _ = problem
    model = Ridge(alpha=2.0).fit(X, y)
    page = model._repr_html_()
    for part in ("Ridge(alpha=2.0)", r"\lambda", "lambda = 0.0333333", "Proved:", "<td>x5</td>"):
        assert part in page, part
    assert "Proved" not in Ridge()._repr_html_()
    assert "Proved" in model._repr_mimebundle_()["text/html"]
    model.save(tmp_path / "m.recta")
    assert "Proved:" in recta.load(tmp_path / "m.recta")._repr_html_()
    assert "<table>" in model.summary()._repr_html_()


def test_names_are_escaped(problem):
    import pandas

    X, y, _ = problem
    frame = pandas.DataFrame(X, columns=["<script>", "b", "c", "d", "e"])
    page = LinearRegression().fit(frame, y)._repr_html_()
    assert "<td>&lt;script&gt;</td>" in page and "<td><script>" not in page


def test_a_pipeline_shows_it(problem):
    X, y, _ = problem
    assert "Ridge" in make_pipeline(Ridge()).fit(X, y)._repr_html_()


def test_verbose_shows_a_bar(problem, capsys, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # as where tqdm is not installed
    X, y, _ = problem
    LinearRegression(verbose=1, n_jobs=1).fit(X, y)
    assert "certifying" in capsys.readouterr().err
    LinearRegression().fit(X, y)
    assert capsys.readouterr().err == ""


def test_a_bar_overwrites_itself():
    stream = io.StringIO()
    bar = PlainBar(stream)
    step = type("Step", (), {"stage": "reading rows", "fraction": 0.5, "seconds": 1.25, "gap": None})
    bar(step)
    bar(step)
    bar.close()
    assert stream.getvalue().count("\r") == 2 and "[##########..........] 1.2 s" in stream.getvalue()


def test_progress_goes_to_a_function(problem):
    X, y, _ = problem
    steps = []
    LinearRegression(verbose=steps.append, n_jobs=1).fit(X, y)
    stages = [step.stage for step in steps]
    assert (stages[0], stages[-1]) == ("reading rows", "certifying")
    assert all(isinstance(step.fraction, float) for step in steps)


@pytest.mark.parametrize("model", [LinearRegression(), Ridge()])
def test_the_text_form_is_scikit_learns(model):
    assert repr(model) == f"{type(model).__name__}()"
