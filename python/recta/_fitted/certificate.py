"""The proof that comes with every answer."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from recta import _core
from recta._data.input import array_or_parts, with_offset
from recta._data.rows import Rows

NO_OPTIMUM = "no_optimum"
UNFINISHED = ("stopped_early", NO_OPTIMUM)  # what a fit warns of


def verdict_of(core):
    """A proof that the objective has no optimum is not the proof of an answer."""
    no_optimum = core.claim == "no_finite_maximum" and core.verdict == "proved"
    return NO_OPTIMUM if no_optimum else core.verdict


class Certificate:
    """What a fit claims about its answer, and what an independent recomputation found.

    Attributes
    ----------
    claim : str
        Which kind of statement it is: ``exact_optimum``, ``duality_gap``, ``kkt_residual``.
    verdict : str
        ``proved``, ``within_tolerance``, ``stopped_early`` or ``refuted``; ``no_optimum`` if it is proved that there is none, as for a
        likelihood without a finite maximum.
    primal, dual, gap : float
        The objective at the answer, a number that no answer can go below, and their distance.
    tolerance : float
        The tolerance requested, in units of the objective of the best constant (``null_objective``).
    conditions : list of str
        What else is true of the answer: "rank 12 of 13".
    sentence : str
        All of it in one line, the same in every front end.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import LinearRegression
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> certificate = LinearRegression().fit(X, y).certificate_
    >>> certificate.claim, certificate.verdict
    ('exact_optimum', 'proved')
    >>> certificate.primal - certificate.dual == certificate.gap or certificate.gap < 1e-15
    True
    >>> certificate.verify(X, y).verdict
    'proved'
    """

    def __init__(self, core, model, labels=None):
        self._core, self._model, self._labels = core, model, labels

    @property
    def claim(self) -> str:
        """Which kind of statement it is."""
        return self._core.claim

    @property
    def verdict(self) -> str:
        """Proved, within_tolerance, stopped_early or refuted; no_optimum if it is proved that there is none."""
        return verdict_of(self._core)

    @property
    def primal(self) -> float:
        """The objective at the answer."""
        return self._core.objective

    @property
    def objective(self) -> float:
        """The same as primal."""
        return self._core.objective

    @property
    def dual(self) -> float:
        """A number that no answer can go below."""
        return self._core.dual

    @property
    def gap(self) -> float:
        """How far the answer is above the optimum at most."""
        return self._core.gap

    @property
    def null_objective(self) -> float:
        """The objective of the best constant."""
        return self._core.null_objective

    @property
    def tolerance(self) -> float:
        """The tolerance requested, in units of the null objective."""
        return self._core.tolerance

    @property
    def slack(self) -> float:
        """Bound on the rounding of the check itself."""
        return self._core.slack

    @property
    def passes(self) -> int:
        """Over the rows, the check included."""
        return self._core.passes

    @property
    def stop(self) -> str:
        """Why the solver stopped."""
        return self._core.stop

    @property
    def conditions(self) -> list[str]:
        """What else is true of the answer."""
        return self._core.conditions

    @property
    def details(self) -> dict[str, Any]:
        """The numbers of the claim, by name."""
        return self._core.details

    @property
    def sentence(self) -> str:
        """All of it in one line."""
        return self._core.sentence

    def verify(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> Certificate:
        """The proof again, from the model and its training rows alone.

        Other rows than those of training raise ``recta.DataError``; a claim that does not hold has the verdict
        ``refuted``.
        """
        if hasattr(self._labels, "as_fitted"):
            X, y, sample_weight = self._labels.as_fitted(X, y, sample_weight)
        elif self._labels is not None:
            y, sample_weight = self._labels.rows(y, sample_weight)
        rows = Rows(X, y, sample_weight, offset)

        def proof(model, y):
            if rows.is_table:
                return _core.verify_table(
                    model, with_offset(rows.table(model.targets, y)[0], rows.offset, model.offset)
                )
            return _core.verify(model, rows.x, array_or_parts(y), rows.weights, rows.offset)

        joined = hasattr(self._model, "verified")
        proved = self._model.verified(proof, rows.y) if joined else proof(self._model, rows.y)
        return Certificate(proved, self._model, self._labels)

    def __repr__(self):
        return f"<Certificate: {self.sentence}>"

    def __str__(self):
        return self.sentence

    def __reduce__(self):
        return _of_model, (self._model, self._labels)


def _of_model(model, labels=None):
    return Certificate(model.certificate, model, labels)
