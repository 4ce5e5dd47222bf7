"""Baselines: the same answer for every row, which a model should beat."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _num_samples, validate_data

from recta._base.declared import estimator, learned, left_out, parameter
from recta._data.input import is_sparse
from recta._estimator import parameters
from recta._estimator.classifier import ProbabilityClassifier
from recta._estimator.regressor import CertifiedRegressor
from recta._estimator.shared import CLASS_WEIGHT, NOT_RANDOM, READING_THREADS


def _strategy(estimator, known, others):
    """The word, if it is one that is fitted here."""
    if estimator.strategy in known:
        return estimator.strategy
    if estimator.strategy in others:
        raise ValueError(f"{type(estimator).__name__}(strategy={estimator.strategy!r}): {others[estimator.strategy]}.")
    raise ValueError(
        f"The 'strategy' parameter of {type(estimator).__name__} must be one of {', '.join(map(repr, known))}. "
        f"Got {estimator.strategy!r} instead."
    )


class CountsRows:
    """What stands in X has no effect: it may be text, missing, of any shape, and of any width when it predicts. Zeros stand for what is
    not a row of numbers; other rows are those that the certificate is verified with."""

    def _outcome(self, X, y, *others):
        return super()._outcome(np.zeros((_num_samples(y), 1)) if X is None else X, y, *others)

    def _arranged(self, X, reset):
        try:
            found = super()._arranged(X, reset)
            if found[0] or np.isfinite(found[1].data if is_sparse(found[1]) else found[1]).all():
                return found
        except (ValueError, TypeError):
            if not reset and not self._model.takes_arrays:
                raise
        if reset:
            self.__dict__.pop("n_features_in_", None)
            validate_data(self, X, reset=True, skip_check_array=True)
        return False, np.zeros((_num_samples(X), getattr(self, "n_features_in_", 1))), []

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        return tags

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> float:
        """As for every estimator here; X may be None."""
        return super().score(np.zeros((_num_samples(y), 1)) if X is None else X, y, sample_weight, offset)


@estimator("recta.dummy")
class DummyRegressor(CountsRows, CertifiedRegressor):
    """The mean, the median or a quantile of y for every row, as ``sklearn.dummy.DummyRegressor``, with a proof.

    What stands in X has no effect.

    It minimises over b, where ``v_i`` is the weight of row i (1 if omitted)::

        sum_i v_i (y_i - b)^2                              strategy 'mean'
        sum_i v_i max(q (y_i - b), (q - 1) (y_i - b))      'median', q = 1/2, and 'quantile'

    The quantile is a value of y, or the middle between two where all in between are optimal; scikit-learn interpolates.

    Attributes
    ----------
    constant_ : ndarray of shape (1, n_targets)
        What is predicted.

    Examples
    --------
    >>> from recta.dummy import DummyRegressor
    >>> model = DummyRegressor(strategy="median").fit([[0], [1], [2], [3]], [1.0, 2.0, 4.0, 100.0])
    >>> model.predict([[5]]).tolist(), model.certificate_.verdict
    ([3.0], 'proved')
    """

    strategy: str = parameter(
        default="mean",
        word="statistic",
        type="{'mean', 'median', 'quantile'}",
        doc="scikit-learn's 'constant' has nothing to learn and is refused.",
    )
    constant: Any = parameter(
        default=None, refused="a constant that is given has nothing to learn or to prove; scikit-learn's class has it"
    )
    quantile: float | None = parameter(
        default=None,
        low=0.0,
        high=1.0,
        above=True,
        word="quantile",
        doc="Share of the weight below, between 0 and 1; only with 'quantile'.",
    )
    n_jobs: int | None = READING_THREADS
    feature_map: Any = left_out()

    _word = "constant"
    _keeps_float32 = False
    fit_intercept = True  # it is all there is

    constant_: np.ndarray = learned()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags

    def _params(self):
        strategy = _strategy(
            self,
            ("mean", "median", "quantile"),
            {"constant": "a constant that is given has nothing to learn or to prove; scikit-learn's class has it"},
        )
        if strategy == "quantile":
            if self.quantile is None:
                raise ValueError("DummyRegressor(strategy='quantile') needs quantile=, a number between 0 and 1.")
            return {"statistic": strategy, "quantile": parameters.number(self, "quantile")}
        return {"statistic": strategy}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.constant_ = np.atleast_1d(np.asarray(self.intercept_, dtype=np.float64)).reshape(1, -1)
        self.n_outputs_ = self.constant_.shape[1]

    def predict(self, X: Any, offset: ArrayLike | None = None, return_std: bool = False) -> Any:
        """The constant for each row; with ``return_std`` zeros beside it, as scikit-learn's class gives them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        offset : array-like of shape (n_samples,), default=None
            Of these rows, if the fit had one.
        return_std : bool, default=False

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        deviations : ndarray of the same shape, if asked for
        """
        found = super().predict(X, offset)
        return (found, np.zeros_like(found)) if return_std else found

    @classmethod
    def _params_of(cls, model):
        strategy = model.params["statistic"]
        return (
            super()._params_of(model)
            | {"strategy": strategy}
            | ({"quantile": model.params["quantile"]} if strategy == "quantile" else {})
        )


@estimator("recta.dummy")
class DummyClassifier(CountsRows, ProbabilityClassifier):
    """The class of most weight for every row, as ``sklearn.dummy.DummyClassifier``, with a proof.

    What stands in X has no effect.

    If several classes weigh the most, it is the first of them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted.
    class_prior_ : ndarray of shape (n_classes,)
        The shares of the classes.

    Examples
    --------
    >>> from recta.dummy import DummyClassifier
    >>> model = DummyClassifier().fit([[0], [1], [2], [3]], ["no", "no", "no", "yes"])
    >>> model.predict([[5]]).tolist(), model.predict_proba([[5]]).round(9).tolist(), model.certificate_.verdict
    (['no'], [[0.75, 0.25]], 'proved')
    """

    strategy: str = parameter(
        default="prior",
        word="probabilities",
        type="{'prior', 'most_frequent'}",
        doc="Both predict the heaviest class. The probabilities of 'prior' are the shares of the classes, the "
        "constants of largest likelihood; those of 'most_frequent' are 1 and 0. scikit-learn's 'uniform' and "
        "'stratified' draw at random and 'constant' has nothing to learn: they are refused.",
    )
    random_state: Any = NOT_RANDOM
    constant: Any = parameter(
        default=None, refused="a constant that is given has nothing to learn or to prove; scikit-learn's class has it"
    )
    class_weight: dict[Any, float] | str | None = CLASS_WEIGHT
    n_jobs: int | None = READING_THREADS
    feature_map: Any = left_out()

    _word = "majority"
    _keeps_float32 = False
    fit_intercept = True  # it is all there is

    class_prior_: np.ndarray = learned()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _params(self):
        random = "labels drawn at random are not a model that could be proved; scikit-learn's class draws them"
        _strategy(
            self,
            ("prior", "most_frequent"),
            {
                "uniform": random,
                "stratified": random,
                "constant": "a class that is given has nothing to learn; scikit-learn's class has it",
            },
        )
        return {}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.class_prior_ = super().predict_proba([None])[0]
        self.n_classes_, self.n_outputs_ = len(self.classes_), 1

    @property
    def decision_function(self):
        """None, as in scikit-learn: the shares of the classes are probabilities."""
        raise AttributeError("DummyClassifier has no scores; predict_proba gives the shares of the classes")

    def predict_proba(self, X: Any, offset: Any = None, *, corrected: bool = False) -> np.ndarray:
        shares = super().predict_proba(X, offset, corrected=corrected)
        if self.strategy == "prior":
            return shares
        return (self.predict(X, offset)[:, None] == self.classes_[None, :]).astype(np.float64)

    def predict_log_proba(self, X: Any, offset: Any = None) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset))

    predict_log_proba.__doc__ = ProbabilityClassifier.predict_log_proba.__doc__
    predict_proba.__doc__ = ProbabilityClassifier.predict_proba.__doc__
