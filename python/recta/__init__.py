"""Recta: linear models with proofs.

``import recta`` is light: tables (:func:`read`), models (:func:`load`), the data doctor (:func:`check`), what a fit rests on
(:func:`diagnose`, :func:`compare`), descents step by step (:func:`trace`), whether a hyperplane separates two classes
(:func:`separability`), how far a model of scikit-learn, libsvm or liblinear is from its optimum (:func:`verify`) and :mod:`recta.datasets`. Estimators are in :mod:`recta.linear_model` and :mod:`recta.svm`, which
import scikit-learn.

>>> import recta
>>> from recta.linear_model import LinearRegression
>>> X, y = recta.datasets.load("housing", return_X_y=True)
>>> LinearRegression().fit(X, y).certificate_.verdict
'proved'
"""

from recta import _core, datasets
from recta._base.errors import (
    CertificateError,
    DataError,
    Error,
    MachineError,
    ModelFileError,
    OutOfMemory,
    Stopped,
    UsageError,
)
from recta._data.table import Checkup, Table, check, read
from recta._fitted.certificate import Certificate
from recta._fitted.diagnosis import Comparison, Diagnosis, compare, diagnose
from recta._fitted.model import Model, load
from recta._fitted.separability import Separability, separability
from recta._fitted.trace import Trace, trace
from recta._models.foreign import ForeignProof, save_as, verify

__version__ = _core.version()
__all__ = [
    "Certificate",
    "CertificateError",
    "Checkup",
    "Comparison",
    "DataError",
    "Diagnosis",
    "Error",
    "ForeignProof",
    "MachineError",
    "Model",
    "ModelFileError",
    "OutOfMemory",
    "Separability",
    "Stopped",
    "Table",
    "Trace",
    "UsageError",
    "check",
    "compare",
    "datasets",
    "diagnose",
    "load",
    "read",
    "save_as",
    "separability",
    "trace",
    "verify",
    "__version__",
]
