"""The feature maps of the command line: --poly, --basis and --feature as a transformer, and as a parameter of estimators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight, check_is_fitted, validate_data

from recta import _core
from recta._base.checks import CHECKS, reworded
from recta._base.declared import estimator, parameter
from recta._base.errors import DataError, UsageError
from recta._base.scikit_learn import BaseEstimator, TransformerMixin
from recta._data.input import array_or_parts, has_categories, place_of_text


@estimator("recta.preprocessing")
class FeatureMap(TransformerMixin, BaseEstimator):
    """Features made from columns of numbers, as ``recta fit --poly --basis --feature`` makes them.

    The features of columns that are left as they are come first, then those of ``poly``, ``basis`` and ``feature``. Columns of
    arrays are called x1, x2, ...; those of frames by their names, between backticks where these are more than a word. An
    estimator with ``feature_map=FeatureMap(...)`` makes the features itself: powers keep their low halves then, the model's
    file holds the maps, and the command line replays them.

    Attributes
    ----------
    maps_ : list of (str, list of float)
        The text of each map, and the knots or centres that it learned.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)

    Examples
    --------
    >>> import pandas
    >>> from recta.preprocessing import FeatureMap
    >>> X = pandas.DataFrame({"area": [50.0, 80.0], "rooms": [2.0, 3.0]})
    >>> maps = FeatureMap(basis=["sqrt(rooms)"], feature=["area*rooms"])
    >>> maps.fit_transform(X).round(4).tolist()
    [[50.0, 1.4142, 100.0], [80.0, 1.7321, 240.0]]
    >>> maps.get_feature_names_out().tolist()
    ['area', 'sqrt(rooms)', 'area*rooms']
    """

    poly: int = parameter(
        default=1,
        kw_only=False,
        doc="Degree of the monomials of all columns that no ``basis`` reads, in their place; 1: the columns "
        "themselves.",
    )
    poly_terms: str = parameter(
        default="all",
        type="{'all', 'powers', 'interactions'}",
        doc="All monomials, powers of one column, or products of different ones.",
    )
    basis: str | Sequence[str] = parameter(
        default=(),
        type="sequence of str",
        doc='Maps in place of the columns they read: ``"log(area)"``, ``"spline(age, 5)"``, ``"fourier(month, '
        '12)"``, ``"radial(x, 5)"``, ``"poly(x, y, 3)"``, ``"ring(x1, x2)"``.',
    )
    feature: str | Sequence[str] = parameter(
        default=(),
        type="sequence of str",
        doc='The same beside the columns: ``"area*rooms"``, ``"log(area + 1)/rooms^2"``.',
    )

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Reads the maps, and learns knots and centres between the least and the largest value of their columns.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers.
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None
            Rows of weight 0 are absent.

        Returns
        -------
        self
        """
        X = self._numbers(X, reset=True)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        options = _core.FitOptions()
        self._asked_of(options)
        self._features = self._learned(X, sample_weight, names, options)
        self.maps_ = self._features.maps
        self._worded(lambda: self._features.make(X[:1]))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The features of these rows.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
        """
        check_is_fitted(self)
        X = self._numbers(X, reset=False)
        return self._worded(lambda: self._features.make(X))

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> np.ndarray:
        """Names of the features, as the model's coefficients have them.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names in place of x1, x2, ..., where X had none.
        """
        check_is_fitted(self)
        names = self._features.names
        if input_features is not None:
            given = _check_feature_names_in(self, input_features)
            if not hasattr(self, "feature_names_in_"):
                names = [re.sub(r"\bx(\d+)\b", lambda found: given[int(found[1]) - 1], name) for name in names]
        return np.array(names, dtype=object)

    def _numbers(self, X, reset):
        if has_categories(X):
            raise ValueError(
                "FeatureMap makes features of numbers, and X has columns of categories; leave them to "
                "OneHotEncoder in a ColumnTransformer, or give an estimator that takes them feature_map=FeatureMap(...)"
            )
        try:
            return array_or_parts(validate_data(self, X, reset=reset, **CHECKS | {"accept_sparse": False}))
        except ValueError as error:
            place = place_of_text(X) if "could not convert string to float" in str(error) else None
            raise (error if place is None else ValueError(f"{error}\n{place} is not a number.")) from None

    def _worded(self, work):
        try:
            return work()
        except DataError as error:
            raise reworded(error, self) from None

    def _learned(self, X, sample_weight, names, options):
        try:
            return _core.learn_features(X, sample_weight, names, options)
        except DataError as error:
            if len(X) > 1:
                raise
            raise DataError(error.where, f"{error.what}, as there is one sample", error.advice) from None
        except UsageError as error:
            if names or "has no column" not in error.what:
                raise
            raise UsageError(
                error.where, error.what, "columns of an array are x1, x2, ...; those of a frame have its names"
            ) from None

    def _asked_of(self, options):
        """The library's options that ask for these maps."""
        if not isinstance(self.poly, Integral) or isinstance(self.poly, bool) or not 1 <= self.poly <= 100:
            raise ValueError(
                f"The 'poly' parameter of FeatureMap must be an int in the range [1, 100]. Got {self.poly!r} instead."
            )
        if self.poly_terms not in ("all", "powers", "interactions"):
            raise ValueError(
                "The 'poly_terms' parameter of FeatureMap must be a str among {'all', 'powers', 'interactions'}. "
                f"Got {self.poly_terms!r} instead."
            )
        options.poly, options.poly_terms = int(self.poly), self.poly_terms
        options.basis, options.feature = self._texts("basis"), self._texts("feature")

    def _texts(self, word):
        given = getattr(self, word)
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, (list, tuple, np.ndarray)) or not all(isinstance(text, str) for text in texts):
            raise ValueError(
                f"The {word!r} parameter of FeatureMap must be a list of maps, each a str such as 'log(area)'. "
                f"Got {given!r} instead."
            )
        return [str(text) for text in texts]


def asked_of(options, estimator):
    """The maps of an estimator's ``feature_map``, into the options of its fit."""
    maps = getattr(estimator, "feature_map", None)
    if maps is None:
        return
    if not isinstance(maps, FeatureMap):
        raise ValueError(
            f"The 'feature_map' parameter of {type(estimator).__name__} must be a recta.preprocessing.FeatureMap or None. "
            f"Got {maps!r} instead."
        )
    maps._asked_of(options)


def feature_map_of(model):
    """The way back, from a model's file: a map stands in place of columns that are not features by themselves."""
    basis = [text for text, in_place in model.maps if in_place]
    return FeatureMap(basis=basis, feature=[text for text, in_place in model.maps if not in_place])
