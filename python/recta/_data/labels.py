"""Classes as targets of -1 and 1, or as their places among all, and back.

Classes are sorted, numbers by value and text by code point. Two classes are one target, 1 for the second of them; more
are one target each, 1 in its own rows. A score of exactly 0 is the second class of two; of several classes with equal
scores the first is predicted.
"""

import json
import re
from collections.abc import Mapping

import numpy as np
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, column_or_1d

AGAINST = re.compile(r"y: (.+) against (.+)")


def checked_labels(y, estimator):
    """Labels in one dimension, or rows of 0 and 1 where a row may have several."""
    if hasattr(y, "toarray"):
        y = y.toarray()
    y = check_array(y, ensure_2d=False, dtype=None, ensure_all_finite=False, input_name="y", estimator=estimator)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        check_array(y, ensure_2d=False, input_name="y", estimator=estimator)  # scikit-learn's words
    check_classification_targets(y)
    if type_of_target(y) == "multiclass-multioutput":
        raise ValueError(
            f"y should be a 1d array, got an array of shape {y.shape} instead. {type(estimator).__name__} gives a row one class; "
            "recta.multioutput.MultiOutputClassifier fits a model for each column."
        )
    return y if type_of_target(y).startswith("multilabel") else column_or_1d(y, warn=True)


def known_places(y, classes):
    """Where the labels stand among classes, which were named before; an error names the first that is not there."""
    y = column_or_1d(y, warn=True)
    if len(classes) == 2:  # two looks at the labels are much less than a search for each
        second = np.asarray(y == classes[1])
        places, unknown = second.astype(np.intp), ~(second | np.asarray(y == classes[0]))
    else:
        order = np.argsort(classes)
        places = order[np.searchsorted(classes, y, sorter=order).clip(max=len(classes) - 1)]
        unknown = np.asarray(classes[places] != y)
    if unknown.any():
        row = int(np.argmax(unknown))
        raise ValueError(
            f"row {row + 1} has the label {np.asarray(y)[row].item()!r}, and the classes are {classes.tolist()}"
        )
    return places


def without_dropped_classes(y, sample_weight, class_weight):
    """A class of weight 0 is absent, as if its rows had the weight 0: weights of rows that say so, and weights of the other classes."""
    dropped = (
        [label for label, factor in class_weight.items() if factor == 0]
        if isinstance(class_weight, Mapping) and y.ndim == 1
        else []
    )
    if not dropped:
        return sample_weight, class_weight
    weights = np.ones(len(y)) if sample_weight is None else np.array(sample_weight, dtype=np.float64)
    weights[np.isin(y, dropped)] = 0.0
    if len(np.unique(y[weights > 0])) < 2:
        raise ValueError(
            f"class_weight of {dropped[0]!r} is 0, which leaves out the class; rows of at least 2 classes must be left"
        )
    return weights, {label: factor for label, factor in class_weight.items() if factor != 0}


class Labels:
    """What a classifier learned of its classes: ``classes``, ``several`` (a row may have more than one), class weights."""

    def __init__(self, classes, several=False, class_weight=None):
        self.classes, self.several, self.class_weight = classes, several, class_weight

    @classmethod
    def learned(cls, y, sample_weight, class_weight, name):
        if y.ndim == 2:
            return cls(np.arange(y.shape[1]), True, class_weight)
        present = y if sample_weight is None else y[sample_weight > 0]
        classes = np.unique(present)
        if len(classes) < 2:
            found = f"only one class: {classes.tolist()[0]!r}" if len(classes) else "no class, as all weights are zero"
            raise ValueError(f"{name} needs rows of at least 2 classes, and the data contain {found}")
        return cls(classes, False, class_weight)

    def rows(self, y, sample_weight=None):
        """Targets of -1 and 1, and weights of rows with those of classes."""
        y = np.asarray(y)
        if self.several:
            signs = np.where(y > 0, 1.0, -1.0)
        elif len(self.classes) == 2:
            signs = np.where(y == self.classes[1], 1.0, -1.0)
        else:
            signs = np.where(y[:, None] == self.classes, 1.0, -1.0)
        return signs, self._weights(y, sample_weight)

    def _weights(self, y, sample_weight):
        if self.class_weight is None:
            return sample_weight
        ones = (
            np.ones(len(y))
            if sample_weight is None
            else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(y))
        )
        if self.several:
            return ones * compute_sample_weight(self.class_weight, y)
        place = np.searchsorted(self.classes, y).clip(max=len(self.classes) - 1)
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            # weights mean repetition: a class is as large as its rows weigh
            each = ones.sum() / (len(self.classes) * np.bincount(place, ones, len(self.classes)))
        else:
            each = compute_class_weight(self.class_weight, classes=self.classes, y=self.classes)
        return ones * each[place]

    def predicted(self, scores):
        if self.several:
            return (scores >= 0).astype(np.int64)
        if len(self.classes) == 2:
            return self.classes.take((scores >= 0).astype(np.intp))
        return self.classes.take(scores.argmax(axis=1))

    # A model file has a name per target: the classes are written there.

    def names(self):
        words = [
            json.dumps(label.item() if hasattr(label, "item") else label, ensure_ascii=False) for label in self.classes
        ]
        if self.several:
            return [f"y: {word} against its absence" for word in words]
        if len(words) == 2:
            return [f"y: {words[1]} against {words[0]}"]
        return [f"y: {word} against the rest" for word in words]

    @classmethod
    def named(cls, names):
        """From the targets of a model file; None where they are not those of a classifier."""
        found = [AGAINST.fullmatch(name) for name in names]
        if not names or not all(found):
            return None
        others = {match[2] for match in found}
        try:
            first = [json.loads(match[1]) for match in found]
            if others == {"its absence"}:
                return cls(np.array(first), True)
            return cls(np.array(first if others == {"the rest"} else [json.loads(found[0][2]), *first]))
        except ValueError:
            return None


