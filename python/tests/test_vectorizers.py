"""Vectorizers against scikit-learn's own: the same matrices, vocabularies, warnings and errors, setting for setting."""

import pickle
import random
import sys
import unicodedata
import warnings

import numpy as np
import pytest
import sklearn.feature_extraction.text as theirs
from sklearn.base import clone

import recta.feature_extraction.text as ours
from recta import _core

LANGUAGES = [
    "The quick brown fox jumps over the lazy dog, isn't it? snake_case 42 a1 I",
    "¿Qué tal? El mejor GUIÓN, señor; patética película de ayer",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. ЁЛКА",
    "我喜欢猫 和 狗。東京タワー",
    "مرحبا بالعالم، كيف الحال؟",
    "नमस्ते दुनिया, हिन्दी में",
    "good 🙂 bad 👍🏽 ❤️ family 👨‍👩‍👧",
    "Straße STRASSE İstanbul ΣΊΣΥΦΟΣ ﬁne e\u0301tude",
    "",
    " \t\n ",
    "one",
    "tab\tnew\n\nline  two   blanks\u2003wide\x85next\x1cfile",
]


def documents(count=400):
    rng = random.Random(5)
    words = [word for line in LANGUAGES for word in line.split()] + [f"w{k}" for k in range(300)]
    return LANGUAGES + [" ".join(rng.choices(words, k=rng.randint(0, 40))) for _ in range(count)]


SETTINGS = [
    {},
    {"lowercase": False},
    {"binary": True},
    {"ngram_range": (1, 3)},
    {"ngram_range": (2, 2)},
    {"stop_words": "english"},
    {"stop_words": ["w1", "w2", "The", "el"]},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii"},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"token_pattern": r"(?u)\b[a-z]+\b"},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"analyzer": "char_wb", "ngram_range": (1, 4)},
    {"analyzer": "char_wb", "ngram_range": (5, 7), "lowercase": False},
    {"dtype": np.float32},
    {"analyzer": str.split},
    {"tokenizer": str.split, "token_pattern": None},
    {"preprocessor": str.upper},
]
LEARNED = [
    {"min_df": 2},
    {"max_df": 0.2},
    {"min_df": 3, "max_df": 0.5},
    {"vocabulary": ["w3", "mejor", "猫", "w1", "ещё"]},
    {"vocabulary": {"w2": 0, "w1": 1}},
    {"vocabulary": ["W2", "w1"]},
]


def same(found, expected):
    """The rows of fit_transform need not be sorted; norms are sums in the order of the row."""
    found, expected = found.sorted_indices(), expected.sorted_indices()
    assert type(found) is type(expected) and found.shape == expected.shape and found.dtype == expected.dtype
    assert found.indices.dtype == expected.indices.dtype
    assert np.array_equal(found.indptr, expected.indptr)
    assert np.array_equal(found.indices, expected.indices)
    if found.dtype.kind == "i":
        assert np.array_equal(found.data, expected.data)
    np.testing.assert_allclose(
        found.data, expected.data, rtol=1e-5 if found.dtype == np.float32 else 1e-13
    )  # 500 terms


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["CountVectorizer", "TfidfVectorizer"])
@pytest.mark.parametrize("settings", SETTINGS + LEARNED, ids=str)
def test_counts_are_those_of_scikit_learn(name, settings):
    if name == "TfidfVectorizer":
        settings = {**settings, "dtype": np.float64}
    mine, peer = getattr(ours, name)(**settings), getattr(theirs, name)(**settings)
    texts = documents()
    same(mine.fit_transform(texts), peer.fit_transform(texts))
    assert mine.vocabulary_ == peer.vocabulary_
    assert mine.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()
    new = ["w1 w2 unseen", "", *texts[5:200]]
    same(mine.transform(new), peer.transform(new))
    same(mine.transform(new[:1]), peer.transform(new[:1]))
    same(pickle.loads(pickle.dumps(mine)).transform(new), peer.transform(new))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "more", [{}, {"norm": None}, {"alternate_sign": False}, {"norm": "l1", "n_features": 16}], ids=str
)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_hashes_are_those_of_scikit_learn(settings, more):
    settings = {"dtype": np.float64, **settings, **more}
    same(
        ours.HashingVectorizer(**settings).transform(documents()),
        theirs.HashingVectorizer(**settings).transform(documents()),
    )


