"""Models made of others, as scikit-learn combines them, which keep the proofs of their parts."""

from __future__ import annotations

from typing import Any

from recta._fitted.certificate import Certificate


class Parts:
    """The certificates of the parts that a combined estimator is made of."""

    estimators_: list[Any]

    @property
    def certificates_(self) -> list[Certificate | None]:
        """The certificate of every part; None for a part that has none, as a constant stands where all rows have one label."""
        return [getattr(part, "certificate_", None) for part in self.estimators_]

    @property
    def proved_(self) -> str:
        """How many of the parts are proved, in words."""
        verdicts = [None if one is None else one.verdict for one in self.certificates_]
        text = f"{verdicts.count('proved')} of {len(verdicts)} parts proved"
        return text + (f"; {verdicts.count(None)} without a proof" if None in verdicts else "")
