"""Least squares with penalties on lengths of groups of coefficients: of columns, or of one feature over several targets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from recta._base.declared import estimator, left_out, parameter
from recta._estimator import parameters

from .net import ElasticNet


@estimator("recta.linear_model")
class GroupLasso(ElasticNet):
    """Least squares with a penalty on the length of each group of coefficients, so that whole groups are zero, with a proof.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted) and ``V`` the sum of the weights::

        1/(2 V) sum_i v_i (y_i - z_i)^2 + alpha l1_ratio sum_g f_g ||w_g|| + alpha (1 - l1_ratio) / 2 ||w||^2,
        z_i = <w, x_i> + b

    With several targets each is a problem of its own.

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import GroupLasso
    >>> from recta.preprocessing import StandardScaler
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = GroupLasso(alpha=0.8, groups=[[8, 9], [5, 12]]).fit(StandardScaler().fit_transform(X), y)
    >>> model.coef_[[8, 9]].tolist(), model.certificate_.verdict
    ([0.0, 0.0], 'proved')
    """

    alpha: float = parameter(
        default=1.0, low=0.0, kw_only=False, doc="The penalty beside the mean loss; the intercept is not penalised."
    )
    groups: Sequence[Sequence[int | str]] | int | None = parameter(
        default=None,
        word="groups",
        type="list of lists of columns, or int",
        doc="Columns by position, or by name where X has names; a number: each run of this many consecutive columns is "
        "a group. A column in no group is one by itself, with all its levels where it is a category.",
    )
    group_factors: Sequence[float] | None = parameter(
        default=None,
        low=0.0,
        above=True,
        word="group-factors",
        type="list of float",
        doc="One per group, f_g above; None: the square root of its size.",
    )
    l1_ratio: float = parameter(
        default=1.0, low=0.0, high=1.0, doc="Share of the penalty on the lengths; what is left is on half the squares."
    )
    precompute: Any = left_out()
    max_iter: Any = left_out()
    copy_X: Any = left_out()
    tol: Any = left_out()
    warm_start: Any = left_out()
    positive: Any = left_out()
    random_state: Any = left_out()
    selection: Any = left_out()
    penalty_factors: Any = left_out()
    lower: Any = left_out()
    upper: Any = left_out()
    psi: Any = left_out()

    _word = "group-lasso"
    _by_column = ()

    @property
    def path(self) -> None:  # type: ignore[override]
        """None: the paths of several penalties are of features, not of groups."""
        raise AttributeError("GroupLasso has no path; fit it with each alpha")

    def _params(self):
        return _strengths(self, self.l1_ratio)

    def _solved(self, fit, options, params, shape):
        groups = self._positions()
        text = ";".join(map(_numbers, groups))
        factors = ",".join(map(repr, self._factors(len(groups))))
        return super()._solved(fit, options, params | {"groups": text, "group-factors": factors}, shape)

    def _positions(self):
        """Lists of columns, each counted from 0."""
        columns = self.n_features_in_
        if self.groups is None:
            return []
        if isinstance(self.groups, Integral) and not isinstance(self.groups, bool) and self.groups > 0:
            return [range(j, min(j + int(self.groups), columns)) for j in range(0, columns, int(self.groups))]
        if isinstance(self.groups, (bool, str, Integral)) or not all(
            np.iterable(group) and not isinstance(group, str) for group in self.groups
        ):
            raise ValueError(
                f"The 'groups' parameter of GroupLasso must be a list of lists of columns, or a number above 0. "
                f"Got {self.groups!r} instead."
            )
        seen = {}
        for g, group in enumerate(self.groups):
            for j in map(self._position, group):
                if j in seen:
                    raise ValueError(
                        f"GroupLasso(groups=...): column {j} is in groups {seen[j]} and {g}; a column belongs to one group"
                    )
                seen[j] = g
        groups = [[self._position(column) for column in group] for group in self.groups]
        if not all(groups):
            raise ValueError("GroupLasso(groups=...): a group is empty; every group has columns")
        return groups

    def _position(self, column):
        names = list(getattr(self, "feature_names_in_", []))
        if isinstance(column, str):
            if column in names:
                return names.index(column)
            raise ValueError(
                f"GroupLasso(groups=...): there is no column {column!r}; "
                f"{'the columns are ' + ', '.join(names[:10]) if names else 'X has no names, give positions'}"
            )
        if not isinstance(column, Integral) or isinstance(column, bool) or not 0 <= column < self.n_features_in_:
            raise ValueError(
                f"GroupLasso(groups=...): there is no column {column!r}; X has columns 0 to {self.n_features_in_ - 1}"
            )
        return int(column)

    def _factors(self, groups):
        if self.group_factors is None:
            return []
        factors = [parameters.number(self, "group_factors", value=each) for each in self.group_factors]
        if len(factors) != groups:
            raise ValueError(f"GroupLasso(group_factors=...): there are {len(factors)} factors and {groups} groups")
        return factors

    @classmethod
    def _params_of(cls, model):
        base = super(ElasticNet, cls)._params_of(model)
        alpha, share = _alpha_of(model)
        params = model.params
        groups = [
            [column for name in group.split(",") for column in _columns_of(name)]
            for group in params["groups"].split(";")
            if group
        ]
        factors = [float(factor) for factor in params["group-factors"].split(",") if factor]
        return base | {"alpha": alpha, "l1_ratio": share, "groups": groups or None, "group_factors": factors or None}


def _numbers(group):
    """Columns as the library counts them, from 1, in runs: #1-3,#7."""
    runs = []
    for j in sorted(group):
        if runs and runs[-1][1] == j - 1:
            runs[-1][1] = j
        else:
            runs.append([j, j])
    return ",".join(f"#{a + 1}" if a == b else f"#{a + 1}-{b + 1}" for a, b in runs)


