"""Imported first by the modules that need scikit-learn, so that its absence is said in a sentence; and its classes that are bases of Recta's."""

from typing import Any

MYPY = False
if MYPY:  # which does not know scikit-learn: a class with a base of any type would take any argument

    class BaseEstimator:
        def __getattr__(self, name: str) -> Any: ...

    class ClassifierMixin(BaseEstimator): ...

    class ClassNamePrefixFeaturesOutMixin(BaseEstimator): ...

    class ClusterMixin(BaseEstimator): ...

    class MultiOutputMixin(BaseEstimator): ...

    class OutlierMixin(BaseEstimator): ...

    class RegressorMixin(BaseEstimator): ...

    class TransformerMixin(BaseEstimator): ...

else:
    try:
        import sklearn  # noqa: F401
        from sklearn.base import (
            BaseEstimator,
            ClassifierMixin,
            ClassNamePrefixFeaturesOutMixin,
            ClusterMixin,
            MultiOutputMixin,
            OutlierMixin,
            RegressorMixin,
            TransformerMixin,
        )
    except ModuleNotFoundError as missing:
        if missing.name != "sklearn":
            raise
        raise ModuleNotFoundError(
            "Recta's estimators and transformers need scikit-learn, which is not installed: pip install scikit-learn",
            name="sklearn",
        ) from None

__all__ = [
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "ClusterMixin",
    "MultiOutputMixin",
    "OutlierMixin",
    "RegressorMixin",
    "TransformerMixin",
]
