"""Least squares with and without a penalty on squares, for numbers and for classes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recta._base.declared import estimator, parameter
from recta._data.labels import checked_labels
from recta._estimator import parameters
from recta._estimator.classifier import CertifiedClassifier, LabelClassifier
from recta._estimator.regressor import CertifiedRegressor
from recta._estimator.shared import CLASS_WEIGHT, COPY_X, NOT_POSITIVE
from recta._fitted.model import interval_of
from recta._fitted.summary import Summary, summary_of


def passes_of(model):
    """One number per target, as scikit-learn's lsqr has them: the passes over the rows, which all targets share."""
    return np.full(len(model.coefficients), model.certificate.passes, dtype=np.int32)


@estimator("recta.linear_model")
class LinearRegression(CertifiedRegressor):
    """Least squares, as ``sklearn.linear_model.LinearRegression``, with a proof of the answer.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        1/2 sum_i v_i (y_i - z_i)^2,    z_i = <w, x_i> + b

    Examples
    --------
    >>> import numpy as np
    >>> from recta.linear_model import LinearRegression
    >>> X = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 3.0]])
    >>> y = X @ [1.0, 2.0] + 3.0
    >>> model = LinearRegression().fit(X, y)
    >>> model.coef_.round(12).tolist(), round(float(model.intercept_), 12)
    ([1.0, 2.0], 3.0)
    >>> model.certificate_.verdict
    'proved'
    >>> model.certificate_.verify(X, y).verdict
    'proved'
    """

    fit_intercept: bool = parameter(default=True, word="intercept")
    copy_X: bool = COPY_X
    tol: float = parameter(default=1e-06, free="the answer is proved to tolerance=")
    positive: bool = NOT_POSITIVE
    intervals: bool = parameter(
        default=False,
        word="intervals",
        doc="True: keep what ``prediction_interval`` needs whatever the number of features; up to 100 it is "
        "always kept.",
    )
    solver: str = parameter(
        default="auto",
        word="solver",
        type="{'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'} or a descent",
        doc="'auto' chooses by shape. 'accelerated', 'svrg', 'saga', and as they are taught 'gradient-descent' "
        "and 'sgd', go down step by step; where they end before the optimum, ``certificate_`` says how far it "
        "is.",
    )
    solver_options: dict[str, Any] | None = parameter(
        default=None,
        word="rate, passes",
        type="dict",
        doc='How a descent steps, in the words of ``recta fit linear``: ``{"rate": 0.1, "passes": 100, "batch": 10}``.',
    )
    random_state: Any = parameter(
        default=None,
        word="seed",
        type="int, RandomState instance or None",
        doc="Of a descent's orders and starts; None: seed 0.",
    )

    _word = "linear"

    def _params(self):
        return parameters.solved_by(self)

    def summary(
        self,
        X: Any = None,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        errors: str = "classical",
        cluster: ArrayLike | None = None,
    ) -> Summary:
        """Coefficients with standard errors, t, p and intervals, and how well they fit; prints as a table.

        Parameters
        ----------
        X, y, sample_weight : default=None
            The training rows, as ``fit`` had them; others are refused. With them the summary has the tests of the residuals,
            and errors that do not suppose equal variances can be asked for.
        errors : {'classical', 'HC0', 'HC1', 'HC2', 'HC3'}, default='classical'
            What standard errors suppose: one variance for all rows, or one of its own for each.
        cluster : array-like of shape (n_samples,), default=None
            Rows with the same value depend on one another.

        Examples
        --------
        >>> import recta
        >>> from recta.linear_model import LinearRegression
        >>> X, y = recta.datasets.load("housing", return_X_y=True)
        >>> model = LinearRegression().fit(X, y)
        >>> name, value, error, *_ = model.summary().rows()[1]
        >>> name, round(value, 6), round(error, 6)
        ('x1', -0.108011, 0.032865)
        >>> robust = model.summary(X, y, errors="HC3")
        >>> robust.errors, round(robust.rows()[1][2], 6), round(robust.tests()["durbin-watson"][0], 4)
        ('HC3', 0.034116, 1.0784)
        """
        return summary_of(self._model_or_refusal(), X, y, sample_weight, errors, cluster)

    def prediction_interval(
        self, X: Any, level: float = 0.95, *, of: str = "observation", offset: ArrayLike | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds at rows, from least squares with equal variances.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        level : float, default=0.95
        of : {'observation', 'mean'}, default='observation'
            Of one more observation there, or of the mean of many.
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.

        Returns
        -------
        lower, upper : ndarrays of shape (n_samples,) or (n_samples, n_targets)

        Examples
        --------
        >>> import numpy as np
        >>> from recta.linear_model import LinearRegression
        >>> model = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.1, 4.9, 7.0])
        >>> lower, upper = model.prediction_interval([[4.0]])
        >>> lower.round(6).tolist(), upper.round(6).tolist()
        ([8.304602], [9.595398])
        """
        model, how = self._model_or_refusal(), {"level": float(level), "of": interval_of(of)}
        return self._at_rows(
            X, partial(model.predict_interval, **how), partial(model.predict_interval_table, **how), offset
        )


def solver_used(estimator, model):
    """The word given, or under 'auto' the library's word for what it chose."""
    return estimator.solver if estimator.solver != "auto" else getattr(model, "parts", [model])[0].solver


