"""Vectorizers of scikit-learn whose loop over the words of documents is the library's.

They are scikit-learn's own classes in all else: parameters and their checks, vocabularies, frequencies, names. A setting that needs
Python for every word (a callable analyzer, tokenizer or preprocessor, another token pattern) is left to scikit-learn's loop, which
gives the same answer more slowly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import sklearn.feature_extraction.text as theirs
from scipy import sparse
from sklearn.preprocessing import normalize

from recta import _core

TfidfTransformer = theirs.TfidfTransformer

# The shortest word that each of these patterns finds.
_PATTERNS = {r"(?u)\b\w\w+\b": 2, r"(?u)\b\w+\b": 1, r"\b\w\w+\b": 2, r"\b\w+\b": 1}
_BUILDERS = (
    "build_analyzer",
    "build_preprocessor",
    "build_tokenizer",
    "decode",
    "_word_ngrams",
    "_char_ngrams",
    "_char_wb_ngrams",
)
# Looking up a vocabulary in the library costs as much as so many of its terms found by Python.
_TERMS_A_DOCUMENT = 200


class _CountedByTheLibrary:
    """The words of documents, found and counted by the library where the settings allow it."""

    def _text_options(self, vocabulary: Iterable[str] = ()):
        """The library's settings; None where a word needs Python."""
        standard = all(getattr(type(self), name) is getattr(theirs._VectorizerMixin, name) for name in _BUILDERS)
        if not standard or self.tokenizer is not None or self.preprocessor is not None:
            return None
        words = self.analyzer == "word"
        if not words and self.analyzer not in ("char", "char_wb"):
            return None
        if words and (not isinstance(self.token_pattern, str) or self.token_pattern not in _PATTERNS):
            return None
        if self.strip_accents not in (None, "ascii", "unicode"):
            return None
        # Words with capitals are not in texts without: nothing would be found by them.
        if self.lowercase and any(term != term.lower() for term in vocabulary):
            return None
        least, most = self.ngram_range
        stops = self._stops() if words else []
        shortest = _PATTERNS[self.token_pattern] if words else 1
        return _core.TextOptions(self.analyzer, int(least), int(most), shortest, bool(self.lowercase), stops)

    def _stops(self):
        words = self.get_stop_words()
        if words is None:
            return []
        self._check_stop_words_consistency(words, self.build_preprocessor(), self.build_tokenizer())
        return [word for word in words if isinstance(word, str) and not (self.lowercase and word != word.lower())]

    def _texts(self, raw_documents):
        """Every document as a str, as the library takes it: letters beyond ASCII are prepared here, by Python's own rules."""
        prepare = self.build_preprocessor()
        plain = self.input == "content"
        texts = []
        for document in raw_documents:
            text = document if plain and type(document) is str else self.decode(document)
            texts.append(text if text.isascii() else prepare(text))
        return texts

    def _matrix(self, rows, columns):
        start, term, value = rows
        if start[-1] <= np.iinfo(np.int32).max:
            start = start.astype(np.int32)
        else:
            term = term.astype(np.int64)
        X = sparse.csr_array((value.astype(self.dtype), term, start), shape=(len(start) - 1, columns))
        X.has_sorted_indices = True
        return theirs._align_api_if_sparse(X)


