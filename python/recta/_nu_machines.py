"""Support vector machines that are given the share of rows beyond their margin or tube."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._attributes import keep_parameters
from ._kernel_machines import SVC, SVR
from ._machine import machine_documented

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._core import Step


@machine_documented
class NuSVC(SVC):
    """Support vector machine for classes that is given the share of rows short of its margin, as ``sklearn.svm.NuSVC``, with a proof.

    It minimises over w, b and rho, where the weights ``s_i`` of the rows add up to 1, for two classes y = -1 and 1::

        1/2 |w|^2 - nu rho + sum_i s_i max(0, rho - y_i g(x_i)),    g(x) = <w, phi(x)> + b

    and answers with f = g / rho, the machine of :class:`SVC` with C = 1 / (rho n). At most the share nu of the rows is short of
    the margin, and at least this share are support vectors. More classes have a machine for every pair.

    Parameters
    ----------
    nu : float, default=0.5
        In (0, 1]; at most twice the share of the smaller class. A larger one is refused with that number; with more than two classes
        a pair has the largest nu that its own allow, and the certificate says how many do.
    <kernel>
    <search>
    <cache>
    class_weight : dict or 'balanced', default=None
        Multiplies the losses of a class's rows, at the C that nu means without these weights; scikit-learn's class takes them and
        does not use them.
    <scores>
    <threads>%s    <vectors of classes>

    Examples
    --------
    >>> from recta.svm import NuSVC
    >>> model = NuSVC(nu=0.4, kernel="linear").fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.certificate_.verdict
    ([[2.0]], [-5.0], 'proved')
    """

    _module = "recta.svm"
    _word = "nu-svm"

    def __init__(self, *, nu: float = 0.5, kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf", degree: int = 3, gamma: float | str = "scale", coef0: float = 0.0, shrinking: bool = True,
                 probability: Any = "deprecated", tol: float = 1e-3, cache_size: float = 200, class_weight: dict[Any, float] | str | None = None,
                 verbose: int | Callable[[Step], object] = False, max_iter: int = -1, decision_function_shape: str = "ovr", break_ties: bool = False,
                 random_state: Any = None, n_jobs: int | None = None, tolerance: float = 1e-8, time_limit: float | None = None, confidence: float = 0.95,
                 weights_are: str = "precision", unseen: str = "refuse") -> None:
        keep_parameters(self, locals())


@machine_documented
class NuSVR(SVR):
    """Support vector regression that is given the share of rows outside its tube, as ``sklearn.svm.NuSVR``, with a proof.

    It minimises over w, b and epsilon, where ``v_i`` is the weight of row i (1 if omitted)::

        C sum_i v_i (nu epsilon + max(0, |y_i - f(x_i)| - epsilon)) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b

    At most the share nu of the rows is outside the tube, and at least this share are support vectors.

    Parameters
    ----------
    nu : float, default=0.5
        In (0, 1].
    C : float, default=1.0
        Cost of errors beyond the tube.
    <kernel>
    shrinking, tol, max_iter
        Without effect: the search ends when the answer is proved to ``tolerance``.
    <cache>
    <threads>%s    epsilon_ : float
        Half the width of the tube that was found.
<vectors>

    Examples
    --------
    >>> from recta.svm import NuSVR
    >>> model = NuSVR(kernel="linear", nu=0.5, C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.5, 2.5, 4.0])
    >>> model.predict([[4.0]]).round(6).tolist(), round(model.epsilon_, 6), model.certificate_.verdict
    ([5.125], 0.125, 'proved')
    """

    _module = "recta.svm"
    _word = "nu-svr"
    epsilon_: float

    def __init__(self, *, nu: float = 0.5, C: float = 1.0, kernel: str | Callable[[np.ndarray, np.ndarray], Any] = "rbf", degree: int = 3, gamma: float | str = "scale", coef0: float = 0.0,
                 shrinking: bool = True, tol: float = 1e-3, cache_size: float = 200, verbose: int | Callable[[Step], object] = False, max_iter: int = -1,
                 n_jobs: int | None = None, tolerance: float = 1e-8, time_limit: float | None = None, confidence: float = 0.95, weights_are: str = "precision",
                 unseen: str = "refuse") -> None:
        keep_parameters(self, locals())

    def _params(self):
        return self._kernel() if hasattr(self, "n_features_in_") else {}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.epsilon_ = model.report["figures"]["epsilon"]

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model)
