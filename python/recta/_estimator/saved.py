"""Estimators as .recta files, which the command line reads and writes too."""

from __future__ import annotations

import os
from typing import Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._data.input import PLAIN_NAME
from recta._features.feature_map import feature_map_of


class Saved:
    """What an estimator needs to be written and read."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .recta file, which the command line reads; the file is the old one or the new one.

        >>> import tempfile, pathlib
        >>> from recta.linear_model import Ridge
        >>> path = pathlib.Path(tempfile.mkdtemp(), "m.recta")
        >>> Ridge(alpha=2.0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).save(path)
        >>> Ridge.load(path)
        Ridge(alpha=2.0)
        """
        check_is_fitted(self)
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A fitted estimator from a .recta file, whichever front end wrote it."""
        model = _core.Model.load(os.fspath(path))
        if model.word not in getattr(cls, "_file_words", (cls._word,)):
            raise ValueError(f"{path} holds a model {model.word!r}, not {cls._word!r}; recta.load reads any")
        estimator = cls(**cls._params_of(model))
        names = model.columns
        estimator.n_features_in_ = len(names)
        if not all(PLAIN_NAME.fullmatch(name) for name in names):
            estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator._word = model.word
        estimator._read(model.targets, path)
        estimator._learned(model, (model.rows,) if len(model.targets) == 1 else (model.rows, len(model.targets)))
        estimator.trace_ = []
        return estimator

    def _read(self, targets, path):
        """What an estimator learns from the names of the targets in a file."""

    @classmethod
    def _params_of(cls, model):
        maps = {"feature_map": feature_map_of(model)} if model.maps else {}
        maps |= {"unseen": "zeros"} if model.unseen == "zeros" else {}
        return maps | {
            "fit_intercept": model.has_intercept,
            "tolerance": model.certificate.tolerance,
            "confidence": model.confidence,
        }
