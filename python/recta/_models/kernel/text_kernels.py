"""Kernels of strings and graphs: their matrices, and as a step before a model with ``kernel="precomputed"``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from recta import _core
from recta._base.declared import estimator, parameter
from recta._base.scikit_learn import BaseEstimator, TransformerMixin
from recta._estimator.shared import THREADS

STRINGS = ("spectrum", "blended", "mismatch", "subsequence")
GRAPHS = ("wl", "shortest-path", "random-walk", "diffusion")


def _check_graph(graph):
    if not (hasattr(graph, "nodes") and hasattr(graph, "edges")):
        raise ValueError(
            f"a {type(graph).__name__} is not a graph: give a text such as 'a-b;b-c', a pathlib.Path or a NetworkX graph"
        )
    if getattr(graph, "is_directed", lambda: False)():
        raise ValueError(
            "the graph is directed, and kernels of graphs have edges without a direction: give graph.to_undirected()"
        )


def graph_text(graph: Any, label: str = "label") -> str:
    """A NetworkX graph, or the ``pathlib.Path`` of a file of edges, as Recta writes graphs: ``a-b;b-c;d;a:C``.

    Nodes of a NetworkX graph are numbered; ``label`` is the node attribute that labels them. A text is taken as it is.

    Examples
    --------
    >>> from recta.kernels import graph_text
    >>> import networkx as nx                                       # doctest: +SKIP
    >>> graph_text(nx.path_graph(3))                                # doctest: +SKIP
    '0;1;2;0-1;1-2'
    """
    if isinstance(graph, (str, Path)):
        return edges_of(graph)[0]
    _check_graph(graph)
    numbers = {node: str(k) for k, node in enumerate(graph.nodes)}
    parts = list(numbers.values())
    for node, data in graph.nodes(data=True):
        word = str(data.get(label, ""))
        if ";" in word or "\n" in word:
            raise ValueError(
                f"the label {word!r} of node {node!r} has a semicolon or a line break, which part the text of a graph"
            )
        if word:
            parts.append(f"{numbers[node]}:{word}")
    parts += [f"{numbers[a]}-{numbers[b]}" for a, b in graph.edges()]
    return ";".join(parts)


def edges_of(graph: Any) -> tuple[str, dict[Any, str] | None]:
    """The one graph of the kernel of diffusion as Recta reads it, and the names of its nodes there; None: their own.

    The graph is a text, ``a-b;b-c``, the path of a file of edges, a NetworkX graph or a list of pairs of nodes.
    """
    if isinstance(graph, Path):
        text = graph.read_text(encoding="utf-8")
        return text if text.endswith("\n") else text + "\n", None
    if graph is None or isinstance(graph, str):
        return graph or "", None
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):
        _check_graph(graph)
        nodes, edges = list(graph.nodes), [tuple(edge)[:2] for edge in graph.edges]
    else:
        edges = [tuple(edge) for edge in graph]
        nodes = [node for edge in edges for node in edge]
        for place, edge in enumerate(edges):
            if len(edge) != 2:
                raise ValueError(f"edge {place + 1} of the network has {len(edge)} nodes, not two: {edge!r}")
    names: dict[Any, str] = {}
    for node in nodes:
        names.setdefault(node, str(len(names)))
    return ";".join([*names.values(), *(f"{names[a]}-{names[b]}" for a, b in edges)]), names


class TextKernel(TransformerMixin, BaseEstimator):
    """What kernels of texts share: ``fit`` keeps the texts, ``transform`` gives the kernel of others with them."""

    _prefix = ""
    _kinds: tuple[str, ...] = ()

    def _texts(self, X):
        texts = list(np.asarray(X, dtype=object).ravel()) if not isinstance(X, (list, tuple)) else list(X)
        for place, text in enumerate(texts):
            if not isinstance(text, str):
                raise ValueError(f"text {place + 1} is a {type(text).__name__}, not a str")
        return texts

    def _matrix(self, texts, others):
        if self.kind not in self._kinds:
            raise ValueError(
                f"The 'kind' parameter of {type(self).__name__} must be one of {', '.join(map(repr, self._kinds))}. Got {self.kind!r} instead."
            )
        number = lambda name, otherwise: otherwise if getattr(self, name, None) is None else getattr(self, name)
        return _core.text_kernel_matrix(
            texts,
            others,
            self._prefix + self.kind,
            int(number("length", 3)),
            float(number("decay", 0.5)),
            int(number("mismatches", 1)),
            int(number("alphabet", 26)),
            int(number("rounds", 3)),
            bool(self.normalise),
            bool(number("bytes", False)),
            float(number("beta", 1.0)),
            edges_of(getattr(self, "network", None))[0],
            int(self.n_jobs or 0),
        )

    def fit(self, X: Iterable[Any], y: Any = None) -> Self:
        """Keeps the texts that others are compared with."""
        self.texts_ = self._texts(X)
        return self

    def transform(self, X: Iterable[Any]) -> np.ndarray:
        """The kernel of every text with those of ``fit``, of shape (n_texts, n_fitted)."""
        check_is_fitted(self)
        return self._matrix(self._texts(X), self.texts_)

    def fit_transform(self, X: Iterable[Any], y: Any = None) -> np.ndarray:
        """The kernel of every text with every other one; each pair is computed once."""
        self.fit(X)
        return self._matrix(self.texts_, [])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


@estimator("recta.kernels")
class StringKernel(TextKernel):
    """Kernels of strings (docs: kernel_models.md), as a step before a model with ``kernel="precomputed"``.

    Attributes
    ----------
    texts_ : list of str

    Examples
    --------
    >>> from recta.kernels import StringKernel
    >>> StringKernel("subsequence", length=2, decay=0.5, normalise=False).fit_transform(["cat", "car", "bat"]).tolist()
    [[0.140625, 0.0625, 0.0625], [0.0625, 0.140625, 0.0], [0.0625, 0.0, 0.140625]]
    >>> from sklearn.pipeline import make_pipeline
    >>> from recta.svm import SVC
    >>> model = make_pipeline(StringKernel(length=2), SVC(kernel="precomputed")).fit(["abab", "baba", "cdcd", "dcdc"], [0, 0, 1, 1])
    >>> model.predict(["ababab", "cd"]).tolist()
    [0, 1]
    """

    kind: str = parameter(default="spectrum", kw_only=False, type="{'spectrum', 'blended', 'mismatch', 'subsequence'}")
    length: int = parameter(default=3, doc="Characters of a run or subsequence.")
    decay: float = parameter(default=0.5, doc="Of 'subsequence', for every character that it spans.")
    mismatches: int = parameter(default=1, doc="Of 'mismatch', characters of a run that may differ.")
    alphabet: int = parameter(default=26, doc="Of 'mismatch', the size of the alphabet.")
    normalise: bool = parameter(default=True, doc="Divide by the root of k(x, x) k(z, z).")
    bytes: bool = parameter(default=False, doc="Compare texts byte by byte, not by their characters.")
    n_jobs: int | None = THREADS

    _prefix = "string:"
    _kinds = STRINGS


@estimator("recta.kernels")
class GraphKernel(TextKernel):
    """Kernels of graphs (docs: kernel_models.md), as a step before a model with ``kernel="precomputed"``.

    Graphs are texts, ``"a-b;b-c;a:C"``, the ``pathlib.Path`` of files of edges, or NetworkX graphs. With the kind 'diffusion' they are the nodes of one graph, ``network``.

    Attributes
    ----------
    texts_ : list of str

    Examples
    --------
    >>> from recta.kernels import GraphKernel
    >>> GraphKernel("wl", rounds=1, normalise=False).fit_transform(["a-b;b-c;c-a", "x-y;y-z"]).tolist()
    [[18.0, 12.0], [12.0, 14.0]]
    >>> GraphKernel("diffusion", network="a-b;c").fit_transform(["a", "b", "c"]).round(6).tolist()
    [[1.0, 0.761594, 0.0], [0.761594, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    kind: str = parameter(default="wl", kw_only=False, type="{'wl', 'shortest-path', 'random-walk', 'diffusion'}")
    rounds: int = parameter(default=3, doc="Of 'wl', rounds of relabelling.")
    decay: float = parameter(
        default=0.1,
        doc="Of 'random-walk', for every step; below 1 / (largest degree)^2, beyond which walks do not converge.",
    )
    beta: float = parameter(
        default=1.0, doc="Of 'diffusion', the time for which heat spreads: exp(-beta L), L the Laplacian of the graph."
    )
    network: Any = parameter(
        default=None,
        type="str, pathlib.Path, NetworkX graph or list of pairs of nodes",
        doc="Of 'diffusion', the graph: ``\"a-b;b-c\"``, or a file of one edge per line.",
    )
    label: str = parameter(default="label", doc="The attribute that labels the nodes of NetworkX graphs.")
    normalise: bool = parameter(default=True, doc="Divide by the root of k(x, x) k(z, z).")
    n_jobs: int | None = THREADS

    _prefix = "graph:"
    _kinds = GRAPHS

    def _texts(self, X):
        if self.kind != "diffusion":
            return super()._texts([graph_text(graph, self.label) for graph in X])
        names = edges_of(self.network)[1]
        for place, node in enumerate(X):
            if names is not None and node not in names:
                raise ValueError(f"node {place + 1}: the graph has no node {node!r}")
        return super()._texts([str(node) if names is None else names[node] for node in X])
