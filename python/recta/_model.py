"""Models as files hold them: load one, predict, read its proof. scikit-learn is not needed."""

import os

from . import _core
from ._certificate import Certificate
from ._html import model_html
from ._input import PLAIN_NAME, array_or_parts, column_names, frame_columns, plain_array, table_of
from ._summary import Summary


class Model:
    """A fitted model of a ``.recta`` file, whichever front end wrote it.

    >>> import recta, tempfile, pathlib
    >>> from recta.linear_model import Ridge
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "m.recta")
    >>> Ridge(alpha=1.0).fit(X, y).save(path)
    >>> model = recta.load(path)
    >>> model.word, model.predict(X[:2]).shape
    ('ridge', (2,))
    >>> model.certificate.verdict
    'proved'
    """

    def __init__(self, core):
        self._core = core

    word = property(lambda self: self._core.word, doc="the kind of model, as on the command line")
    objective = property(lambda self: self._core.objective, doc="what was minimised, in mathematics")
    feature_names = property(lambda self: self._core.feature_names, doc="one a coefficient")
    columns = property(lambda self: self._core.columns, doc="what the model reads")
    targets = property(lambda self: self._core.targets, doc="what the model predicts")
    certificate = property(lambda self: Certificate(self._core.certificate, self._core), doc="the proof")

    @property
    def coef(self):
        """One number a feature, or one row a target."""
        coefficients = self._core.coefficients
        return coefficients[0] if len(coefficients) == 1 else coefficients

    @property
    def intercept(self):
        """One number, or one a target."""
        intercepts = self._core.intercepts
        return float(intercepts[0]) if len(intercepts) == 1 else intercepts

    def predict(self, X):
        """One number a row; one column a target where there are several.

        Columns of frames and tables are found by their names; columns of arrays are in the order of training.
        """
        named = hasattr(X, "dataset") or column_names(X) is not None
        if not self._core.takes_arrays or (named and not self._is_unnamed()):
            values = self._core.predict_table(table_of(frame_columns(getattr(X, "dataset", X), self._core.columns))[0])
        else:
            values = self._core.predict(array_or_parts(plain_array(X)))
        return values[:, 0] if values.shape[1] == 1 else values

    def _is_unnamed(self):
        return all(PLAIN_NAME.fullmatch(name) for name in self._core.columns)

    def fast_predictor(self):
        """A callable for serving: one row of numbers in, one number out; or rows in, a column a target out. It takes arrays
        of float64 or float32."""
        return self._core.fast_predictor()

    def summary(self):
        """Coefficients with standard errors, and how well they fit."""
        return Summary(self._core)

    def save(self, path):
        """Writes the model as a .recta file; the file is the old one or the new one."""
        self._core.save(os.fspath(path))

    def __repr__(self):
        return f"<recta.Model {self.word}, {len(self.feature_names)} features: {self.certificate.sentence}>"

    def _repr_html_(self):
        return model_html(self._core)


def load(path):
    """The model in a ``.recta`` file, written here or by the command line, as a :class:`recta.Model`.

    >>> import recta, tempfile, pathlib
    >>> from recta.linear_model import LinearRegression
    >>> path = pathlib.Path(tempfile.mkdtemp(), "line.recta")
    >>> LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).save(path)
    >>> recta.load(path).predict([[10.0]]).round(9).tolist()
    [21.0]
    """
    return Model(_core.Model.load(os.fspath(path)))
