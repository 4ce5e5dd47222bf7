"""The installed scikit-learn's own tests, run with its classes and functions rebound to Recta's of the same name.

    .venv/bin/python python/tests/rebound             compare what fails with differences.tsv: about ten minutes
    .venv/bin/python python/tests/rebound -n 8        the same in 8 processes
    .venv/bin/python python/tests/rebound -k huber    some tests only, chosen as by pytest
    .venv/bin/python python/tests/rebound --write     make differences.tsv true: new failures are entered as defects

``differences.tsv`` holds each test that fails, in how many cases, and why that is accepted: ``absent`` (Recta does not have it and says
so), ``documented`` (Recta does otherwise on purpose) or ``internal`` (the test looks at scikit-learn's own parts or words). A test that
fails and is not listed, one that is listed and passes, another number of cases, and a row of the kind ``defect`` fail the run.
"""

import argparse
import csv
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
LIST = HERE / "differences.tsv"
COLUMNS = ("test", "cases", "kind", "reason")
ACCEPTED = ("absent", "documented", "internal")
SITE = (
    importlib.util.find_spec("sklearn").submodule_search_locations[0] + "/.."
)  # what the names of tests in the report begin at
# Modules that are rebound together, and the tests that are then run.
RUNS = {
    "linear_model svm feature_extraction.text": (
        "sklearn.linear_model.tests",
        "sklearn.linear_model._glm.tests",
        "sklearn.svm.tests.test_svm",
        "sklearn.feature_extraction.tests.test_text",
    ),
    "linear_model svm feature_extraction.text naive_bayes neighbors discriminant_analysis kernel_ridge decomposition kernel_approximation dummy "
    "multiclass multioutput calibration metrics preprocessing model_selection impute": (
        "sklearn.svm.tests.test_sparse",
        "sklearn.tests.test_naive_bayes",
        "sklearn.tests.test_discriminant_analysis",
        "sklearn.tests.test_kernel_ridge",
        "sklearn.decomposition.tests.test_kernel_pca",
        "sklearn.tests.test_kernel_approximation",
        "sklearn.tests.test_dummy",
        "sklearn.impute.tests.test_knn",
        "sklearn.neighbors.tests.test_kde",
        "sklearn.neighbors.tests.test_lof",
        "sklearn.neighbors.tests.test_nearest_centroid",
        "sklearn.neighbors.tests.test_neighbors",
        "sklearn.neighbors.tests.test_neighbors_pipeline",
        "sklearn.neighbors.tests.test_graph",
        "sklearn.tests.test_multiclass",
        "sklearn.tests.test_multioutput",
        "sklearn.model_selection.tests.test_validation",
        "sklearn.metrics.tests.test_classification",
        "sklearn.metrics.tests.test_common",
        "sklearn.metrics.tests.test_ranking",
        "sklearn.metrics.tests.test_regression",
        "sklearn.tests.test_calibration",
        "sklearn.preprocessing.tests.test_data",
        "sklearn.preprocessing.tests.test_encoders",
        "sklearn.preprocessing.tests.test_polynomial",
    ),
}


class Difference(NamedTuple):
    cases: int
    kind: str
    reason: str


class Outcome:
    """Of one test: its cases, those that failed, and what the first of these said."""

    def __init__(self):
        self.cases, self.failures, self.message = 0, 0, ""


def listed():
    with LIST.open(newline="", encoding="utf-8") as file:
        rows = csv.reader((line for line in file if not line.startswith("#")), delimiter="\t")
        assert tuple(next(rows)) == COLUMNS
        return {test: Difference(int(cases), kind, reason) for test, cases, kind, reason in rows}


def write(differences):
    with LIST.open("w", newline="", encoding="utf-8") as file:
        file.write(f"# Where the tests of scikit-learn {version('scikit-learn')} and Recta differ; see __main__.py.\n")
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(COLUMNS)
        rows.writerows((test, *difference) for test, difference in sorted(differences.items()))


def run(processes, expression):
    """Outcomes by test, from pytest's reports; the tests are those of the installed scikit-learn."""
    tests = {}
    for modules, tested in RUNS.items():
        tests |= outcomes(report_of(modules, tested, processes, expression))
    return tests


