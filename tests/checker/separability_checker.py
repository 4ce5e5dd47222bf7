"""Reads what `recta check --separable --json` says and the rows themselves, and says what of it is false. Shares no code with
Recta: rows are fractions, and so are the sums."""

import csv
import json
from fractions import Fraction


def rows_of(path):
    """Features and the text of the label, the last column."""
    lines = list(csv.reader(path.open()))[1:]
    return [[Fraction(float(cell)) for cell in line[:-1]] for line in lines], [line[-1] for line in lines]


def faults(found, path):
    x, labels = rows_of(path)
    y = [1 if label == found["positive"] else -1 for label in labels]
    wrong = []
    verdict = found["verdict"]
    v = [Fraction(0)] * len(x[0])
    total = signs = Fraction(0)
    rounding = 0.0  # of multipliers that are fractions too long to be shown, each to 2^-52 of itself: what |v| has of it at most
    for m in found["multipliers"]:
        a = Fraction(m["fraction"]) if m["fraction"] else Fraction(m["value"])
        i = m["row"] - 1
        if a <= 0:
            wrong.append(f"row {m['row']} has the multiplier {a}")
        total += a
        signs += a * y[i]
        v = [s + a * y[i] * number for s, number in zip(v, x[i])]
        if found["exact"] and not m["fraction"]:
            rounding += 2.0**-52 * float(a) * float(sum(number * number for number in x[i])) ** 0.5
    square = sum(s * s for s in v)
    as_fractions = all(m["fraction"] for m in found["multipliers"])
    if found["exact"] and as_fractions:
        if total != 1 or (found["intercept"] and signs != 0):
            wrong.append(f"multipliers sum to {total}, with signs to {signs}")
        if verdict == "separable" and square != Fraction(found["margin"]["squared"] or square):
            wrong.append(f"|v|^2 is {square}, not {found['margin']['squared']}")
        if verdict != "separable" and square != 0:
            wrong.append(f"v is {v}, not zero")
    if verdict in ("separable", "separable except for some rows"):
        w = [Fraction(weight) for weight in found["hyperplane"]["weights"].values()]
        b = Fraction(found["hyperplane"]["intercept"])
        length = float(sum(weight * weight for weight in w)) ** 0.5
        on = set(found["on_hyperplane"])
        for i, numbers in enumerate(x):
            side = float(y[i] * (sum(s * t for s, t in zip(w, numbers)) + b)) / length
            if i + 1 in on:
                if abs(side) > 1e-12 * (1 + max(abs(float(number)) for number in numbers)):
                    wrong.append(f"row {i + 1} is {side} off the hyperplane")
            elif side <= 0 or (verdict == "separable" and side < found["margin"]["lower"] * (1 - 1e-12)):
                wrong.append(f"row {i + 1} is {side} on its side")
    if verdict == "separable" and float(square) ** 0.5 - rounding > found["margin"]["upper"] * (1 + 1e-12):
        wrong.append(f"the upper margin {found['margin']['upper']} is below |v| = {float(square) ** 0.5}")
    return wrong


def said(text):
    return json.loads(text)
