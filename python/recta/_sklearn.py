"""Imported first by the modules that need scikit-learn, so that its absence is said in a sentence."""

try:
    import sklearn
except ModuleNotFoundError as missing:
    if missing.name != "sklearn":
        raise
    raise ModuleNotFoundError("Recta's estimators and transformers need scikit-learn, which is not installed: pip install scikit-learn",
                              name="sklearn") from None