class ClassLabels(Labels):
    """Classes of a model that knows of classes: the library sees their places, and its files hold their names. Of a file's one class
    against the rest, ``rest`` has the labels that its other class stands for, and ``turned`` says that a file has the second first."""

    rest, turned = (), False

    @classmethod
    def learned(cls, y, sample_weight, class_weight, name):
        if y.ndim == 2:
            raise ValueError(
                f"{name} gives a row one class, and y has shape {y.shape}; recta.multioutput.MultiOutputClassifier fits a model for each column"
            )
        return super().learned(y, sample_weight, class_weight, name)

    def only_two(self, name):
        if len(self.classes) > 2:
            raise ValueError(
                f"Only binary classification is supported by {name} with these parameters. The type of the target is "
                f"multiclass: there are {len(self.classes)} classes."
            )

    def rows(self, y, sample_weight=None):
        """Places of the labels in the model, and weights of rows; those of classes stand in the model."""
        if self.rest:
            places = (
                known_places(_words(column_or_1d(y)), np.array([self.classes[1], self.classes[0], *self.rest])) == 0
            ).astype(np.intp)
        elif self.turned:
            places = 1 - known_places(y, self.classes)
        else:
            places = np.searchsorted(self.classes, column_or_1d(y)).clip(max=len(self.classes) - 1)
        return places.astype(np.float64), sample_weight

    def weigh(self, options):
        """Class weights as the library takes them, of classes that are called by their places."""
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError(
                    f"The 'class_weight' parameter must be a dict, 'balanced' or None. Got {self.class_weight!r} instead."
                )
            options.balanced = True
        elif self.class_weight is not None:
            each = compute_class_weight(self.class_weight, classes=self.classes, y=self.classes)
            for label, factor in zip(self.classes.tolist(), each, strict=True):
                if not (factor > 0 and np.isfinite(factor)):
                    raise ValueError(
                        f"class_weight of {label!r} is {factor:g}: it must be above 0, or 0 to leave the class out"
                    )
            options.class_weights = [(str(place), float(factor)) for place, factor in enumerate(each)]

    def words(self):
        """As a file holds them, and what they are there."""
        kind = self.classes.dtype.kind
        return _words(self.classes), "real" if kind == "f" else "integer" if kind in "iu" else "category"

    @classmethod
    def of_model(cls, model):
        """From a file; the score of two classes is that of the second, whichever that is there."""
        turned = len(model.classes) == 2 and model.positive_class == 0
        words = model.classes[::-1] if turned else model.classes
        if model.class_type == "category":
            truth = sorted(words) == ["False", "True"]
            found = cls(np.array([word == "True" for word in words] if truth else words))
        else:
            found = cls(np.array([int(word) if model.class_type == "integer" else float(word) for word in words]))
        found.turned, found.rest = turned, tuple(model.class_rest)
        return found


def _words(labels):
    """Labels as a file holds them."""
    if labels.dtype.kind == "f":
        return [str(int(label)) if label.is_integer() else repr(label) for label in labels.tolist()]
    return [str(label) for label in labels.tolist()]
