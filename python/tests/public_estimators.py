"""Every estimator that a user can import, by module and name."""

import importlib
import inspect

MODULES = (
    "calibration",
    "cluster",
    "decomposition",
    "discriminant_analysis",
    "dummy",
    "feature_extraction.graph",
    "feature_extraction.text",
    "feature_selection",
    "kernel_approximation",
    "kernel_ridge",
    "kernels",
    "linear_model",
    "multiclass",
    "multioutput",
    "naive_bayes",
    "neighbors",
    "preprocessing",
    "svm",
)
CLASSES = {
    f"{module}.{name}": getattr(importlib.import_module(f"recta.{module}"), name)
    for module in MODULES
    for name in importlib.import_module(f"recta.{module}").__all__
    if inspect.isclass(getattr(importlib.import_module(f"recta.{module}"), name))
}
