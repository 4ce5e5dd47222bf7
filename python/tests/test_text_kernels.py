"""Kernels of strings and graphs beside plain loops."""

from itertools import combinations

import numpy as np
import pytest
import scipy.linalg
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from recta.kernels import GraphKernel, StringKernel, graph_text
from recta.svm import SVC

RNG = np.random.default_rng(5)
TEXTS = ["".join(RNG.choice(list("abcñ"), RNG.integers(0, 12))) for _ in range(15)]


def test_spectrum_and_blended_are_counts_of_runs():
    for kind, low in (("spectrum", 2), ("blended", 1)):
        counts = CountVectorizer(analyzer="char", ngram_range=(low, 2), lowercase=False).fit_transform(TEXTS).toarray()
        np.testing.assert_array_equal(StringKernel(kind, length=2, normalise=False).fit_transform(TEXTS), counts @ counts.T)


def slow_subsequences(text, length, decay):
    out = {}
    for places in combinations(range(len(text)), length):
        word = "".join(text[i] for i in places)
        out[word] = out.get(word, 0.0) + decay ** (places[-1] - places[0] + 1)
    return out


def test_subsequences_are_all_choices_of_places():
    features = [slow_subsequences(text, 3, 0.6) for text in TEXTS]
    want = np.array([[sum(a[word] * b.get(word, 0.0) for word in a) for b in features] for a in features])
    kernel = StringKernel("subsequence", length=3, decay=0.6, normalise=False)
    np.testing.assert_allclose(kernel.fit_transform(TEXTS), want, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(kernel.fit(TEXTS[:4]).transform(TEXTS), want[:, :4], rtol=1e-12, atol=1e-15)
    own = np.sqrt(np.diag(want))
    with np.errstate(invalid="ignore"):
        scaled = np.nan_to_num(want / np.outer(own, own))
    np.testing.assert_allclose(StringKernel("subsequence", length=3, decay=0.6).fit_transform(TEXTS), scaled, rtol=1e-12, atol=1e-15)


def test_bytes_are_not_characters():
    assert StringKernel("spectrum", length=1, normalise=False).fit_transform(["ñ"]).tolist() == [[1.0]]
    assert StringKernel("spectrum", length=1, normalise=False, bytes=True).fit_transform(["ñ"]).tolist() == [[2.0]]


def test_walks_are_a_matrix_inverse():
    graphs = ["a-b;b-c;c-a;c-d", "x-y;y-z;z-x;x:C;y:C", "p"]
    nodes = [(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]), ["", "", "", ""]),
             (np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), ["C", "C", ""]), (np.zeros((1, 1)), [""])]
    want = np.empty((3, 3))
    for i, (a, la) in enumerate(nodes):
        for j, (b, lb) in enumerate(nodes):
            same = np.array([x == y for x in la for y in lb], dtype=float)
            W = np.kron(a, b) * np.outer(same, same)
            p = same / len(same)
            want[i, j] = p @ np.linalg.solve(np.eye(len(W)) - 0.1 * W, p)
    np.testing.assert_allclose(GraphKernel("random-walk", decay=0.1, normalise=False).fit_transform(graphs), want, rtol=1e-12)
    with pytest.raises(ValueError, match="0.111"):
        GraphKernel("random-walk", decay=0.2).fit_transform(graphs)


