"""Real documents with labels, as two CSV files each, to learn from and to be judged by; every fifth document is held out unless a set has its own split."""

import csv
import tarfile

from harness import DATA, SHARED


def write(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])


def fifths(rows):
    return [row for i, row in enumerate(rows) if i % 5], rows[::5]


def of_archive(path, label, text):
    with tarfile.open(path) as archive:
        files = sorted(
            (member for member in archive if member.isfile() and label(member.name)), key=lambda member: member.name
        )
        return [
            (text(archive.extractfile(member).read().decode("utf-8", "replace")), label(member.name))
            for member in files
        ]


def reviews():
    return fifths(
        of_archive(
            SHARED / "text_movie_review_polarity" / "review_polarity.tar.gz",
            lambda name: name.split("/")[-2] if name.endswith(".txt") and name.count("/") == 2 else None,
            str,
        )
    )


def messages():
    with (SHARED / "text_sms_spam" / "sms.tsv").open() as file:
        return fifths([(line.rstrip("\n").split("\t", 1)[1], line.split("\t", 1)[0]) for line in file])


def newsgroups():
    """Without their headers, which name the group."""
    return fifths(
        of_archive(
            SHARED / "text_20news_mini" / "mini_newsgroups.tar.gz",
            lambda name: (
                name.split("/")[1] if name.count("/") == 2 and not name.split("/")[-1].startswith(".") else None
            ),
            lambda text: text.partition("\n\n")[2],
        )
    )


def spanish_tweets():
    def part(name):
        folder = SHARED / "text_es_tweet_sentiment"
        return list(
            zip(
                (folder / f"{name}_text.txt").read_text().splitlines(),
                (folder / f"{name}_labels.txt").read_text().split(),
                strict=True,
            )
        )

    return part("train"), part("test")


def corpora():
    """Names, and the files of those that are there."""
    for make in (reviews, messages, newsgroups, spanish_tweets):
        name = make.__name__.replace("_", " ")
        train, test = (DATA / f"{make.__name__}-{part}.csv" for part in ("train", "test"))
        if not test.exists():
            try:
                learned, judged = make()
            except FileNotFoundError:
                continue
            write(train, learned)
            write(test, judged)
        yield name, {"train": str(train), "test": str(test)}