def _columns_of(name):
    """The way back; a name that someone gave on the command line stays one."""
    found = re.fullmatch(r"#(\d+)(?:-(\d+))?", name)
    return list(range(int(found[1]) - 1, int(found[2] or found[1]))) if found else [name.strip('"')]


def _strengths(estimator, l1_ratio):
    alpha = parameters.number(estimator, "alpha")
    share = parameters.number(estimator, "l1_ratio", value=l1_ratio)
    return {"lambda1": alpha * share, "lambda2": alpha * (1 - share)}


def _alpha_of(model):
    alpha = model.lambda1 + model.lambda2
    return alpha, model.lambda1 / alpha if alpha else 1.0


@estimator("recta.linear_model")
class MultiTaskElasticNet(ElasticNet):
    """The multi-task lasso with a second penalty, as ``sklearn.linear_model.MultiTaskElasticNet``, with a proof.

    A feature's coefficients over all targets are penalised by their length and by its square: it serves all or none.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted), ``V`` the sum of the weights, and ``w_j`` the
    coefficients of feature j for all targets t::

        1/(2 V) sum_it v_i (y_it - z_it)^2 + alpha l1_ratio sum_j ||w_j|| + alpha (1 - l1_ratio) / 2 sum_j ||w_j||^2,
        z_it = <w_t, x_i> + b_t

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import MultiTaskElasticNet
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = MultiTaskElasticNet(alpha=1.0, l1_ratio=0.7).fit(X[:, :-1], [[a, b] for a, b in zip(y, X[:, -1])])
    >>> model.coef_.shape, model.certificate_.verdict
    ((2, 12), 'proved')
    """

    alpha: float = parameter(
        default=1.0,
        low=0.0,
        kw_only=False,
        doc="The penalty beside the mean loss, as in scikit-learn; the intercepts are not penalised.",
    )
    l1_ratio: float = parameter(
        default=0.5,
        low=0.0,
        high=1.0,
        doc="Share of the penalty on the lengths: 0 is ridge, 1 is the multi-task lasso.",
    )
    precompute: Any = left_out()
    positive: Any = left_out()
    penalty_factors: Any = left_out()
    lower: Any = left_out()
    upper: Any = left_out()
    psi: Any = left_out()

    _word = "multi-task-elastic-net"
    _one_column_is_flat = False
    _by_column = ()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = False
        return tags

    def _params(self):
        return _strengths(self, self.l1_ratio)

    def _solved(self, fit, options, params, shape):
        if len(shape) == 1:
            raise ValueError(
                f"For mono-task outputs, use {'Lasso' if isinstance(self, MultiTaskLasso) else 'ElasticNet'}"
            )
        return super()._solved(fit, options, params, shape)

    def _learned(self, model, shape):
        super()._learned(model, shape if len(shape) == 2 else (shape[0], 1))
        self.n_iter_, self.dual_gap_ = model.certificate.passes, model.certificate.gap  # of all targets together

    @classmethod
    def _params_of(cls, model):
        alpha, share = _alpha_of(model)
        return super(ElasticNet, cls)._params_of(model) | {"alpha": alpha, "l1_ratio": share}


@estimator("recta.linear_model")
class MultiTaskLasso(MultiTaskElasticNet):
    """Several targets that share their features, as ``sklearn.linear_model.MultiTaskLasso``, with a proof.

    A feature's coefficients over all targets are penalised by their length, so that it serves all or none.

    It minimises, where ``v_i`` is the weight of row i (1 if omitted), ``V`` the sum of the weights, and ``w_j`` the
    coefficients of feature j for all targets t::

        1/(2 V) sum_it v_i (y_it - z_it)^2 + alpha sum_j ||w_j||,    z_it = <w_t, x_i> + b_t

    Examples
    --------
    >>> import recta
    >>> from recta.linear_model import MultiTaskLasso
    >>> X, y = recta.datasets.load("housing", return_X_y=True)
    >>> model = MultiTaskLasso(alpha=20.0).fit(X[:, :-1], [[a, b] for a, b in zip(y, X[:, -1])])
    >>> int((model.coef_ != 0).all(axis=0).sum()), model.certificate_.verdict
    (4, 'proved')
    """

    l1_ratio: Any = left_out()

    _word = "multi-task-lasso"

    def _params(self):
        return {"lambda1": parameters.number(self, "alpha")}

    @classmethod
    def _params_of(cls, model):
        params = super()._params_of(model)
        return {name: value for name, value in params.items() if name != "l1_ratio"}
