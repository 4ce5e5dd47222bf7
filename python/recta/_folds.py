"""Rows left out: cross-validation of the lasso and the elastic net, and the scores that choose a ridge penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils.validation import column_or_1d

from . import _core
from ._paths import path_options

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["ChosenByFolds", "chosen_params", "ridge_scores"]


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


class ChosenByFolds:
    """What LassoCV and ElasticNetCV do alike, before the base class fits and proves the chosen point."""

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ChosenByFolds:
        """Chooses the penalty by the folds, fits the model with it and proves the answer.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            Weight 2 is the row twice, weight 0 is the row absent, in the fits and in the errors of the folds.

        Returns
        -------
        self
        """
        if len(getattr(y, "shape", ())) == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        self._weights = sample_weight
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._weights

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
        rows, name = shape[0], type(self).__name__
        splits = list(check_cv(self.cv).split(np.zeros((rows, 1))))
        fold_of = folds_of(splits, rows)
        alphas, errors, params = [], [], params | self._column_params(fit)
        for share in self._shares():
            kept = {key: value for key, value in params.items() if key not in ("lambda1", "lambda2")}
            options.params = kept | ({"l1-share": share} if self._word == "elastic-net" else {})
            how = path_options(self.alphas, self.eps, name)
            if fold_of is not None:
                how.folds, how.fold_of = len(splits), fold_of.tolist()
                path = fit(how=how)
                found = path.fold_mse
            else:
                path = fit(how=how)
                found = self._overlapping(fit, how, path.lambdas, splits, rows)
            alphas.append(path.lambdas)
            errors.append(found)
        self._choose(np.array(alphas), np.array(errors), splits)
        return super()._solved(fit, options, params | self._strengths(), shape)

    def _overlapping(self, fit, how, alphas, splits, rows):
        """One path a split: rows that are not trained on have weight zero, and errors are measured one split at a time."""
        weights = np.ones(rows) if self._weights is None else np.asarray(self._weights, dtype=np.float64)
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
        """alphas: share x penalty; errors: share x penalty x split."""
        if self._weights is None:
            mean = errors.mean(axis=-1)
        else:
            weights = np.asarray(self._weights, dtype=np.float64)
            mean = np.average(errors, axis=-1, weights=[weights[test].sum() for _, test in splits])
        share, place = np.unravel_index(np.argmin(mean), mean.shape)
        self._kept = int(share)
        self.alpha_ = float(alphas[share, place])
        self.alphas_, self.mse_path_ = alphas, errors


def chosen_params(cls, params):
    """Those of a file, of an estimator whose one penalty was chosen."""
    if params.pop("psi") is not None:
        raise ValueError(f"the file holds the constrained form (psi), along which {cls.__name__} does not choose; "
                         f"{cls.__name__.removesuffix('CV')}.load reads it")
    return params | {"alphas": [params.pop("alpha")]}


def ridge_scores(estimator, fit, options, shape, y, sample_weight):
    """One number a penalty, the higher the better: over all targets, and over the folds where there are any."""
    rows, targets = shape[0], 1 if len(shape) == 1 else shape[1]
    how = path_options(np.atleast_1d(estimator.alphas), 1.0, type(estimator).__name__)
    order = np.argsort(-np.asarray(how.lambdas), kind="stable")  # the library's: descending
    how.summed, options.params = True, {}
    if estimator.cv is None:
        how.leave_one_out = True
        found = -np.mean([fit([k], how=how).loo_mse for k in range(targets)], axis=0)
    else:
        splits = list(check_cv(estimator.cv).split(np.zeros((rows, 1))))
        fold_of = folds_of(splits, rows)
        if fold_of is None:
            raise ValueError("RidgeCV takes splits that leave every row out at most once; GridSearchCV(Ridge(), ...) takes any")
        how.folds, how.fold_of = len(splits), fold_of.tolist()
        weights = np.ones(rows) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        values = np.asarray(y, dtype=np.float64).reshape(rows, targets)
        found = np.mean([fold_r2(fit([k], how=how).fold_mse, values[:, k], weights, splits) for k in range(targets)], axis=0)
    scores = np.empty(len(order))
    scores[order] = found
    return scores


def fold_r2(mse, y, weights, splits):
    spread = []
    for _, test in splits:
        mean = np.average(y[test], weights=weights[test])
        spread.append(np.average((y[test] - mean) ** 2, weights=weights[test]))
    spread = np.array(spread)
    r2 = 1 - mse / np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, r2, mse == 0).mean(axis=1)  # a constant target: 1 where it is met, else 0