def report_of(modules, tested, processes, expression):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = [
            "-q",
            "--tb=no",
            "--no-summary",
            "--disable-warnings",
            "-c",
            os.devnull,
            "--rootdir",
            SITE,
            f"--junitxml={report}",
            "-n",
            str(processes),
            *(["-k", expression] if expression else []),
        ]
        environment = os.environ | {
            "PYTHONPATH": str(HERE),
            "SKLEARN_TESTS_GLOBAL_RANDOM_SEED": "42",
            "OMP_NUM_THREADS": "1",
            "REBOUND_MODULES": modules,
        }
        status = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "rebinding",
                "-p",
                "no:cacheprovider",
                *options,
                "--pyargs",
                *tested,
            ],
            cwd=folder,
            env=environment,
        ).returncode
        if status not in (0, 1, 5):  # 1: some tests failed; 5: none is chosen by the expression
            sys.exit(f"pytest ended with status {status}")
        return ElementTree.parse(report)


def outcomes(report):
    tests = {}
    for case in report.iter("testcase"):
        if case.find("skipped") is not None:
            continue
        test = f"{case.get('classname').rpartition('.')[2]}.py::{case.get('name').partition('[')[0]}"
        outcome = tests.setdefault(test, Outcome())
        outcome.cases += 1
        wrong = case.find("failure")
        wrong = case.find("error") if wrong is None else wrong
        if wrong is not None:
            outcome.failures += 1
            outcome.message = outcome.message or wrong.get("message", "").partition("\n")[0]
    return tests


def complaint(outcome, difference):
    """What is wrong with a test beside its row of the list, where there is one; empty: nothing."""
    if difference is None:
        return f"{outcome.failures} of {outcome.cases} cases fail: {outcome.message}" if outcome.failures else ""
    if difference.kind not in ACCEPTED:
        return f"listed as {difference.kind}: {difference.reason}"
    if outcome.failures != difference.cases:
        return f"{difference.cases} cases are listed ({difference.reason}), and {outcome.failures} of {outcome.cases} fail: {outcome.message}"
    return ""


def write_report(path, complaints):
    """A JUnit report with a line per test of scikit-learn, all its cases together."""
    failures = sum(map(bool, complaints.values()))
    suite = ElementTree.Element(
        "testsuite", name="rebound", tests=str(len(complaints)), failures=str(failures), errors="0", skipped="0"
    )
    for test, text in complaints.items():
        case = ElementTree.SubElement(suite, "testcase", name=test)
        if text:
            ElementTree.SubElement(case, "failure", message=text)
    ElementTree.ElementTree(suite).write(path)


def made_true(differences, tests):
    """The list with the counts of this run; what passes is taken out, what is new is a defect until someone gives a reason."""
    return {
        test: differences[test]._replace(cases=outcome.failures)
        if test in differences
        else Difference(outcome.failures, "defect", outcome.message)
        for test, outcome in tests.items()
        if outcome.failures
    }


def told(tests, differences, complaints):
    for test, text in complaints.items():
        if text:
            print(f"{test}: {text}")
    cases, failures = (
        sum(outcome.cases for outcome in tests.values()),
        sum(outcome.failures for outcome in tests.values()),
    )
    kinds = Counter()
    for test in tests.keys() & differences.keys():
        kinds[differences[test].kind] += differences[test].cases
    print(
        f"{cases} cases of {len(tests)} tests, {failures} fail; listed: "
        + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=0, metavar="PROCESSES", help="how many at once")
    parser.add_argument("-k", default="", metavar="EXPRESSION", help="some tests only")
    parser.add_argument("--write", action="store_true", help="make the list true")
    parser.add_argument("--report", help="where a JUnit report goes")
    arguments = parser.parse_args()
    differences, tests = listed(), run(arguments.n, arguments.k)
    if not arguments.k:  # all tests ran: a row whose test is gone is seen
        tests = {test: Outcome() for test in differences} | tests
    if arguments.write:
        untouched = {test: row for test, row in differences.items() if test not in tests}
        return write(untouched | made_true(differences, tests))
    complaints = {test: complaint(outcome, differences.get(test)) for test, outcome in sorted(tests.items())}
    if arguments.report:
        write_report(arguments.report, complaints)
    told(tests, differences, complaints)
    return 1 if any(complaints.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
