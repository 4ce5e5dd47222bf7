"""Kernels of strings and graphs beside plain loops."""

import pickle
from itertools import combinations

import numpy as np
import pytest
import scipy.linalg
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from recta.cluster import KernelKMeans
from recta.decomposition import KernelPCA
from recta.feature_extraction.graph import GraphVectorizer
from recta.feature_extraction.text import CountVectorizer as OurCounts
from recta.kernel_ridge import KernelRidge
from recta.kernels import GraphKernel, StringKernel, graph_text
from recta.linear_model import KernelPerceptron
from recta.svm import SVC, SVR, OneClassSVM

RNG = np.random.default_rng(5)
TEXTS = ["".join(RNG.choice(list("abcñ"), RNG.integers(0, 12))) for _ in range(15)]


def test_spectrum_and_blended_are_counts_of_runs():
    for kind, low in (("spectrum", 2), ("blended", 1)):
        counts = CountVectorizer(analyzer="char", ngram_range=(low, 2), lowercase=False).fit_transform(TEXTS).toarray()
        np.testing.assert_array_equal(
            StringKernel(kind, length=2, normalise=False).fit_transform(TEXTS), counts @ counts.T
        )
        ours = OurCounts(analyzer="char", ngram_range=(low, 2), lowercase=False).fit_transform(TEXTS).toarray()
        np.testing.assert_array_equal(ours @ ours.T, counts @ counts.T)


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
    np.testing.assert_allclose(
        StringKernel("subsequence", length=3, decay=0.6).fit_transform(TEXTS), scaled, rtol=1e-12, atol=1e-15
    )


def test_bytes_are_not_characters():
    assert StringKernel("spectrum", length=1, normalise=False).fit_transform(["ñ"]).tolist() == [[1.0]]
    assert StringKernel("spectrum", length=1, normalise=False, bytes=True).fit_transform(["ñ"]).tolist() == [[2.0]]


def test_walks_are_a_matrix_inverse():
    graphs = ["a-b;b-c;c-a;c-d", "x-y;y-z;z-x;x:C;y:C", "p"]
    nodes = [
        (np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]), ["", "", "", ""]),
        (np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), ["C", "C", ""]),
        (np.zeros((1, 1)), [""]),
    ]
    want = np.empty((3, 3))
    for i, (a, la) in enumerate(nodes):
        for j, (b, lb) in enumerate(nodes):
            same = np.array([x == y for x in la for y in lb], dtype=float)
            W = np.kron(a, b) * np.outer(same, same)
            p = same / len(same)
            want[i, j] = p @ np.linalg.solve(np.eye(len(W)) - 0.1 * W, p)
    np.testing.assert_allclose(
        GraphKernel("random-walk", decay=0.1, normalise=False).fit_transform(graphs), want, rtol=1e-12
    )
    with pytest.raises(ValueError, match="0.111"):
        GraphKernel("random-walk", decay=0.2).fit_transform(graphs)


def test_diffusion_is_the_exponential_of_the_laplacian(tmp_path):
    A = np.triu(RNG.random((12, 12)) < 0.25, 1).astype(float)
    A += A.T
    edges = [(f"n-{i}", f"n-{j}") for i in range(12) for j in range(i) if A[i, j]]
    nodes = [f"n-{i}" for i in range(12)]
    (tmp_path / "edges.txt").write_text(
        "# edges\n" + "".join(f"{a}\t{b}\n" for a, b in edges) + "\n".join(nodes), encoding="utf-8"
    )
    for beta in (0.2, 1.5, 40.0):
        want = scipy.linalg.expm(-beta * (np.diag(A.sum(axis=0)) - A))
        kernel = GraphKernel("diffusion", beta=beta, network=tmp_path / "edges.txt", normalise=False)
        np.testing.assert_allclose(kernel.fit_transform(nodes), want, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(kernel.fit(nodes[:5]).transform(nodes[3:]), want[3:, :5], rtol=1e-11, atol=1e-14)
        drawn = GraphKernel(
            "diffusion", beta=beta, network=[(int(a[2:]), int(b[2:])) for a, b in edges], normalise=False
        )
        here = [i for i in range(12) if A[i].any()]
        np.testing.assert_allclose(drawn.fit_transform(here), want[np.ix_(here, here)], rtol=1e-11, atol=1e-14)


def test_diffusion_classifies_nodes_from_two_labels():
    edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]  # two triangles and a bridge
    model = make_pipeline(GraphKernel("diffusion", network=edges), SVC(kernel="precomputed")).fit(
        [0, 5], ["red", "blue"]
    )
    assert model.predict([1, 2, 3, 4]).tolist() == ["red", "red", "blue", "blue"]
    assert GraphKernel("diffusion", network=Drawn()).fit_transform(["u", "v"]).shape == (2, 2)


