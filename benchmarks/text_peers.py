"""Text as each library reads it: seconds, and how many terms there are."""

import csv
import json
import os
import subprocess
from pathlib import Path


def problem(job):
    with open(job["file"], newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [row[0] for row in rows], [row[1] for row in rows]


def recta_text_fit(job, timed):
    """The program, from the file to the proved model; what it prints is read after the clock has stopped."""
    import recta

    program = os.environ.get("RECTA", Path(__file__).resolve().parents[1] / "build" / "release" / "recta")
    words = [program, "fit", "naive-bayes", job["file"], "--text", "text", "--target", "label", "--json",
             "--threads", os.environ.get("OMP_NUM_THREADS", "1")]
    if job.get("pairs"):
        words += ["--text-ngrams", "1:2", "--tfidf"]
    seconds, ran = timed(lambda: subprocess.run(words, capture_output=True, text=True, check=True), job["repeat"])
    return seconds, recta.__version__, {"terms": json.loads(ran.stdout)["texts"][0]["terms"]}


def recta_counts(job, timed):
    import recta
    from recta.feature_extraction.text import CountVectorizer

    texts, _ = problem(job)
    seconds, counts = timed(lambda: CountVectorizer().fit_transform(texts), job["repeat"])
    return seconds, recta.__version__, {"terms": counts.shape[1]}


def sklearn_counts(job, timed):
    import sklearn
    from sklearn.feature_extraction.text import CountVectorizer

    texts, _ = problem(job)
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


PEERS = {
    "recta text fit": recta_text_fit,
    "recta counts": recta_counts,
    "sklearn counts": sklearn_counts,
    "sklearn tfidf fit": sklearn_tfidf_fit,
}