@pytest.mark.parametrize("analyzer", ["word", "char_wb"])
def test_every_character_is_read_as_python_reads_it(analyzer):
    known = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if not 0xD800 <= code < 0xE000 and unicodedata.category(chr(code)) != "Cn"
    ]
    inside = [f"a{c}b {c}" for c in known]
    mine = ours.CountVectorizer(analyzer=analyzer, token_pattern=r"(?u)\b\w+\b", lowercase=False, ngram_range=(1, 1))
    peer = theirs.CountVectorizer(analyzer=analyzer, token_pattern=r"(?u)\b\w+\b", lowercase=False, ngram_range=(1, 1))
    found, expected = mine.fit_transform(inside), peer.fit_transform(inside)
    assert mine.vocabulary_ == peer.vocabulary_
    same(found, expected)


def test_the_most_frequent_terms_are_kept():
    texts = ["a1 a1 a1 b1 b1 c1", "a1 b1 d1 d1 d1 d1 d1 d1"]
    for cls in (ours.CountVectorizer, theirs.CountVectorizer):
        assert cls(max_features=2).fit(texts).get_feature_names_out().tolist() == ["a1", "d1"]


def test_bytes_files_and_lone_surrogates_are_read(tmp_path):
    texts = [line.encode() for line in LANGUAGES]
    same(ours.CountVectorizer().fit_transform(texts), theirs.CountVectorizer().fit_transform(texts))
    latin = ["café noir".encode("latin-1"), "thé".encode("latin-1")]
    with pytest.raises(UnicodeDecodeError):
        ours.CountVectorizer().fit(latin)
    for settings in ({"encoding": "latin-1"}, {"decode_error": "replace"}, {"decode_error": "ignore"}):
        same(
            ours.CountVectorizer(**settings).fit_transform(latin),
            theirs.CountVectorizer(**settings).fit_transform(latin),
        )
    (tmp_path / "a.txt").write_text("one two", encoding="utf-8")
    assert ours.CountVectorizer(input="filename").fit([str(tmp_path / "a.txt")]).vocabulary_ == {"one": 0, "two": 1}
    odd = ["half \ud800 char word", "word"]
    same(ours.CountVectorizer().fit_transform(odd), theirs.CountVectorizer().fit_transform(odd))


@pytest.mark.parametrize("settings", [{}, {"stop_words": ["ab"]}, {"min_df": 5}, {"max_df": 1, "min_df": 2}], ids=str)
def test_errors_are_those_of_scikit_learn(settings):
    texts = ["ab ab", "ab"] if settings else ["...", ""]
    with pytest.raises(ValueError) as expected:
        theirs.CountVectorizer(**settings).fit(texts)
    with pytest.raises(ValueError) as found:
        ours.CountVectorizer(**settings).fit(texts)
    assert str(found.value) == str(expected.value)


def test_warnings_are_those_of_scikit_learn():
    for settings in ({"stop_words": ["isn't", "word"]}, {"vocabulary": ["Word"]}):
        said = []
        for module in (ours, theirs):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                module.CountVectorizer(**settings).fit(["word isn't word"])
            said.append([str(warning.message) for warning in caught])
        assert said[0] == said[1] != []


def test_a_subclass_with_an_analyzer_of_its_own_is_heard():
    class Halves(ours.CountVectorizer):
        def build_analyzer(self):
            return lambda text: [text[: len(text) // 2]]

    assert list(Halves().fit(["abcd", "xy"]).vocabulary_) == ["ab", "x"]


def test_only_texts_reach_the_library():
    options = _core.TextOptions("word", 1, 1, 2, True, [])
    with pytest.raises(ValueError, match="not a str"):
        _core.learn_terms([b"bytes"], options)


@pytest.mark.parametrize("name", ["CountVectorizer", "TfidfVectorizer", "HashingVectorizer"])
def test_clones_keep_their_parameters(name):
    made = getattr(ours, name)(ngram_range=(1, 2), lowercase=False)
    assert clone(made).get_params() == made.get_params()
    assert getattr(ours, name)().get_params() == getattr(theirs, name)().get_params()
