"""What a cross-validation found."""

from __future__ import annotations

from typing import Any

import numpy as np

from recta._base.words import in_python
from recta._fitted.model import Model


class CrossValidation:
    """What :func:`grid_search` found.

    Attributes
    ----------
    cv_results_ : dict
        As of scikit-learn's ``GridSearchCV``: ``params``, and for every score NAME ``mean_test_NAME``, ``standard_error_test_NAME`` and
        ``split0_test_NAME``, ...; with ``training=True`` the same of ``train``; ``failure`` is why a point has none.
    best_index_, best_params_, best_score_
        Of the point that is chosen; None where the search was stopped.
    model : recta.Model or None
        That point fitted to all rows, with its proof.

    Examples
    --------
    >>> import recta
    >>> from recta.model_selection import grid_search
    >>> search = grid_search("ridge", recta.read("housing"), grid={"lambda": [0.001, 0.1, 10]}, folds=3)
    >>> search.best_params_, len(search.cv_results_["params"])
    ({'lambda': 0.001}, 3)
    """

    def __init__(self, core):
        self._core = core

    @property
    def scores(self) -> list[str]:
        """Names of the scores; the first one chooses."""
        return list(self._core.scores)

    @property
    def n_splits_(self) -> int:
        """Splits that every point was fitted on."""
        return self._core.splits

    @property
    def stopped(self) -> str:
        """ "time limit" or "interrupted"; empty where the search is whole."""
        return self._core.stopped

    @property
    def notes(self) -> list[str]:
        """Such as a class that some folds have no row of."""
        return [in_python(note) for note in self._core.notes]

    @property
    def best_index_(self) -> int | None:
        """The place of the point that is chosen."""
        return self._core.best if self._core.best >= 0 else None

    @property
    def best_params_(self) -> dict[str, Any] | None:
        """Its values."""
        return None if self.best_index_ is None else self._core.points[self.best_index_].params

    @property
    def best_score_(self) -> float | None:
        """Its mean of the first score."""
        return None if self.best_index_ is None else self._core.points[self.best_index_].scores[0].mean

    @property
    def model(self) -> Model | None:
        """The point that is chosen, fitted to all rows."""
        return None if self._core.model is None else Model(self._core.model)

    @property
    def cv_results_(self) -> dict[str, Any]:
        """Points, means, standard errors and the scores of every split."""
        points = self._core.points
        out: dict[str, Any] = {
            "params": [point.params for point in points],
            "failure": [in_python(point.failure) for point in points],
        }
        for part, of in (("test", "scores"), ("train", "training")):
            if not getattr(points[0], of):
                continue
            for place, name in enumerate(self.scores):
                values = [getattr(point, of)[place] for point in points]
                out[f"mean_{part}_{name}"] = np.array([one.mean for one in values])
                out[f"standard_error_{part}_{name}"] = np.array([one.standard_error for one in values])
                for k, column in enumerate(np.array([one.folds for one in values]).T):
                    out[f"split{k}_{part}_{name}"] = column
        return out

    def __repr__(self):
        chosen = self.stopped or f"{self.best_params_}: {self.scores[0]} {self.best_score_:.6g}"
        return f"<recta.CrossValidation {self._core.word}, {len(self._core.points)} points, {self.n_splits_} splits, {chosen}>"
