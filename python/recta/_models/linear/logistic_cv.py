"""Logistic regression that chooses its penalty itself, by rows left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import accuracy_score
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    _routing_enabled,
    process_routing,
)
from sklearn.utils.validation import _check_method_params

from recta import _core
from recta._base.declared import estimator, learned, left_out, parameter
from recta._data.labels import Labels
from recta._estimator import parameters

from .fold_models import scorer_of
from .folds import RoutesToSplitter, row_weights, rows_to_split, splits_of
from .logistic import LogisticRegression
from .logistic_folds import LogisticFolds


@estimator("recta.linear_model")
class LogisticRegressionCV(RoutesToSplitter, LogisticFolds, LogisticRegression):
    """Logistic regression with its penalty chosen by cross-validation, as ``sklearn.linear_model.LogisticRegressionCV``, with a
    proof of the fit to all rows.

    The fit to all rows minimises the objective of :class:`LogisticRegression` at the penalty chosen; of two classes::

        C_ sum_i v_i log(1 + exp(-y_i z_i)) + l1_ratio_ sum_j |w_j| + (1 - l1_ratio_) / 2 sum_j w_j^2,    z_i = <w, x_i> + b

    Attributes
    ----------
    C_, l1_ratio_ : float
        The penalty chosen.
    Cs_, l1_ratios_ : ndarray
        What it was chosen among.
    scores_ : ndarray of shape (n_folds, n_l1_ratios, n_Cs)
    coefs_paths_ : ndarray of shape (n_folds, n_l1_ratios, n_Cs, n_classes or 1, n_features + 1)
        The intercept last, where there is one.
    n_iter_ : ndarray of shape (n_folds, n_l1_ratios, n_Cs)
        Passes over the rows; where the fits of a fold are one path, those of the whole path.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LogisticRegressionCV
    >>> X, y = recta.datasets.load("iris", return_X_y=True)
    >>> model = LogisticRegressionCV(Cs=[0.1, 1.0, 10.0, 100.0], cv=5).fit(X, y)
    >>> model.C_, model.scores_.shape, model.certificate_.verdict
    (100.0, (5, 1, 4), 'proved')
    """

    Cs: int | ArrayLike = parameter(
        default=10,
        low=0.0,
        above=True,
        word="tau",
        type="int or array-like",
        doc="How many inverse strengths, evenly in the logarithm from 1e-4 to 1e4, or which.",
    )
    l1_ratios: ArrayLike | str | None = parameter(
        default="warn",
        low=0.0,
        high=1.0,
        word="l1-share",
        type="array-like",
        doc="Shares of the penalty on absolute values to choose among; the default is 0 alone.",
    )
    cv: Any = parameter(
        default=None,
        word="folds, fold_of",
        type="int, splitter or iterable",
        doc="As in scikit-learn; an int is a number of stratified folds, and None means five.",
    )
    penalty: str = parameter(
        default="deprecated", type="{'l1', 'l2', 'elasticnet'}", doc="'l1' and 'l2' are l1_ratios of 1 and 0."
    )
    scoring: Any = parameter(
        default="warn",
        word="folds",
        type="str or callable",
        doc="What rows left out are scored by, the higher the better; the default is 'neg_log_loss', None is "
        "'accuracy'.",
    )
    class_weight: dict[Any, float] | str | None = parameter(
        default=None, doc="Multiplies the weights of a class's rows, not their scores."
    )
    refit: bool = parameter(
        default=True, refused="the model is fitted to all rows; coefs_paths_ has those of the folds"
    )
    intercept_scaling: float = parameter(default=1.0)
    use_legacy_attributes: bool | str = parameter(
        default="warn",
        free="attributes have the shapes of scikit-learn 1.10",
        type="bool",
        doc="Only False and the default, which is the same: attributes have the shapes below.",
    )
    choose: str = parameter(
        default="best",
        word="folds",
        type="{'best', '1se'}",
        doc="'1se': the strongest penalty whose mean score is within one standard error of the best.",
    )
    C: Any = left_out()
    warm_start: Any = left_out()
    feature_map: Any = left_out()

    C_: float = learned()
    l1_ratio_: float = learned()
    Cs_: np.ndarray = learned()
    l1_ratios_: np.ndarray = learned()
    scores_: np.ndarray = learned()
    coefs_paths_: np.ndarray = learned()

    _keeps_float32 = False

    @property
    def l1_ratio(self) -> float:
        """The largest share of absolute values there may be."""
        return max(self._shares())

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any) -> Self:
        """Chooses the penalty by the folds, fits the model with it and proves the answer.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent, in the fits and in the scores of the folds.
        **params
            For the splitter of ``cv``, as ``groups``, and for the scorer; only where
            ``sklearn.set_config(enable_metadata_routing=True)``.

        Returns
        -------
        self
        """
        routed = self._routed(params, sample_weight=sample_weight)
        for_scorer = {} if sample_weight is None else {"sample_weight": sample_weight}
        self._given = (
            (X, y, sample_weight, {}, for_scorer)
            if routed is None
            else (X, y, sample_weight, dict(routed.splitter.split), dict(routed.scorer.score))
        )
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._given

    def get_metadata_routing(self) -> MetadataRouter:
        """Who is given which metadata: this estimator, the splitter of its ``cv`` and its scorer."""
        return (
            super()
            .get_metadata_routing()
            .add(
                scorer=scorer_of(self.scoring),
                method_mapping=MethodMapping().add(caller="fit", callee="score").add(caller="score", callee="score"),
            )
        )

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any) -> float:
        """What ``scoring`` gives at rows; the share of the rows whose class is predicted where it was left at its default.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : float or array-like of shape (n_samples,), default=None
        **params
            For the scorer; only where ``sklearn.set_config(enable_metadata_routing=True)``.

        Returns
        -------
        score : float
        """
        _raise_for_params(params, self, "score")
        given = params if sample_weight is None else params | {"sample_weight": sample_weight}
        if isinstance(self.scoring, str) and self.scoring == "warn":
            return accuracy_score(y, self.predict(X), sample_weight=sample_weight)
        routed = process_routing(self, "score", **given).scorer.score if _routing_enabled() else given
        return scorer_of(self.scoring)(self, X, y, **routed)

    def _shares(self):
        if self.l1_ratios is None or isinstance(self.l1_ratios, str):
            return [1.0 if self.penalty == "l1" else 0.0]
        shares = np.atleast_1d(np.asarray(self.l1_ratios, dtype=np.float64)).tolist()
        return [parameters.number(self, "l1_ratios", value=share) for share in shares]

    def _strengths(self):
        if isinstance(self.Cs, (int, np.integer)) and not isinstance(self.Cs, bool) and self.Cs >= 1:
            return np.logspace(-4, 4, self.Cs).tolist()
        if np.ndim(self.Cs) != 1 or not np.size(self.Cs):
            raise ValueError(
                f"The 'Cs' parameter of {type(self).__name__} must be an int from 1 up or a list of numbers. Got {self.Cs!r} instead."
            )
        return [parameters.number(self, "Cs", value=C) for C in np.asarray(self.Cs, dtype=np.float64).tolist()]

    def _params(self):
        self._strengths()
        if self.penalty not in ("deprecated", "l1", "l2", "elasticnet"):
            raise ValueError(
                f"The 'penalty' parameter of {type(self).__name__} must be one of 'l1', 'l2' and 'elasticnet'. "
                f"Got {self.penalty!r} instead."
            )
        if self.penalty == "elasticnet" and self.l1_ratios is None:
            raise ValueError("l1_ratios must be specified when penalty is 'elasticnet'")
        if self.choose not in ("best", "1se"):
            raise ValueError(
                f"The 'choose' parameter of {type(self).__name__} must be 'best' or '1se'. Got {self.choose!r} instead."
            )
        dropped = (
            [label for label, factor in self.class_weight.items() if factor == 0]
            if isinstance(self.class_weight, Mapping)
            else []
        )
        if dropped:
            raise ValueError(
                f"class_weight of {dropped[0]!r} is 0: leave out the rows of this class, so that folds and scores are without them too"
            )
        if self.use_legacy_attributes not in (False, "warn"):
            raise ValueError(
                "use_legacy_attributes=True is not available in Recta: C_ and l1_ratio_ are numbers, and scores_ is one array"
            )
        return {}

    def _solved(self, fit, options, params, shape):
        X, y, weights, for_splitter, for_scorer = self._given
        X, y = indexable(X, np.asarray(y).ravel())
        weights = row_weights(weights, len(y))
        for_scorer = (
            for_scorer
            if weights is None or "sample_weight" not in for_scorer
            else for_scorer | {"sample_weight": weights}
        )
        Cs, shares = self._strengths(), self._shares()
        scores, paths, passes, class_weight = [], [], [], self._class_weight(y, weights)
        for train, test in splits_of(check_cv(self.cv, y, classifier=True), rows_to_split(X), y, for_splitter, weights):
            taught = _safe_indexing(X, train), y[train], None if weights is None else weights[train]
            asked = _safe_indexing(X, test), y[test], _check_method_params(X, for_scorer, indices=test)
            self._refuse_infinite_loss(taught, asked, len(scores))
            made = self._path_fold if self._is_one_path(X, y, Cs) else self._model_fold
            found, lines, counts = made(taught, asked, Cs, shares, class_weight)
            scores.append(found)
            paths.append(lines)
            passes.append(counts)
        self.Cs_, self.l1_ratios_ = np.array(Cs), np.array(shares)
        self.scores_, self.coefs_paths_, self._passes = (
            np.array(scores),
            np.array(paths),
            np.array(passes, dtype=np.int32),
        )
        self._choose_point()
        strength = {} if np.isinf(self.C_) else {"tau": 1 / self.C_}
        if self.l1_ratio_ > 0 and strength:
            strength["l1-share"] = self.l1_ratio_
        return super()._solved(fit, options, params | strength, shape)

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.n_iter_ = self.__dict__.pop("_passes", self.n_iter_)

    def _choose_point(self):
        mean = self.scores_.mean(axis=0)
        share, place = np.unravel_index(np.argmax(mean), mean.shape)
        if self.choose == "1se" and len(self.scores_) > 1:
            error = self.scores_[:, share, place].std(ddof=1) / np.sqrt(len(self.scores_))
            near = np.flatnonzero(mean[share] >= mean[share, place] - error)
            place = near[np.argmin(self.Cs_[near])]
        self.C_, self.l1_ratio_ = float(self.Cs_[place]), float(self.l1_ratios_[share])

    def _path_order(self, fit, y, sample_weight):
        """How the path that was chosen from is asked for, over all rows and of the share chosen, for a picture."""
        y = np.asarray(y).ravel()
        weights = (
            np.ones(len(y))
            if sample_weight is None
            else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(y))
        )
        total = np.sum(Labels(self.classes_, False, self._class_weight(y, weights)).rows(y, weights)[1])
        strengths = np.sort(1 / self.Cs_[np.isfinite(self.Cs_)])[::-1]
        how = _core.PathOptions()
        how.lambdas = (strengths / total).tolist()
        return how, {"l1-share": self.l1_ratio_} if self.l1_ratio_ > 0 else {}, strengths, 1 / self.C_, "1 / C"

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return params | {"Cs": [params.pop("C")], "l1_ratios": [params.pop("l1_ratio")]}