@estimator("recta.linear_model")
class Ridge(CertifiedRegressor):
    """Least squares with a penalty on squared coefficients, as ``sklearn.linear_model.Ridge``, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - z_i)^2 + alpha sum_j w_j^2,    z_i = <w, x_i> + b

    Attributes
    ----------
    solver_ : str
        What solved it: ``solver``, or what 'auto' chose.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import Ridge
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = Ridge(alpha=10.0).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.732
    >>> model.objective_.split(",  ")[-1]
    'lambda = 0.0197628'
    """

    alpha: float | ArrayLike = parameter(
        default=1.0,
        low=0.0,
        kw_only=False,
        word="tau",
        type="float or array of shape (n_targets,)",
        doc="The penalty beside the summed loss, as in scikit-learn; the intercept is not penalised. One number per "
        "target makes one objective per number: each is solved and proved by itself.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    copy_X: bool = COPY_X
    max_iter: int | None = parameter(
        default=None,
        word="watch",
        doc="Iterations of 'lsqr' per target, or passes of a descent, after which the best so far is given; the "
        "other solvers have none.",
    )
    tol: float = parameter(default=0.0001, free="the answer is proved to tolerance=")
    solver: str = parameter(
        default="auto",
        word="solver",
        type="{'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'} or a descent",
        doc="'cholesky' is Recta's gram and 'lsqr' its lsmr; 'auto' chooses by shape. 'accelerated', 'svrg', "
        "'saga', 'gradient-descent' and 'sgd' go down step by step; where they end before the optimum, "
        "``certificate_`` says how far it is.",
    )
    positive: bool = NOT_POSITIVE
    random_state: Any = parameter(
        default=None,
        word="seed",
        type="int, RandomState instance or None",
        doc="Of a descent's orders and starts; None: seed 0.",
    )
    condition: tuple[float, float] | None = parameter(
        default=None,
        word="condition_low, condition_high",
        type="tuple of two floats",
        doc="In place of ``alpha``, which is then ignored: the least penalty for which the condition number "
        "of X'X + alpha I lies in this range, as (10, 1000). ``alpha_`` is what was taken.",
    )
    solver_options: dict[str, Any] | None = parameter(
        default=None,
        word="rate, passes",
        type="dict",
        doc='How a descent steps, in the words of ``recta fit ridge``: ``{"rate": 0.1, "batch": 10}``.',
    )

    _word = "ridge"
    _one_column_is_flat = True

    def _params(self):
        if getattr(self, "condition", None) is not None:
            return parameters.solved_by(self)
        return {"tau": parameters.penalty(self)} | parameters.solved_by(self)

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.n_iter_, self.solver_ = passes_of(model), model.solver
        if getattr(self, "condition", None) is not None:
            self.alpha_ = model.lambda2 * model.weight_sum
        if hasattr(self, "solver"):  # which RidgeCV has not
            self.solver_ = solver_used(self, model)

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2 * model.weight_sum}