def test_diffusion_is_the_exponential_of_the_laplacian(tmp_path):
    A = np.triu(RNG.random((12, 12)) < 0.25, 1).astype(float)
    A += A.T
    edges = [(f"n-{i}", f"n-{j}") for i in range(12) for j in range(i) if A[i, j]]
    nodes = [f"n-{i}" for i in range(12)]
    (tmp_path / "edges.txt").write_text("# edges\n" + "".join(f"{a}\t{b}\n" for a, b in edges) + "\n".join(nodes), encoding="utf-8")
    for beta in (0.2, 1.5, 40.0):
        want = scipy.linalg.expm(-beta * (np.diag(A.sum(axis=0)) - A))
        kernel = GraphKernel("diffusion", beta=beta, network=tmp_path / "edges.txt", normalise=False)
        np.testing.assert_allclose(kernel.fit_transform(nodes), want, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(kernel.fit(nodes[:5]).transform(nodes[3:]), want[3:, :5], rtol=1e-11, atol=1e-14)
        drawn = GraphKernel("diffusion", beta=beta, network=[(int(a[2:]), int(b[2:])) for a, b in edges], normalise=False)
        here = [i for i in range(12) if A[i].any()]
        np.testing.assert_allclose(drawn.fit_transform(here), want[np.ix_(here, here)], rtol=1e-11, atol=1e-14)


def test_diffusion_classifies_nodes_from_two_labels():
    edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]  # two triangles and a bridge
    model = make_pipeline(GraphKernel("diffusion", network=edges), SVC(kernel="precomputed")).fit([0, 5], ["red", "blue"])
    assert model.predict([1, 2, 3, 4]).tolist() == ["red", "red", "blue", "blue"]
    assert GraphKernel("diffusion", network=Drawn()).fit_transform(["u", "v"]).shape == (2, 2)


@pytest.mark.parametrize("network, node, word", [(None, "a", "missing"), ("a-b", "c", 'no node "c"'), ([("a", "b")], "c", "no node 'c'"),
                                                 ([("a", "b", 2)], "a", "has 3 nodes"), ("a-b-c", "a", "part 1 of the graph")])
def test_diffusion_names_what_is_wrong(network, node, word):
    with pytest.raises(ValueError, match=word):
        GraphKernel("diffusion", network=network).fit_transform([node])
    with pytest.raises(ValueError, match="give beta = 10000 or less"):
        GraphKernel("diffusion", network="a-b", beta=20000.0).fit_transform(["a"])


class Nodes(list):
    def __call__(self, data=False):
        return [(node, {"label": "C"} if node == "u" else {}) for node in self]


class Edges(list):
    def __call__(self):
        return self


class Drawn:
    """As much of a NetworkX graph as is asked for."""

    nodes = Nodes(["u", "v", "w"])
    edges = Edges([("u", "v"), ("v", "w")])


def test_graphs_of_networkx_and_a_pipeline():
    assert graph_text(Drawn()) == "0;1;2;0:C;0-1;1-2"
    np.testing.assert_array_equal(GraphKernel().fit_transform([Drawn(), "a-b;b-c;a:C"]), np.ones((2, 2)))
    model = make_pipeline(StringKernel("spectrum", length=2), SVC(kernel="precomputed")).fit(["abab", "baba", "cdcd", "dcdc"], [0, 0, 1, 1])
    assert model.predict(["bab", "dc"]).tolist() == [0, 1]


def test_files_of_edges_are_graphs(tmp_path):
    (tmp_path / "ring.txt").write_text("# a ring\na b\nb,c\nc\ta", encoding="utf-8")
    (tmp_path / "path.txt").write_text("x-1 y-1\ny-1 z-1\n", encoding="utf-8")
    (tmp_path / "edge.txt").write_text("a b", encoding="utf-8")
    files = [tmp_path / name for name in ("ring.txt", "path.txt", "edge.txt")]
    for kind in ("wl", "shortest-path"):
        kernel = GraphKernel(kind, rounds=2, normalise=False)
        np.testing.assert_array_equal(kernel.fit_transform(files), kernel.fit_transform(["a-b;b-c;c-a", "x-y;y-z", "a-b"]))


def test_what_is_no_graph_is_refused():
    directed = Drawn()
    directed.is_directed = lambda: True
    for kernel in (GraphKernel("wl"), GraphKernel("diffusion", network=directed)):
        with pytest.raises(ValueError, match="to_undirected"):
            kernel.fit_transform([directed])
    with pytest.raises(ValueError, match="a int is no graph"):
        GraphKernel("wl").fit_transform([3])


@pytest.mark.parametrize("bad, word", [({"kind": "edit"}, "kind"), ({"length": 0}, "length"), ({"decay": 0.0}, "decay"), ({"kind": "mismatch", "length": 2, "mismatches": 2}, "fewer")])
def test_what_is_refused(bad, word):
    with pytest.raises(ValueError, match=word):
        StringKernel(**bad).fit_transform(["a"])
    with pytest.raises(ValueError, match="not a str"):
        StringKernel().fit([1])
