"""Votes and means counted from lists of neighbours: of weights that are a function, a label of their own for rows without neighbours, and
training rows that are answered by all others."""

from __future__ import annotations

import warnings

import numpy as np

from .search import _parts


class ListedVotes:
    """What an estimator that remembers rows answers from ``_lists``, which gives starts, rows and distances."""

    _remembered_y: np.ndarray | None = None  # of the rows that lists name; None where rows have weights, and of a file
    weights: object

    def _counts_lists(self, X):
        """Whether the library's own count does not do."""
        return X is None or callable(self.weights)

    def _listed(self, X):
        """For each neighbour that X's rows have the number of the row, the neighbour's target, its distance and its weight; how many rows."""
        if self._remembered_y is None:
            raise ValueError(
                f"{type(self).__name__} counts by itself, for X=None, weights of a function and a label of outliers, only rows of equal weight "
                "that fit() was given"
            )
        start, rows, distances = self._lists(X, *self._within())
        query = np.repeat(np.arange(len(start) - 1), np.diff(start))
        return query, self._remembered_y[rows], distances, self._weighed(query, start, distances), len(start) - 1

    def _within(self):
        """k and the radius of the lists."""
        return (float(self.n_neighbors_), np.inf) if hasattr(self, "n_neighbors_") else (0.0, float(self.radius))

    def _weighed(self, query, start, distances):
        if callable(self.weights):
            return self._by_function(start, distances)
        if self.weights != "distance":
            return np.ones(len(distances))
        at_row = distances == 0
        with np.errstate(divide="ignore"):
            return np.where(np.isin(query, query[at_row]), at_row, 1 / distances)

    def _by_function(self, start, distances):
        """What the function says of all distances at once: a row of them per row of X, or an array of arrays, as in scikit-learn."""
        if hasattr(self, "n_neighbors_"):
            given = np.asarray(self.weights(distances.reshape(len(start) - 1, -1)), dtype=np.float64).ravel()
        else:
            given = np.concatenate([np.empty(0), *self.weights(_parts(distances, start))]).astype(np.float64)
        if given.shape != distances.shape or not (given >= 0).all():
            raise ValueError(
                f"{type(self).__name__}(weights=function): it gives a number from zero up for every distance."
            )
        infinite = np.isinf(given)
        query = np.repeat(np.arange(len(start) - 1), np.diff(start))
        given = np.where(np.isin(query, query[infinite]), infinite, given)
        if (np.bincount(query, given)[np.unique(query)] == 0).any():
            raise ValueError(
                "All neighbors of some sample is getting zero weights. Please modify 'weights' to avoid this case if you are using a "
                "user-defined function."
            )
        return given

    def _listed_means(self, X):
        query, y, _, weights, count = self._listed(X)
        y = y.reshape(len(y), -1)
        sums = np.zeros((count, y.shape[1]))
        np.add.at(sums, query, weights[:, None] * y)
        with np.errstate(invalid="ignore"):
            means = sums / np.bincount(query, weights, count)[:, None]
        return means[:, 0] if self._one_target else means

    def _listed_shares(self, X):
        """Shares of the classes, and the class that each row is said to be of, -1 where it has no neighbour."""
        query, classes, distances, weights, count = self._listed(X)
        votes, summed, first = np.zeros((3, count, len(self.classes_)))
        np.add.at(votes, (query, classes), weights)
        np.add.at(summed, (query, classes), distances)
        first[:] = len(query)
        np.minimum.at(first, (query, classes), np.arange(len(query)))
        best = votes == votes.max(axis=1, keepdims=True)
        for ties in (summed, first):  # the smaller summed distance, then the nearest neighbour, then the first class
            left = np.where(best, ties, np.inf)
            best = left == left.min(axis=1, keepdims=True)
        alone = ~np.isin(np.arange(count), query)
        shares = np.divide(votes, votes.sum(axis=1, keepdims=True), out=np.zeros_like(votes), where=~alone[:, None])
        return shares, np.where(alone, -1, best.argmax(axis=1))

    def _listed_classes(self, X):
        """Shares and classes; of rows without neighbours those of ``outlier_label``, or an error."""
        shares, places = self._listed_shares(X)
        labels, alone = self.classes_.take(np.maximum(places, 0)), np.flatnonzero(places < 0)
        if not len(alone):
            return shares, labels
        label = getattr(self, "outlier_label_", None)
        if label is None:
            raise ValueError(
                f"No neighbors found for test samples {alone}, you can try using larger radius, giving a label for outliers, or considering "
                "removing them from your dataset."
            )
        labels[alone] = label[0]
        if self.outlier_label == "most_frequent":
            shares[alone] = np.bincount(self._remembered_y, minlength=len(self.classes_)) / len(self._remembered_y)
        elif label[0] in self.classes_:
            shares[alone] = self.classes_ == label[0]
        else:
            warnings.warn(
                f"Outlier label {label[0]} is not in training classes. All class probabilities of outliers will be assigned with 0.",
                stacklevel=4,
            )
        return shares, labels
