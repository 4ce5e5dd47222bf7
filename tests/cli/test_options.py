"""Options that all models share: every one comes through the job of an engine to where it is read."""

import json
import os

import pytest

# What is given, and what stands in the job; the rest has its default there.
GIVEN = {
    "--target y": {"target": ["y"]},
    "--positive a": {"positive": "a"},
    "--class-weights a=2": {"class_weights": [["a", 2]]},
    "--class-weights balanced": {"balanced": True},
    "--weights w": {"weights": "w"},
    "--weights-are frequency": {"weights_are": "frequency"},
    "--offset o": {"offset": "o"},
    "--ignore u,v --id n": {"ignore": ["u", "v", "n"]},
    "--missing drop": {"missing": "drop"},
    "--unseen zeros": {"unseen": "zeros"},
    "--multiclass ovo": {"multiclass": "ovo"},
    "--label-set l --label-separator ;": {"label_set": "l", "label_separator": ";"},
    "--label-columns l,m": {"label_columns": ["l", "m"]},
    "--chain m,l": {"chain": ["m", "l"]},
    "--chain random:7 --chains 3": {"chains": 3, "chain_seed": 7},
    "--label-threshold 0.3": {"label_thresholds": [["", 0.3]]},
    "--label-threshold held-out:0.2": {"threshold_share": 0.2},
    "--poly 2 --poly-terms powers": {"poly": 2, "poly_terms": "powers"},
    "--basis log(a) --basis spline(b,5)": {"basis": ["log(a)", "spline(b,5)"]},
    "--feature a*b": {"feature": ["a*b"]},
    "--no-intercept --standardise": {"intercept": False, "standardise": True},
    "--tolerance 1e-7 --confidence 0.9": {"tolerance": 1e-7, "confidence": 0.9},
    "--time-limit 9 --seed 5": {"time_limit": 9, "seed": 5},
    "--errors hc2 --intervals": {"errors": "hc2", "intervals": True},
    "--condition 10:100": {"condition_low": 10, "condition_high": 100},
    "--lambda 0.5": {"params": {"lambda": 0.5}},
}
STAY = {"cluster", "components", "max_inflation", "max_memory", "missing_neighbours", "threads"}


@pytest.fixture
def job(run, tmp_path):
    """The options of the job that a command line makes, and what was said."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\ncat > {tmp_path}/job.json\nexit 126\n")
    python.chmod(0o755)

    def call(*flags):
        (tmp_path / "job.json").unlink(missing_ok=True)
        environment = os.environ | {"RECTA_PYTHON": str(python)}
        done = run("fit", "ridge", "rows.csv", *flags, "--engine", "spark", env=environment)
        there = (tmp_path / "job.json").exists()
        return (json.loads((tmp_path / "job.json").read_text())["options"] if there else None), done.stderr

    return call


def test_every_option_has_its_value_in_the_job_and_no_other_changes(job):
    plain, _ = job()
    for flags, expected in GIVEN.items():
        options, said = job(*flags.split())
        assert options is not None, said
        assert {name: value for name, value in options.items() if value != plain[name]} == expected, flags
    assert {name for expected in GIVEN.values() for name in expected} == set(plain) - {"text"}


def test_columns_of_documents_travel_with_all_their_settings(job):
    options, _ = job("--text", "a,b", "--tfidf", "--text-ngrams", "1:2", "--max-df", "0.5", "--stem", "english")
    assert [one["column"] for one in options["text"]] == ["a", "b"]
    first = options["text"][0]
    assert first["idf"] and first["norm"] == "l2" and (first["least_length"], first["most_length"]) == (1, 2)
    assert first["most_documents"] == [0.5, True] and first["stemmer"] == "english" and first["unit"] == "words"
    options, _ = job("--text", "a", "--text-unit", "characters-in-words")
    assert options["text"][0]["unit"] == "characters_in_words"


@pytest.mark.parametrize("flags", ["--cluster c", "--max-vif 5", "--components 2", "--missing-neighbours 3"])
def test_what_needs_all_rows_in_one_place_is_refused(job, flags):
    options, said = job(*flags.split())
    assert options is None
    assert f"{flags.split()[0]}: an engine does not do this" in said


def test_python_reads_the_job_as_it_was_written(job):
    core = pytest.importorskip("recta._core")
    pytest.importorskip("pyarrow")
    from recta._distributed.parts_of_tables import unpacked
    from recta._distributed.rounds import packed

    assert {one.name for one in core.options()} - {one.name for one in core.options() if one.of_parts} == STAY | {
        "time_limit"
    }
    text = ("--text", "t", "--tfidf", "--min-df", "0.25", "--stop-words", "english")
    for flags in [*(each.split() for each in GIVEN), text]:
        options, said = job(*flags)
        assert options is not None, said
        read = unpacked(options)
        assert read.time_limit == options.pop("time_limit")
        assert json.loads(json.dumps(packed(read))) == options, flags


def test_a_search_goes_on_only_with_the_options_it_began_with(run, tmp_path):
    rows = [f"{'red cat' if k % 2 else 'blue dog'} {k % 3},{'yes' if k % 2 else 'no'}" for k in range(24)]
    (tmp_path / "rows.csv").write_text("message,label\n" + "\n".join(rows) + "\n")
    search = ["cv", "naive-bayes", "rows.csv", "--target", "label", "--text", "message", "--folds", "3"]
    search += ["--grid", "alpha=0.5,1", "--resume", "search.jsonl"]
    assert run(*search).returncode == 0
    assert "6 fits were there already" in run(*search).stderr
    assert "6 fits were there already" in run(*search, "--threads", "1", "--time-limit", "100").stderr
    for other in (["--text-ngrams", "1:2"], ["--unseen", "zeros"], ["--weights-are", "frequency"]):
        refused = run(*search, *other)
        assert refused.returncode == 2
        assert "the search in this file has other settings" in refused.stderr
