"""Text as each library reads it: seconds, and how many terms there are."""

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path


def problem(job):
    with open(job["file"], newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [row[0] for row in rows], [row[1] for row in rows]


def recta_text_fit(job, timed):
    """The program, from the file to the proved model; what it prints is read after the clock has stopped."""
    import recta

    program = os.environ.get("RECTA", Path(__file__).resolve().parents[1] / "build" / "release" / "recta")
    words = [
        program,
        "fit",
        "naive-bayes",
        job["file"],
        "--text",
        "text",
        "--target",
        "label",
        "--json",
        "--threads",
        os.environ.get("OMP_NUM_THREADS", "1"),
    ]
    if job.get("pairs"):
        words += ["--text-ngrams", "1:2", "--tfidf"]
    seconds, ran = timed(lambda: subprocess.run(words, capture_output=True, text=True, check=True), job["repeat"])
    return seconds, recta.__version__, {"terms": json.loads(ran.stdout)["texts"][0]["terms"]}


CYRILLIC = str.maketrans("etaoinshrdlucmfwyp", "етаоинсхрдлуцмфвып")


def spelled(job):
    """The texts, in letters of two bytes if asked for, and their size in megabytes."""
    texts, _ = problem(job)
    if job.get("cyrillic"):
        texts = [text.translate(CYRILLIC) for text in texts]
    return texts, sum(len(text.encode()) for text in texts) / 1e6


def recta_counts(job, timed):
    import recta
    from recta.feature_extraction.text import CountVectorizer

    texts, size = spelled(job)
    seconds, counts = timed(lambda: CountVectorizer().fit_transform(texts), job["repeat"])
    return (
        seconds,
        recta.__version__,
        {"terms": counts.shape[1], "speed": size / min(seconds) / int(os.environ.get("OMP_NUM_THREADS", "1"))},
    )


def sklearn_counts(job, timed):
    import sklearn
    from sklearn.feature_extraction.text import CountVectorizer

    texts, _ = spelled(job)
    seconds, counts = timed(lambda: CountVectorizer().fit_transform(texts), job["repeat"])
    return seconds, sklearn.__version__, {"terms": counts.shape[1]}


def sklearn_tfidf_fit(job, timed):
    import sklearn
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.naive_bayes import MultinomialNB

    texts, labels = problem(job)
    counts = TfidfVectorizer(ngram_range=(1, 2))
    seconds, _ = timed(lambda: MultinomialNB().fit(counts.fit_transform(texts), labels), job["repeat"])
    return seconds, sklearn.__version__, {"terms": len(counts.vocabulary_)}


def program(*words):
    """What the program prints, with as many threads as the peers have."""
    path = os.environ.get("RECTA", Path(__file__).resolve().parents[1] / "build" / "release" / "recta")
    return subprocess.run(
        [path, *words, "--threads", os.environ.get("OMP_NUM_THREADS", "1")], capture_output=True, text=True, check=True
    ).stdout


def judged(found, labels):
    """The share of labels that is right, and their number."""
    return {"right": sum(a == b for a, b in zip(found, labels, strict=True)) / len(labels), "judged": len(labels)}


def recta_judged(job, timed):
    """The clock runs until the model is proved: as with the peers, it is written to a file only to be judged."""
    import recta

    words = ["fit", job["word"], job["train"], "--text", "text", "--target", "label", "-q", *job["flags"]]
    seconds, _ = timed(lambda: program(*words), job["repeat"])
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/m.recta"
        program(*words, "-o", model)
        found = program("predict", model, job["test"], "-q").splitlines()[1:]
    return seconds, recta.__version__, judged(found, problem({"file": job["test"]})[1])


def sklearn_judged(job, timed):
    import sklearn
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    texts, labels = problem({"file": job["train"]})
    words = CountVectorizer() if job["word"] == "naive-bayes" else TfidfVectorizer(ngram_range=(1, job["longest"]))
    model = make_pipeline(
        words, MultinomialNB() if job["word"] == "naive-bayes" else LogisticRegression(C=job["C"], max_iter=1000)
    )
    seconds, _ = timed(lambda: model.fit(texts, labels), job["repeat"])
    asked, answers = problem({"file": job["test"]})
    return seconds, sklearn.__version__, judged(model.predict(asked), answers)


def one_line(text):
    return " ".join(text.split())


def fasttext_judged(job, timed):
    """Words, and pairs of them if asked for, 25 passes: the 5 of its default are too few for two thousand documents."""
    import importlib.metadata

    import fasttext

    texts, labels = problem({"file": job["train"]})
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(
            f"__label__{label} {one_line(text).lower()}\n" for text, label in zip(texts, labels, strict=True)
        )
        file.flush()
        train = lambda: fasttext.train_supervised(
            file.name,
            wordNgrams=job["longest"],
            epoch=25,
            lr=0.5,
            verbose=0,
            thread=int(os.environ.get("OMP_NUM_THREADS", "1")),
        )
        seconds, model = timed(train, job["repeat"])
    asked, answers = problem({"file": job["test"]})
    labels, _ = model.predict([one_line(text).lower() for text in asked])  # one text at a time fails with NumPy 2
    found = [best.removeprefix("__label__") for best, *_ in labels]
    return seconds, importlib.metadata.version("fasttext-wheel"), judged(found, answers)


def vowpal_wabbit_judged(job, timed):
    """Words, and pairs of them if asked for, hashed to 2^22, ten passes of logistic regression, one against all."""
    import importlib.metadata
    import re

    import vowpalwabbit

    texts, labels = problem({"file": job["train"]})
    places = {label: k + 1 for k, label in enumerate(sorted(set(labels)))}
    words = lambda text: " ".join(re.findall(r"\w+", text.lower()))
    pairs = " --ngram 2" if job["longest"] > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        path.write_text(
            "".join(f"{places[label]} | {words(text)}\n" for text, label in zip(texts, labels, strict=True))
        )
        arguments = f"--oaa {len(places)} --loss_function logistic{pairs} -b 22 --passes 10 --cache_file {folder}/c -k --holdout_off --quiet -d {path}"

        def train():
            model = vowpalwabbit.Workspace(arguments)
            model.finish()

        seconds, _ = timed(train, job["repeat"])
        model = vowpalwabbit.Workspace(f"{arguments} -f {folder}/m")
        model.finish()
        model = vowpalwabbit.Workspace(f"-i {folder}/m -t --quiet")
        asked, answers = problem({"file": job["test"]})
        labels = {place: label for label, place in places.items()}
        found = [labels[model.predict(f"| {words(text)}")] for text in asked]
    return seconds, importlib.metadata.version("vowpalwabbit"), judged(found, answers)


PEERS = {
    "recta text fit": recta_text_fit,
    "recta counts": recta_counts,
    "sklearn counts": sklearn_counts,
    "sklearn tfidf fit": sklearn_tfidf_fit,
    "recta judged": recta_judged,
    "sklearn judged": sklearn_judged,
    "fasttext judged": fasttext_judged,
    "vowpal wabbit judged": vowpal_wabbit_judged,
}