@estimator("recta.linear_model")
class RidgeClassifier(LabelClassifier):
    """Classes by least squares on targets of -1 and 1, as ``sklearn.linear_model.RidgeClassifier``, with a proof.

    It minimises, per target and where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - z_i)^2 + alpha sum_j w_j^2,    z_i = <w, x_i> + b,  y_i = -1 or 1

    Two classes are one target, more are one target each; a row of 0 and 1 with one column per class may have several. What has one class
    per row and one penalty is the command line's ``ridge-classifier``, in its files too.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    solver_ : str
        What solved it: ``solver``, or what 'auto' chose.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import RidgeClassifier
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> model = RidgeClassifier().fit(X, y)
    >>> model.predict(X[:2]).tolist()
    ['Iris-setosa', 'Iris-setosa']
    >>> model.certificate_.verify(X, y).verdict
    'proved'
    """

    alpha: float | ArrayLike = parameter(
        default=1.0,
        low=0.0,
        kw_only=False,
        word="tau",
        type="float or array of shape (n_targets,)",
        doc="The penalty beside the summed loss, as in scikit-learn; the intercept is not penalised.",
    )
    fit_intercept: bool = parameter(default=True, word="intercept")
    copy_X: bool = COPY_X
    max_iter: int | None = parameter(
        default=None,
        word="watch",
        doc="Iterations of 'lsqr' per target, after which the best so far is given; the other solvers have none.",
    )
    tol: float = parameter(default=0.0001, free="the answer is proved to tolerance=")
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT
    solver: str = parameter(
        default="auto",
        word="solver",
        type="{'auto', 'svd', 'cholesky', 'lsqr', 'gram', 'qr', 'dual', 'lsmr'}",
        doc="'cholesky' is Recta's gram and 'lsqr' its lsmr; 'auto' chooses by shape.",
    )
    positive: bool = NOT_POSITIVE
    random_state: Any = parameter(default=None, free="nothing here is random", type="default=None")

    _word = "ridge-classifier"
    _file_words = ("ridge-classifier", "ridge")

    def _params(self):
        return {"tau": parameters.penalty(self), "solver": parameters.solver(self)}

    # Several classes a row, and several penalties, are targets of ridge: the model knows nothing of classes then.

    def _kind(self):
        return CertifiedClassifier if self._word == "ridge" else LabelClassifier

    def __sklearn_tags__(self):
        return CertifiedClassifier.__sklearn_tags__(self)

    def _targets(self, X, y, sample_weight):
        y = checked_labels(y, self)
        self._word = "ridge" if y.ndim == 2 or len(np.unique(self.alpha)) > 1 else "ridge-classifier"
        return self._kind()._targets(self, X, y, sample_weight)

    def _weigh(self, options):
        if self._word != "ridge":
            super()._weigh(options)

    def _target_count(self, y):
        several = self._word != "ridge" and len(self._labels.classes) > 2
        return len(self._labels.classes) if several else super()._target_count(y)

    def _read(self, targets, path):
        self._kind()._read(self, targets, path)

    def _learned(self, model, shape):
        self._kind()._learned(self, model, shape)
        self.n_iter_, self.solver_ = passes_of(model), model.solver
        if self._word != "ridge" and len(self.coef_) == 1:
            self.coef_ = self.coef_[0]
        if not model.has_intercept:
            self.intercept_ = 0.0
        self.solver_ = solver_used(self, model)

    def _values(self, X, offset=None):
        return self._kind()._values(self, X, offset)

    def _flat(self, values):
        return self._kind()._flat(self, values)

    def predict(self, X: Any) -> np.ndarray:
        return self._kind().predict(self, X)

    predict.__doc__ = CertifiedClassifier.predict.__doc__

    @classmethod
    def _params_of(cls, model):
        return super()._params_of(model) | {"alpha": model.lambda2 * model.weight_sum}
