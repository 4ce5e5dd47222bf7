"""Documents to counts and models, beside scikit-learn's vectorizers: the same terms, from a file on our side, from memory on theirs."""

import numpy as np
from corpora import corpora
from harness import DATA, Bar, Case, Contender
from text_peers import problem


def known_words(random, count):
    letters = np.array(list("etaoinshrdlucmfwyp"))
    return np.array(["".join(random.choice(letters, size=size)) for size in random.integers(3, 11, size=count)])


def documents(rows, words, vocabulary=50_000, seed=41):
    """Words drawn by Zipf's law, a hundred a row, and one of four labels."""
    path = DATA / f"documents-{rows}x{words}-{seed}.csv"
    if path.exists():
        return str(path)
    random = np.random.default_rng(seed)
    known = known_words(random, vocabulary)
    share = 1 / np.arange(1, vocabulary + 1)
    with path.open("w") as file:
        file.write("text,label\n")
        for begin in range(0, rows, 10_000):
            chosen = known[random.choice(vocabulary, size=(min(10_000, rows - begin), words), p=share / share.sum())]
            labels = random.choice(list("abcd"), size=len(chosen))
            file.writelines(f"{' '.join(row)},{label}\n" for row, label in zip(chosen, labels, strict=True))
    return str(path)


def judged_documents(rows, words, vocabulary=50_000, seed=43):
    """The same with labels that depend on the words, one in ten of them wrong; a tenth of the documents is held out."""
    files = {part: DATA / f"judged-{part}-{rows}x{words}-{seed}.csv" for part in ("train", "test")}
    if not files["test"].exists():
        random = np.random.default_rng(seed)
        known, pull = known_words(random, vocabulary), random.standard_normal(vocabulary)
        share = 1 / np.arange(1, vocabulary + 1)
        for part, path in files.items():
            with path.open("w") as file:
                file.write("text,label\n")
                for _ in range(rows // 10_000 if part == "train" else rows // 100_000):
                    chosen = random.choice(vocabulary, size=(10_000, words), p=share / share.sum())
                    for_it = (pull[chosen].sum(axis=1) > 0) ^ (random.random(10_000) < 0.1)
                    file.writelines(
                        f"{' '.join(row)},{'for' if label else 'against'}\n"
                        for row, label in zip(known[chosen], for_it, strict=True)
                    )
    return {part: str(path) for part, path in files.items()}


def same_terms(ours, theirs):
    a, b = ours.more["terms"], theirs.more["terms"]
    return None if a == b else f"{b} terms against {a}"


def text(quick):
    """Tokens, counts and a multinomial fit with its proof, beside the counting alone; with pairs of words and tf-idf; in Python."""
    rows = 2_000 if quick else 100_000
    job = {"file": documents(rows, 100), "repeat": 2}
    cases = [
        ("words", {}, "scikit-learn's counts alone", "sklearn counts", 15),
        (
            "words and pairs, tf-idf",
            {"pairs": 1, "file": documents(rows // 5, 100)},
            "scikit-learn's counts and fit",
            "sklearn tfidf fit",
            10,
        ),
    ]
    for name, more, than, peer, bar in cases:
        ours = Contender("recta fit", {"peer": "recta text fit", **job, **more}, True)

        def bars(there, than=than, peer=peer, bar=bar):
            return [] if quick else [Bar(f"faster than {than}", there[peer].best / there["recta fit"].best, bar, True)]

        yield Case(
            f"text, {name}, file to model, {rows if name == 'words' else rows // 5} documents",
            [ours, Contender(peer, {**job, **more}, False)],
            same_terms,
            bars,
            2,
        )
    for letters, speed in (("Latin", 60), ("Cyrillic", 25)):
        job = {**job, "cyrillic": int(letters == "Cyrillic")}

        def bars(there, speed=speed):
            ours = there["recta CountVectorizer"]
            return (
                []
                if quick
                else [
                    Bar("faster than scikit-learn's", there["sklearn counts"].best / ours.best, 4, True),
                    Bar("megabytes a second on a core", ours.more["speed"], speed, True),
                ]
            )

        yield Case(
            f"text, CountVectorizer, {rows} documents in {letters} letters",
            [
                Contender("recta CountVectorizer", {"peer": "recta counts", **job}, True),
                Contender("sklearn counts", job, False),
            ],
            same_terms,
            bars,
            2,
        )
    if not quick:
        yield from real_texts()


SAME_WORDS = ["--text-tokens", "word-characters", "--text-shortest", "2"]  # as scikit-learn has them


def real_texts():
    """File to model, and the share of held-out documents that is right: words for naive Bayes, tf-idf for logistic regression, with pairs on real documents."""
    planted = ("100000 documents", judged_documents(100_000, 100), 1, 1.0)
    for name, files, longest, strength in [planted, *((name, files, 2, 10.0) for name, files in corpora())]:
        labels = problem({"file": files["train"]})[1]
        model = "logistic" if len(set(labels)) == 2 else "softmax"
        for word, flags, peers in (
            ("naive-bayes", [], ["sklearn"]),
            (model, ["--text-ngrams", f"1:{longest}", "--tfidf"], ["sklearn", "fasttext", "vowpal wabbit"]),
        ):
            if word == model:
                flags = [*flags, "--lambda", repr(1 / (strength * len(labels)))]
            job = {
                **files,
                "word": word,
                "flags": [*SAME_WORDS, *flags],
                "C": strength,
                "longest": longest,
                "repeat": 1,
            }
            contenders = [
                Contender("recta", {"peer": "recta judged", **job}, True),
                *(Contender(peer, {"peer": f"{peer} judged", **job}) for peer in peers),
            ]

            def bars(there):
                ours = there["recta"]
                return [
                    bar
                    for peer, c in there.items()
                    if peer != "recta"
                    for bar in (
                        Bar(f"faster than {peer}", c.best / ours.best, 1, True),
                        Bar(
                            f"held-out documents right beyond those of {peer}, in standard errors",
                            beyond(ours.more, c.more),
                            -1,
                            True,
                        ),
                    )
                ]

            yield Case(f"text, {name}, {word}, file to model", contenders, lambda ours, theirs: None, bars, 1)


def beyond(ours, theirs):
    """How much more is right, in units of the standard error of our share: below one, chance tells the two no longer apart."""
    error = (ours["right"] * (1 - ours["right"]) / ours["judged"]) ** 0.5
    return (ours["right"] - theirs["right"]) / max(error, 1 / ours["judged"])
