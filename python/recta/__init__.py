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

from . import _core, datasets
from ._certificate import Certificate
from ._diagnosis import Comparison, Diagnosis, compare, diagnose
from ._errors import CertificateError, DataError, Error, MachineError, ModelFileError, OutOfMemory, Stopped, UsageError
from ._foreign import ForeignProof, save_as, verify
from ._model import Model, load
from ._separability import Separability, separability
from ._table import Checkup, Table, check, read
from ._trace import Trace, trace

__version__ = _core.version()
__all__ = [
    "Certificate", "CertificateError", "Checkup", "Comparison", "DataError", "Diagnosis", "Error", "ForeignProof", "MachineError", "Model", "ModelFileError",
    "OutOfMemory", "Separability", "Stopped", "Table", "Trace", "UsageError", "check", "compare", "datasets", "diagnose", "load", "read", "save_as", "separability", "trace", "verify", "__version__",
]
