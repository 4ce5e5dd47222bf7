"""JSON lines as data: the answers of the same table as CSV, documents, streams, and errors with line and column."""

import json

ROWS = [
    {"message": 'win a prize, "now"', "length": 3, "label": "spam"},
    {"message": "see you\nat noon", "length": 2, "label": "ham"},
    {"label": "spam", "message": "a prize for you", "length": 4},
    {"message": "noon is fine", "label": "ham", "length": None},
]


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def fields(answer, *names):
    found = json.loads(answer.stdout)
    return [found[name] for name in names]


def test_a_fit_of_json_lines_is_that_of_the_same_csv(run, tmp_path):
    rows = [{"a": 0.5 * i, "b": ["x", "y", "z"][i % 3], "y": 2.0 * i + (i % 3)} for i in range(12)]
    data = lines(tmp_path / "t.jsonl", rows)
    csv = tmp_path / "t.csv"
    csv.write_text("a,b,y\n" + "".join(f"{row['a']},{row['b']},{row['y']}\n" for row in rows))
    one, other = (run("fit", "linear", path, "--target", "y", "--json") for path in (data, csv))
    assert one.returncode == other.returncode == 0
    assert fields(one, "coefficients", "intercept") == fields(other, "coefficients", "intercept")
    streamed = run("fit", "linear", data, "--target", "y", "--stream", "--json")
    assert fields(streamed, "coefficients") == fields(one, "coefficients")


def test_documents_of_json_lines_are_read_from_a_file_a_stream_and_standard_input(run, tmp_path):
    data = lines(tmp_path / "sms.jsonl", ROWS)
    words = ["fit", "naive-bayes", "--text", "message", "--target", "label", "--ignore", "length", "--json"]
    answers = [run(*words, data), run(*words, "--stream", data), run(*words, "-", stdin=data.read_text())]
    assert [answer.returncode for answer in answers] == [0, 0, 0], [answer.stderr for answer in answers]
    terms = [json.loads(answer.stdout)["texts"][0]["terms"] for answer in answers]
    assert terms == [terms[0]] * 3
    classes = [json.loads(answer.stdout)["classes"] for answer in answers]
    assert classes == [classes[0]] * 3


def test_a_late_key_is_a_column_and_wrong_lines_are_named(run, tmp_path):
    rows = [{"a": i, "y": i * i} for i in range(300)] + [{"a": 300, "y": 2, "late": 1}]
    found = run("check", lines(tmp_path / "late.jsonl", rows), "--json")
    assert found.returncode == 0 and "late" in found.stdout
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"a": 1, "y": 2}\n{"a": [1], "y": 2}\n')
    refused = run("fit", "linear", bad, "--target", "y")
    assert refused.returncode != 0
    assert 'bad.jsonl:2:7: the key "a" holds a list' in refused.stderr