@pytest.mark.parametrize(
    "network, node, word",
    [
        (None, "a", "missing"),
        ("a-b", "c", 'no node "c"'),
        ([("a", "b")], "c", "no node 'c'"),
        ([("a", "b", 2)], "a", "has 3 nodes"),
        ("a-b-c", "a", "part 1 of the graph"),
    ],
)
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
    model = make_pipeline(StringKernel("spectrum", length=2), SVC(kernel="precomputed")).fit(
        ["abab", "baba", "cdcd", "dcdc"], [0, 0, 1, 1]
    )
    assert model.predict(["bab", "dc"]).tolist() == [0, 1]


def test_files_of_edges_are_graphs(tmp_path):
    (tmp_path / "ring.txt").write_text("# a ring\na b\nb,c\nc\ta", encoding="utf-8")
    (tmp_path / "path.txt").write_text("x-1 y-1\ny-1 z-1\n", encoding="utf-8")
    (tmp_path / "edge.txt").write_text("a b", encoding="utf-8")
    files = [tmp_path / name for name in ("ring.txt", "path.txt", "edge.txt")]
    for kind in ("wl", "shortest-path"):
        kernel = GraphKernel(kind, rounds=2, normalise=False)
        np.testing.assert_array_equal(
            kernel.fit_transform(files), kernel.fit_transform(["a-b;b-c;c-a", "x-y;y-z", "a-b"])
        )


def test_what_is_no_graph_is_refused():
    directed = Drawn()
    directed.is_directed = lambda: True
    for kernel in (GraphKernel("wl"), GraphKernel("diffusion", network=directed)):
        with pytest.raises(ValueError, match="to_undirected"):
            kernel.fit_transform([directed])
    with pytest.raises(ValueError, match="a int is not a graph"):
        GraphKernel("wl").fit_transform([3])


GRAPHS = [
    "a-b;b-c;c-a",
    "x-y;y-z",
    "a-b;b-c;c-d;d-a;a:C;b:N",
    "p;q",
    "u-v;v-w;w-u;w-x;u:C;v:C;x:(,",
    "e-f;f-g;g-h;f-h;e:N;h:\\\\",
    "l-l;l-m;m:C",
    ";".join(f"{i}-{j}" for i in range(6) for j in range(i)) + ";0:long label of a node;1:another long label",
]


@pytest.mark.parametrize("kind, rounds", [("wl", 0), ("wl", 1), ("wl", 3), ("shortest-path", 3)])
def test_features_of_graphs_have_the_inner_products_of_the_kernels(kind, rounds):
    for normalise in (False, True):
        counts = GraphVectorizer(kind, rounds=rounds, normalise=normalise)
        X = counts.fit_transform(GRAPHS)
        np.testing.assert_allclose(
            (X @ X.T).toarray(),
            GraphKernel(kind, rounds=rounds, normalise=normalise).fit_transform(GRAPHS),
            rtol=1e-14,
            atol=1e-15,
        )
        np.testing.assert_array_equal(counts.transform(GRAPHS).toarray(), X.toarray())
        assert len(counts.get_feature_names_out()) == X.shape[1]
    known, new = GRAPHS[:3], GRAPHS[3:]
    counts = GraphVectorizer(kind, rounds=rounds).fit(known)
    inner = (counts.transform(new) @ counts.transform(known).T).toarray()
    np.testing.assert_array_equal(inner, GraphKernel(kind, rounds=rounds, normalise=False).fit(known).transform(new))


def test_a_linear_model_of_features_of_graphs_is_the_kernel_model():
    y = np.array([0, 1, 0, 1, 0, 1, 1, 0])
    linear = make_pipeline(GraphVectorizer(rounds=2, normalise=True), SVC(kernel="linear")).fit(GRAPHS, y)
    kernel = make_pipeline(GraphKernel(rounds=2), SVC(kernel="precomputed")).fit(GRAPHS, y)
    np.testing.assert_allclose(linear.decision_function(GRAPHS), kernel.decision_function(GRAPHS), atol=1e-6)
    with pytest.raises(ValueError, match="document 2: part 1 of the graph"):
        GraphVectorizer().fit_transform(["a-b", "a-b-c"])
    with pytest.raises(ValueError, match="'kind' parameter"):
        GraphVectorizer("walks").fit(GRAPHS)


@pytest.mark.parametrize(
    "bad, word",
    [
        ({"kind": "edit"}, "kind"),
        ({"length": 0}, "length"),
        ({"decay": 0.0}, "decay"),
        ({"kind": "mismatch", "length": 2, "mismatches": 2}, "fewer"),
    ],
)
def test_what_is_refused(bad, word):
    with pytest.raises(ValueError, match=word):
        StringKernel(**bad).fit_transform(["a"])
    with pytest.raises(ValueError, match="not a str"):
        StringKernel().fit([1])


NAMES = ["Schmidt", "Schneider", "Fischer", "Schulz", "Rossi", "Bianchi", "Ricci", "Marino"]
ORIGINS = ["de"] * 4 + ["it"] * 4
NEW = ["Schmitz", "Rossini", "Fischler"]


