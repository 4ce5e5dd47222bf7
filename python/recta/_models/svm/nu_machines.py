"""Support vector machines that are given the share of rows beyond their margin or tube."""

from __future__ import annotations

from typing import Any

from recta._base.declared import estimator, learned, left_out, parameter

from .kernel_machines import SVC, SVR


@estimator("recta.svm")
class NuSVC(SVC):
    """Support vector machine for classes that is given the share of rows short of its margin, as ``sklearn.svm.NuSVC``, with a proof.

    It minimises over w, b and rho, where the weights ``s_i`` of the rows add up to 1, for two classes y = -1 and 1::

        1/2 |w|^2 - nu rho + sum_i s_i max(0, rho - y_i g(x_i)),    g(x) = <w, phi(x)> + b

    and answers with f = g / rho, the machine of :class:`SVC` with C = 1 / (rho n). At most the share nu of the rows is short of
    the margin, and at least this share are support vectors. More classes have a machine for every pair.

    Examples
    --------
    >>> from recta.svm import NuSVC
    >>> model = NuSVC(nu=0.4, kernel="linear").fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.certificate_.verdict
    ([[2.0]], [-5.0], 'proved')
    """

    nu: float = parameter(
        default=0.5,
        low=0.0,
        high=1.0,
        above=True,
        word="nu",
        doc="In (0, 1]; at most twice the share of the smaller class. A larger one is refused with that number; "
        "with more than two classes a pair has the largest nu that its own allow, and the certificate says "
        "how many do.",
    )
    class_weight: dict[Any, float] | str | None = parameter(
        default=None,
        doc="Multiplies the losses of a class's rows, at the C that nu means without these weights; "
        "scikit-learn's class takes them and does not use them.",
    )
    C: Any = left_out()
    approximate: Any = left_out()

    _word = "nu-svm"


@estimator("recta.svm")
class NuSVR(SVR):
    """Support vector regression that is given the share of rows outside its tube, as ``sklearn.svm.NuSVR``, with a proof.

        It minimises over w, b and epsilon, where ``v_i`` is the weight of row i (1 if omitted)::

            C sum_i v_i (nu epsilon + max(0, |y_i - f(x_i)| - epsilon)) + 1/2 |w|^2,    f(x) = <w, phi(x)> + b

        At most the share nu of the rows is outside the tube, and at least this share are support vectors.

        Attributes
        ----------
        epsilon_ : float
            Half the width of the tube that was found.
    <vectors>

        Examples
        --------
        >>> from recta.svm import NuSVR
        >>> model = NuSVR(kernel="linear", nu=0.5, C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.5, 2.5, 4.0])
        >>> model.predict([[4.0]]).round(6).tolist(), round(model.epsilon_, 6), model.certificate_.verdict
        ([5.125], 0.125, 'proved')
    """

    nu: float = parameter(default=0.5, low=0.0, high=1.0, above=True, word="nu", doc="In (0, 1].")
    epsilon: Any = left_out()
    approximate: Any = left_out()

    _word = "nu-svr"
    epsilon_: float = learned()

    def _params(self):
        return self._kernel() if hasattr(self, "n_features_in_") else {}

    def _learned(self, model, shape):
        super()._learned(model, shape)
        self.epsilon_ = model.report["figures"]["epsilon"]

    @classmethod
    def _params_of(cls, model):
        return cls._kernel_of(model)
