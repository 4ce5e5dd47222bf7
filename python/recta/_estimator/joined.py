"""Several models as one: one penalty per target is one objective per penalty, each solved and proved by itself.

What stands here answers as the extension's Model does, for all targets in their order.
"""

import numpy as np

from recta import _core
from recta._fitted.certificate import NO_OPTIMUM, verdict_of

WORST = ("proved", "within_tolerance", "stopped_early", NO_OPTIMUM, "refuted")


def _sum(name):
    return property(lambda self: sum(getattr(part, name) for part in self.parts))


def _first(name):
    return property(lambda self: getattr(self.parts[0], name))


class JoinedCertificate:
    """The objectives are added up, and so are the distances to their optima."""

    def __init__(self, parts, targets):
        self.parts, self.targets = parts, targets

    objective, dual, gap = _sum("objective"), _sum("dual"), _sum("gap")
    null_objective, slack, passes = _sum("null_objective"), _sum("slack"), _sum("passes")
    tolerance, stop = _first("tolerance"), _first("stop")

    @property
    def claim(self):
        return ", ".join(dict.fromkeys(part.claim for part in self.parts))

    @property
    def verdict(self):
        return max(map(verdict_of, self.parts), key=WORST.index)

    @property
    def conditions(self):
        return [
            f"{', '.join(names)}: {text}" for part, names in zip(self.parts, self.targets) for text in part.conditions
        ]

    @property
    def details(self):
        return {"parts": [part.details for part in self.parts]}

    @property
    def sentence(self):
        return "\n".join(f"{', '.join(names)}: {part.sentence}" for part, names in zip(self.parts, self.targets))


class JoinedModel:
    """``places[k]`` are the targets of the whole that ``parts[k]`` predicts."""

    def __init__(self, parts, places):
        self.parts, self.places = parts, places
        self._order = np.argsort(np.concatenate(places), kind="stable")
        self._part_of = {int(target): (part, i) for part, place in zip(parts, places) for i, target in enumerate(place)}

    classes, offset = _first("classes"), _first("offset")
    word, objective, feature_names, columns = (
        _first("word"),
        _first("objective"),
        _first("feature_names"),
        _first("columns"),
    )
    has_intercept, takes_arrays = _first("has_intercept"), _first("takes_arrays")
    categories = _first("categories")
    rows, weight_sum = _first("rows"), _first("weight_sum")
    rank, singular, aliased = _first("rank"), _first("singular"), _first("aliased")
    errors, solver = _first("errors"), _first("solver")

    @property
    def targets(self):
        return [f"y{k + 1}" for k in range(len(self._order))]

    @property
    def coefficients(self):
        return np.vstack([part.coefficients for part in self.parts])[self._order]

    @property
    def intercepts(self):
        return np.concatenate([part.intercepts for part in self.parts])[self._order]

    @property
    def certificate(self):
        return self._certificates([part.certificate for part in self.parts])

    def holds(self, coefficients, intercepts):
        """As the extension's, of all targets."""
        if not hasattr(coefficients, "dtype") or np.size(coefficients) != self.coefficients.size:
            return False
        own, b = (
            self.coefficients.astype(coefficients.dtype),
            self.intercepts.astype(getattr(intercepts, "dtype", np.float64)),
        )
        return (
            bool((own.ravel() == np.ravel(coefficients)).all())
            and np.size(intercepts) in (1, len(b))
            and bool((b == intercepts).all())
        )

    def changed(self, coefficients, intercepts):
        w = coefficients.reshape(len(self._order), -1)
        return JoinedModel(
            [
                part.changed(np.ascontiguousarray(w[place]).ravel(), np.ascontiguousarray(intercepts[place]))
                for part, place in zip(self.parts, self.places)
            ],
            self.places,
        )

    def verified(self, proof, y):
        """Every part proved again, by ``proof(model, y)``."""
        return self._certificates(
            [proof(part, np.ascontiguousarray(y[:, place])) for part, place in zip(self.parts, self.places)]
        )

    def _certificates(self, certificates):
        return JoinedCertificate(certificates, [[f"y{k + 1}" for k in place] for place in self.places])

    def predict(self, x, threads=0, offset=None):
        return np.hstack([part.predict(x, threads, offset=offset) for part in self.parts])[:, self._order]

    def predict_table(self, table, threads=0):
        return np.hstack([part.predict_table(table, threads) for part in self.parts])[:, self._order]

    def fast_predictor(self):
        parts, order = [part.fast_predictor() for part in self.parts], self._order

        def fast_predictor(x):
            return np.hstack([part(x) for part in parts])[..., order]

        return fast_predictor

    def table(self, target=0):
        part, i = self._part_of[target]
        return part.table(i)

    @property
    def objective_with_strengths(self):
        heads, _, strengths = zip(
            *(self._part_of[k][0].objective_with_strengths.rpartition(" = ") for k in range(len(self._order)))
        )
        return f"{heads[0]} = {', '.join(strengths)}"

    def document(self, title="", diagnosis=None):
        names = (f"{title} {', '.join(names)}".strip() for names in self.certificate.targets)
        return _core.joined([(name, part.document()) for name, part in zip(names, self.parts)])

    def quality(self, target=0):
        part, i = self._part_of[target]
        return part.quality(i)

    def save(self, path):
        raise ValueError(
            f"{path} was not written: a .recta file holds one objective, and one penalty per target makes "
            f"{len(self.parts)}; fit one estimator per penalty and save each, or pickle this one"
        )


class JoinedOutcome:
    """What the fits gave, in the order they were made; the first exception ends them."""

    def __init__(self, outcomes, places):
        self.model = JoinedModel([outcome.model for outcome in outcomes], places)
        self.trace = [step for outcome in outcomes for step in outcome.trace]
        self.raised = next((outcome.raised for outcome in outcomes if outcome.raised is not None), None)


def solved(fit, options, params, shape):
    """What ``fit(some)`` gives for all targets, where ``some`` are the places of some of them."""
    penalties = params.get("tau")
    if not isinstance(penalties, np.ndarray):
        return _solved_one(fit, options, params)
    targets = 1 if len(shape) == 1 else shape[1]
    if len(penalties) not in (1, targets):
        raise ValueError(f"Number of targets and number of penalties do not correspond: {len(penalties)} != {targets}")
    distinct = np.unique(penalties)
    if len(distinct) == 1:
        return _solved_one(fit, options, params | {"tau": float(distinct[0])})
    return _solved_each(fit, options, params, [(tau, np.flatnonzero(penalties == tau)) for tau in distinct])


def _solved_each(fit, options, params, tasks):
    """One fit a penalty. An exception leaves nothing to keep until the last of them has an answer."""
    outcomes = []
    for tau, place in tasks:
        if outcomes and outcomes[-1].raised is not None:
            raise outcomes[-1].raised
        outcomes.append(_solved_one(lambda place=place: fit(place), options, params | {"tau": float(tau)}))
    return JoinedOutcome(outcomes, [place for _, place in tasks])


def _solved_one(fit, options, params):
    """If several answers are optimal, scikit-learn's is the one of least norm; which columns depend is known after the fit."""
    options.params = params
    outcome = fit()
    several = any(equals for _, equals in outcome.model.aliased)
    closed_form = outcome.model.word in ("linear", "ridge", "ridge-classifier")
    if several and closed_form and params.get("solver", "auto") == "auto" and outcome.raised is None:
        options.params = params | {"solver": "svd"}
        outcome = fit()
    return outcome