def test_machines_take_texts_and_graphs_themselves():
    kernel = StringKernel("subsequence", length=2, decay=0.6)
    K, new = kernel.fit_transform(NAMES), kernel.fit(NAMES).transform(NEW)
    for direct, of_matrix in (
        (SVC(kernel=kernel), SVC(kernel="precomputed")),
        (KernelPerceptron(kernel=kernel), KernelPerceptron(kernel="precomputed")),
    ):
        direct.fit(NAMES, ORIGINS)
        of_matrix.fit(K, ORIGINS)
        assert direct.predict(NEW).tolist() == of_matrix.predict(new).tolist()
        np.testing.assert_array_equal(direct.decision_function(NEW), of_matrix.decision_function(new))
        assert direct.score(NAMES, ORIGINS) == 1.0 and direct.certificate_.verdict == "proved"
    assert SVC(kernel="string:spectrum").fit(NAMES, ORIGINS).support_vectors_[0] in NAMES
    numbers = np.arange(8.0)
    np.testing.assert_array_equal(
        KernelRidge(kernel=kernel).fit(NAMES, numbers).predict(NEW),
        KernelRidge(kernel="precomputed").fit(K, numbers).predict(new),
    )
    np.testing.assert_array_equal(
        SVR(kernel=kernel).fit(NAMES, numbers).predict(NEW), SVR(kernel="precomputed").fit(K, numbers).predict(new)
    )
    rings = SVC(kernel="graph:wl", C=100).fit(
        ["a-b;b-c;c-a", "a-b;b-c;c-d;d-a", "a-b;b-c", "a-b;b-c;c-d"], ["ring", "ring", "path", "path"]
    )
    assert rings.predict(["1-2;2-3;3-4;4-5;5-1"]).tolist() == ["ring"]


def test_components_and_clusters_of_texts():
    kernel = StringKernel("spectrum", length=2)
    K = kernel.fit_transform(NAMES)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values = np.linalg.eigvalsh(centred)[::-1][:2]
    components = KernelPCA(2, kernel=kernel).fit(NAMES)
    np.testing.assert_allclose(components.eigenvalues_, values, rtol=1e-9)
    np.testing.assert_allclose((components.transform(NAMES) ** 2).sum(axis=0), values, rtol=1e-9)
    assert components.fit_transform(NAMES).shape == (8, 2)
    clusters = KernelKMeans(2, kernel="string:spectrum", random_state=0).fit(["abab", "baba", "cdcd", "dcdc"])
    assert clusters.labels_[0] == clusters.labels_[1] != clusters.labels_[2] == clusters.labels_[3]
    assert clusters.predict(["ababa"])[0] == clusters.labels_[0]


def test_one_class_of_texts_is_that_of_their_matrix():
    kernel = StringKernel("spectrum", length=2)
    border, of_matrix = (
        OneClassSVM(kernel=kernel).fit(NAMES),
        OneClassSVM(kernel="precomputed").fit(kernel.fit_transform(NAMES)),
    )
    new = kernel.transform(NEW)
    assert border.certificate_.verdict == "proved" and border.offset_ == of_matrix.offset_
    np.testing.assert_array_equal(border.decision_function(NEW), of_matrix.decision_function(new))
    np.testing.assert_array_equal(border.score_samples(NEW), of_matrix.score_samples(new))
    assert border.predict(NAMES).tolist() == border.fit_predict(NAMES).tolist()
    assert border.predict(["\u0436\u0436\u0436\u0436"]).tolist() == [-1]  # nothing in common with any of them


def test_texts_in_searches_clones_and_pickles():
    search = GridSearchCV(
        SVC(kernel=StringKernel("subsequence")), {"kernel__length": [1, 2], "C": [1.0, 10.0]}, cv=2
    ).fit(NAMES, ORIGINS)
    assert search.best_params_["kernel__length"] in (1, 2)
    model = pickle.loads(pickle.dumps(clone(SVC(kernel="string:subsequence")).fit(NAMES, ORIGINS)))
    assert model.predict(["Schmitz"]).tolist() == ["de"]
    again = model.set_params(kernel="linear").fit([[0.0], [1.0]], [0, 1])
    assert again.predict([[1.0]]).tolist() == [1]
    with pytest.raises(ValueError, match="'kind' parameter"):
        SVC(kernel="string:edit").fit(NAMES, ORIGINS)
    with pytest.raises(ValueError, match="text 2 is a int"):
        SVC(kernel="string:spectrum").fit(["a", 3], [0, 1])


@pytest.mark.parametrize("place", [0, 700, 1999])
def test_of_several_graphs_at_fault_the_first_is_named(place):
    graphs = ["0:a;1:b;0-1"] * 2000
    graphs[place] = graphs[-1] = "0-"
    with pytest.raises(ValueError, match=rf"^text {place + 1}: part 1 of the graph"):
        GraphKernel("wl", rounds=2).fit_transform(graphs)
