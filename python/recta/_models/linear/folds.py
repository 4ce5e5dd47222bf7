"""Rows left out: cross-validation of the lasso and the elastic net, and the scores that choose a ridge penalty."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    _routing_enabled,
    process_routing,
)
from sklearn.utils.validation import check_array, column_or_1d

from recta import _core
from recta._base.checks import CHECKS
from recta._data.input import arranged

from .criteria import CRITERIA, checked_choice, criterion, standard_error, strongest_near
from .paths import path_options

__all__ = [
    "ChosenByFolds",
    "RoutesToSplitter",
    "chosen_params",
    "ridge_choice",
    "row_weights",
    "rows_to_split",
    "splits_of",
]


class RoutesToSplitter:
    """What estimators with a ``cv`` do alike: metadata of ``fit`` goes to the splitter, as in scikit-learn."""

    def get_metadata_routing(self) -> MetadataRouter:
        """Who is given which metadata: this estimator, and the splitter of its ``cv``."""
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(splitter=check_cv(self.cv), method_mapping=MethodMapping().add(caller="fit", callee="split"))
        )

    def _routed(self, metadata, **own):
        """What the parts of this estimator are given of the metadata of ``fit``; None where routing is not enabled."""
        _raise_for_params(metadata, self, "fit")
        return process_routing(self, "fit", **own, **metadata) if _routing_enabled() else None

    def _split_metadata(self, metadata, **own):
        routed = self._routed(metadata, **own)
        return {} if routed is None else dict(routed.splitter.split)


def rows_to_split(X):
    """X as a splitter is given it: an array as in scikit-learn, but a frame with categories as it is."""
    table, x, _ = arranged(X)
    return X if table else check_array(x, **CHECKS)


def row_weights(sample_weight, rows):
    """One number per row; None stays."""
    return None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), rows)


def splits_of(splitter, X, y, metadata, weights):
    """What a splitter makes of the rows. A split whose test rows all weigh nothing is absent, as they are."""
    splits = splitter.split(X, np.asarray(y), **metadata)
    return [(train, test) for train, test in splits if weights is None or (weights[test] > 0).any()]


def folds_of(splits, rows):
    """The fold every row is left out in, -1 for none; None where splits overlap and no such number exists."""
    fold_of = np.full(rows, -1, dtype=np.int32)
    for k, (train, test) in enumerate(splits):
        test, trained = np.asarray(test), np.zeros(rows, dtype=bool)
        trained[train] = True
        held = np.zeros(rows, dtype=bool)
        held[test] = True
        if (fold_of[held] >= 0).any() or (trained == held).any() or held.sum() != len(test):
            return None
        fold_of[held] = k
    return fold_of


class ChosenByFolds(RoutesToSplitter):
    """What LassoCV and ElasticNetCV do alike, before the base class fits and proves the chosen point."""

    alpha_: float
    alphas_: np.ndarray
    mse_path_: np.ndarray
    criterion_: np.ndarray

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        offset: ArrayLike | None = None,
        check_input: bool = True,
        **params: Any,
    ) -> Self:
        """Chooses the penalty by the folds, fits the model with it and proves the answer.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent, in the fits and in the error of each fold. The errors of the
            folds count alike, as in scikit-learn.
        offset : array-like of shape (n_samples,), default=None
            A part of ``X w + b`` with factor 1.
        **params
            For the splitter of ``cv``, as ``groups``; only where ``sklearn.set_config(enable_metadata_routing=True)``.

        Returns
        -------
        self
        """
        if len(shape := getattr(y, "shape", ())) == 2 and shape[1] == 1:
            y = column_or_1d(y, warn=True)
        self._given = X, y, sample_weight, self._split_metadata(params, sample_weight=sample_weight, offset=offset)
        try:
            return super().fit(X, y, sample_weight, offset)
        finally:
            del self._given

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _shares(self):
        """Shares of the penalty on absolute values to choose among."""
        return [1.0]

    def _solved(self, fit, options, params, shape):
        if len(shape) == 2 and shape[1] > 1:
            raise ValueError(f"For multi-task outputs, use MultiTask{type(self).__name__}: y has {shape[1]} columns")
        rows, params = shape[0], params | self._column_params(fit)
        checked_choice(self)
        X, y, sample_weight, metadata = self._given
        weights = row_weights(sample_weight, rows)
        splits = [] if self.choose in CRITERIA else splits_of(check_cv(self.cv), rows_to_split(X), y, metadata, weights)
        fold_of = folds_of(splits, rows)
        alphas, errors = [], []
        for share in self._shares():
            kept = {key: value for key, value in params.items() if key not in ("lambda1", "lambda2")}
            options.params = kept | ({"l1-share": share} if self._word == "elastic-net" else {})
            how = path_options(self.alphas, self.eps, type(self).__name__)
            if fold_of is not None and splits:
                how.folds, how.fold_of = len(splits), fold_of.tolist()
            path = fit(how=how)
            if not splits:
                found = criterion(self, path)
            else:
                found = (
                    path.fold_mse
                    if fold_of is not None
                    else self._overlapping(fit, path.lambdas, splits, weights, rows)
                )
            alphas.append(path.lambdas)
            errors.append(found)
        self._choose(np.array(alphas), np.array(errors), splits)
        return super()._solved(fit, options, params | self._strengths(), shape)

    def _overlapping(self, fit, alphas, splits, weights, rows):
        """One path a split: rows that are not trained on have weight zero, and errors are measured one split at a time."""
        weights = np.ones(rows) if weights is None else weights
        found = []
        for train, test in splits:
            times, held = np.zeros(rows), np.full(rows, -1, dtype=np.int32)
            np.add.at(times, np.asarray(train), 1.0)
            if (times[test] > 0).any():
                raise ValueError("a split tests on rows it trains on")
            times[test], held[test] = 1.0, 0
            one = _core.PathOptions()
            one.lambdas, one.folds, one.fold_of = alphas.tolist(), 1, held.tolist()
            found.append(fit(how=one, weights=weights * times).fold_mse[:, 0])
        return np.array(found).T

    def _choose(self, alphas, errors, splits):
        """alphas: share x penalty; errors: share x penalty x split, or values of a criterion without splits."""
        mean = errors.mean(axis=-1) if splits else errors
        share, place = np.unravel_index(np.argmin(mean), mean.shape)
        if self.choose == "1se":
            error = standard_error(errors[share, place], mean[share, place])
            place = strongest_near(alphas[share], mean[share], place, error)
        self._share_place = int(share)
        self.alpha_ = float(alphas[share, place])
        self.__dict__.pop("criterion_" if splits else "mse_path_", None)
        one = len(alphas) == 1
        self.alphas_ = (
            alphas[0] if one or np.ndim(self.alphas) else alphas
        )  # those that were given are the same for every share
        setattr(self, "mse_path_" if splits else "criterion_", errors[0] if one else errors)

    def _path_order(self, fit, y, sample_weight):
        """How the path that was chosen from is asked for: of the share chosen, for a picture."""
        params = {
            key: value for key, value in self._params().items() if key not in ("lambda1", "lambda2")
        } | self._column_params(fit)
        share = {"l1-share": self.l1_ratio_} if self._word == "elastic-net" else {}
        how = _core.PathOptions()
        how.lambdas = (self.alphas_ if self.alphas_.ndim == 1 else self.alphas_[self._share_place]).tolist()
        return how, params | share, np.array(how.lambdas), self.alpha_, "alpha"


def chosen_params(cls, params):
    """Those of a file, of an estimator whose one penalty was chosen."""
    if params.pop("psi") is not None:
        raise ValueError(
            f"the file holds the constrained form (psi), along which {cls.__name__} does not choose; "
            f"{cls.__name__.removesuffix('CV')}.load reads it"
        )
    return params | {"alphas": [params.pop("alpha")]}


def ridge_choice(estimator, fit, options, shape, rows):
    """The place of the penalty chosen, and its score, the higher the better: over all targets, and over folds where there are any."""
    how = path_options(np.atleast_1d(estimator.alphas), 1.0, type(estimator).__name__)
    alphas, word = np.asarray(how.lambdas), checked_choice(estimator)
    order = np.argsort(-alphas, kind="stable")  # the library's: descending
    how.summed, options.params = True, {}
    if word in CRITERIA:
        each = [criterion(estimator, fit([k], how=how)) for k in range(_targets(shape))]
        found = -np.mean(each, axis=0)[:, None]
    elif estimator.cv is None:
        if word == "1se":
            raise ValueError(
                "RidgeCV(choose='1se') needs folds, as cv=5: leaving out row after row gives one mean and no spread"
            )
        how.leave_one_out = True
        found = -np.mean([fit([k], how=how).loo_mse for k in range(_targets(shape))], axis=0)[:, None]
    else:
        found = _fold_scores(estimator, fit, how, shape, rows)
    scores = np.empty_like(found)
    scores[order] = np.where(np.isnan(found), -np.inf, found)  # an error that could not be told
    mean = scores.mean(axis=1)
    best = int(np.argmax(mean))
    if word == "1se":
        best = strongest_near(alphas, -mean, best, standard_error(scores[best], mean[best]))
    return best, float(mean[best])


def _targets(shape):
    return 1 if len(shape) == 1 else shape[1]


def _fold_scores(estimator, fit, how, shape, given):
    """penalty x fold: r2, over all targets. ``given``: X, y, y less its offset, weights, and what the splitter is given besides."""
    X, y, rest, sample_weight, metadata = given
    rows, targets = shape[0], _targets(shape)
    weights = np.ones(rows) if sample_weight is None else row_weights(sample_weight, rows)
    splits = splits_of(check_cv(estimator.cv), X if hasattr(X, "shape") else np.asarray(X), y, metadata, weights)
    fold_of = folds_of(splits, rows)
    if fold_of is None:
        raise ValueError(
            "RidgeCV takes splits that leave every row out at most once; GridSearchCV(Ridge(), ...) takes any"
        )
    how.folds, how.fold_of = len(splits), fold_of.tolist()
    values = np.asarray(rest, dtype=np.float64).reshape(rows, targets)
    return np.mean([fold_r2(fit([k], how=how).fold_mse, values[:, k], weights, splits) for k in range(targets)], axis=0)


def fold_r2(mse, y, weights, splits):
    spread = []
    for _, test in splits:
        mean = np.average(y[test], weights=weights[test])
        spread.append(np.average((y[test] - mean) ** 2, weights=weights[test]))
    spread = np.array(spread)
    r2 = 1 - mse / np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, r2, mse == 0)  # a constant target: 1 where it is met, else 0
