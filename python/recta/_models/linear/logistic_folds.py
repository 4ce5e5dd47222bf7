"""Logistic regression on folds: what the penalties that are compared give on the rows that a fold leaves out."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from scipy.special import log_softmax
from sklearn.utils import check_array

from recta import _core
from recta._base.errors import Stopped
from recta._data.input import array_or_parts
from recta._data.labels import ClassLabels, Labels, known_places
from recta._estimator import parameters

from .fold_models import AmongAll, SoftmaxOfSome, scorer_of, with_labels
from .logistic import LogisticRegression

PATH_COLUMNS = 8192  # of two classes; where there are more, single fits need no p x p sums


class LogisticFolds:
    """The part of ``LogisticRegressionCV`` that fits and scores one fold."""

    def _class_weight(self, y, weights):
        """As numbers: what is balanced in all rows is the same in every fold."""
        if not isinstance(self.class_weight, str):
            return self.class_weight
        known = np.isin(y, self.classes_)  # others weigh nothing
        sums = np.bincount(known_places(y[known], self.classes_), None if weights is None else weights[known])
        return dict(zip(self.classes_.tolist(), sums.sum() / (len(sums) * sums)))

    def _model_at(self, C, share, class_weight, rows, kind=LogisticRegression):
        model = kind(
            C=C,
            l1_ratio=share,
            fit_intercept=self.fit_intercept,
            class_weight=class_weight,
            n_jobs=self.n_jobs,
            tolerance=self.tolerance,
            unseen=self.unseen,
            time_limit=self._time_left() or None,
        ).fit(*rows)
        if model.certificate_.stop == "time limit":
            raise Stopped(
                type(self).__name__,
                "the time limit came before all folds were fitted",
                "allow more time, or try fewer penalties",
            )
        return model

    def _is_log_loss(self):
        return isinstance(self.scoring, str) and self.scoring in ("warn", "neg_log_loss")

    def _scored(self, model, X, y, metadata):
        if self._is_log_loss():
            own = model.predict_log_proba(X)[np.arange(len(y)), known_places(y, model.classes_)]
            return np.average(own, weights=metadata.get("sample_weight"))
        return with_labels(scorer_of(self.scoring), self.classes_)(model, X, y, **metadata)

    def _present(self, y, weights):
        return np.unique(y if weights is None else y[weights > 0])

    def _refuse_infinite_loss(self, taught, asked, fold):
        """A class that a fold is tested on and has no row of has the probability 0 at every C."""
        missing = np.setdiff1d(self._present(asked[1], asked[2].get("sample_weight")), self._present(*taught[1:]))
        if self._is_log_loss() and len(missing):
            raise ValueError(
                f"the rows that fold {fold} trains on have no row of the class {missing[0].item()!r}, so that its log-loss is infinite at "
                "every C: stratified folds (cv an int) have all classes, where every class has as many rows as there are folds; "
                "scoring='accuracy' takes such folds"
            )

    def _path_fold(self, taught, asked, Cs, shares, class_weight):
        """Scores, weights and passes of one fold, share x C, where its fits are one path."""
        if len(self._present(*taught[1:])) < len(self.classes_):
            return self._model_fold(taught, asked, Cs, shares, class_weight)
        lines, passes = zip(*(self._path(*taught, Cs, share, class_weight) for share in shares))
        scores = [self._path_scores(line, asked[0], asked[1], asked[2].get("sample_weight")) for line in lines]
        return (
            scores,
            [line if self.fit_intercept else line[..., :-1] for line in lines],
            [[count] * len(Cs) for count in passes],
        )

    def _model_fold(self, taught, asked, Cs, shares, class_weight):
        """The same by single fits. Classes that the fold has no row of are those of probability 0."""
        present = self._present(*taught[1:])
        if len(present) == len(self.classes_):
            models = [[self._model_at(C, share, class_weight, taught) for C in Cs] for share in shares]
        elif len(present) == 1:
            models = [[AmongAll(self.classes_, None, present)] * len(Cs)] * len(shares)
        else:  # the penalty is that of several classes, also where two of them are left
            kept = class_weight and {label: factor for label, factor in class_weight.items() if label in present}
            models = [
                [AmongAll(self.classes_, self._model_at(C, share, kept, taught, SoftmaxOfSome), present) for C in Cs]
                for share in shares
            ]
        scores = [[self._scored(model, *asked) for model in line] for line in models]
        passes = [[model.n_iter_[0] for model in line] for line in models]
        return scores, [[self._flat_point(model, taught[0]) for model in line] for line in models], passes

    def _is_one_path(self, X, y, Cs):
        """Whether a fold's fits are one path, each from the one before: of arrays, judged by their log-loss."""
        arrays = issparse(X) or (isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "fiub")
        return (
            arrays
            and (len(self.classes_) > 2 or X.shape[1] <= PATH_COLUMNS)
            and np.isfinite(Cs).all()
            and np.isin(y, self.classes_).all()
            and self._is_log_loss()
        )

    def _path(self, X, y, weights, Cs, share, class_weight):
        """Weights and the intercept at every C, of every class, or of the second of two; and the passes over the rows that all took."""
        options, how, labels = _core.FitOptions(), _core.PathOptions(), ClassLabels(self.classes_, False, class_weight)
        options.intercept, options.threads = bool(self.fit_intercept), parameters.threads(self.n_jobs)
        options.tolerance, options.time_limit = self.tolerance, self._time_left()
        options.params = {"l1-share": share} if share > 0 else {}
        labels.weigh(options)
        total = np.sum(
            Labels(self.classes_, False, class_weight).rows(y, np.ones(len(y)) if weights is None else weights)[1]
        )
        how.lambdas, how.prove = [1 / (C * total) for C in Cs], False  # what is proved is the fit to all rows
        x = array_or_parts(check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64))
        weights = None if weights is None else np.ascontiguousarray(weights)
        found = _core.path(self._word, x, known_places(y, self.classes_).astype(np.float64), weights, [], options, how)
        place = np.searchsorted(-found.lambdas, -np.array(how.lambdas))  # from the strongest on
        line = np.concatenate([found.coefficients, found.intercepts[..., None]], axis=-1)[place]
        return line if line.ndim == 3 else line[:, None, :], found.passes

    def _path_scores(self, line, X, y, weights):
        X, own, scores = (
            check_array(X, accept_sparse=("csr", "csc"), dtype=np.float64),
            known_places(y, self.classes_),
            [],
        )
        for point in line:
            z = X @ point[:, :-1].T + point[:, -1]
            z = np.column_stack([np.zeros(len(z)), z]) if len(point) == 1 else z
            scores.append(np.average(log_softmax(z, axis=1)[np.arange(len(own)), own], weights=weights))
        return scores

    def _flat_point(self, model, X):
        coefs, intercepts = model.point(X) if isinstance(model, AmongAll) else (model.coef_, model.intercept_)
        return np.column_stack([coefs, intercepts]) if self.fit_intercept else coefs