class CountVectorizer(_CountedByTheLibrary, theirs.CountVectorizer):
    """How often each term occurs in each document: ``sklearn.feature_extraction.text.CountVectorizer``, counted by the library.

    Parameters, attributes and answers are scikit-learn's; the work is done on all cores unless a parameter is a callable.

    Examples
    --------
    >>> from recta.feature_extraction.text import CountVectorizer
    >>> counts = CountVectorizer()
    >>> counts.fit_transform(["el mejor guión", "no es buena", "de lo mejor"]).toarray().sum(axis=0).tolist()
    [1, 1, 1, 1, 1, 1, 2, 1]
    >>> counts.get_feature_names_out().tolist()
    ['buena', 'de', 'el', 'es', 'guión', 'lo', 'mejor', 'no']
    """

    def _count_vocab(self, raw_documents, fixed_vocab):
        known = self.vocabulary_ if fixed_vocab else {}
        options = self._text_options(known)
        if options is None:
            return super()._count_vocab(raw_documents, fixed_vocab)
        raw_documents = list(raw_documents)
        if fixed_vocab and len(raw_documents) * _TERMS_A_DOCUMENT < len(known):
            return super()._count_vocab(raw_documents, fixed_vocab)
        try:
            if fixed_vocab:
                terms = [term for term, _ in sorted(known.items(), key=lambda item: item[1])]
                return known, self._matrix(_core.count_terms(self._texts(raw_documents), options, terms), len(terms))
            terms, rows = _core.learn_terms(self._texts(raw_documents), options)
        except UnicodeEncodeError:  # a lone surrogate, which has no UTF-8
            return super()._count_vocab(raw_documents, fixed_vocab)
        except ValueError as error:
            if "no document has a term" not in str(error):
                raise
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words") from None
        self._in_order = dict(zip(terms, range(len(terms)), strict=True))
        return self._in_order, self._matrix(rows, len(terms))

    def _sort_features(self, X, vocabulary):
        """Nothing is to be done for terms that the library has sorted."""
        return X if self.__dict__.pop("_in_order", None) is vocabulary else super()._sort_features(X, vocabulary)

    def _limit_features(self, X, vocabulary, high=None, low=None, limit=None):
        frequency = np.bincount(X.indices, minlength=X.shape[1])
        kept = (low is None or frequency.min(initial=0 if X.shape[1] == 0 else frequency[0]) >= low) and (
            high is None or frequency.max(initial=0) <= high
        )
        if kept and (limit is None or X.shape[1] <= limit):
            return X
        return super()._limit_features(X, vocabulary, high, low, limit)


class TfidfVectorizer(CountVectorizer, theirs.TfidfVectorizer):
    """Counts times inverse document frequencies: ``sklearn.feature_extraction.text.TfidfVectorizer``, counted by the library.

    Parameters, attributes and answers are scikit-learn's; the work is done on all cores unless a parameter is a callable.

    Examples
    --------
    >>> from recta.feature_extraction.text import TfidfVectorizer
    >>> weights = TfidfVectorizer().fit_transform(["to be", "or not to be"])
    >>> weights.toarray().round(4).tolist()
    [[0.7071, 0.0, 0.0, 0.7071], [0.4091, 0.5749, 0.5749, 0.4091]]
    """


class HashingVectorizer(_CountedByTheLibrary, theirs.HashingVectorizer):
    """Counts of hashed terms: ``sklearn.feature_extraction.text.HashingVectorizer``, counted by the library.

    Parameters and answers are scikit-learn's, hash for hash; the work is done on all cores unless a parameter is a callable.

    Examples
    --------
    >>> from recta.feature_extraction.text import HashingVectorizer
    >>> HashingVectorizer(n_features=8, norm=None, alternate_sign=False).transform(["one two two"]).sum()
    np.float64(3.0)
    """

    def transform(self, X: Iterable[Any]) -> Any:
        """The documents as rows of hashed counts, sparse."""
        if isinstance(X, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        self._validate_ngram_range()
        options = self._text_options()
        if options is None:
            return super().transform(X)
        documents = list(X)
        try:
            rows = _core.count_terms(
                self._texts(documents), options, [], int(self.n_features), bool(self.alternate_sign)
            )
        except UnicodeEncodeError:
            return super().transform(documents)
        counts = self._matrix(rows, self.n_features)
        if self.binary:
            counts.data.fill(1)
        if self.norm is not None:
            counts = normalize(counts, norm=self.norm, copy=False)
        return theirs._align_api_if_sparse(counts)
