"""The comparison with scikit-learn's own tests says what is new, what is gone and what is not accepted; the tests themselves are slow and
run in ./test --full."""

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

import pytest

PUBLIC = (
    "linear_model",
    "svm",
    "naive_bayes",
    "neighbors",
    "discriminant_analysis",
    "kernel_ridge",
    "decomposition",
    "kernel_approximation",
    "dummy",
    "feature_extraction.text",
    "multiclass",
    "multioutput",
    "calibration",
    "impute",
    "metrics",
    "preprocessing",
    "model_selection",
)
PLACE = Path(__file__).parent / "rebound/__main__.py"


@pytest.fixture(scope="module")
def rebound():
    spec = importlib.util.spec_from_file_location("rebound_main", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tests(rebound):
    report = ElementTree.fromstring("""<testsuites>
        <testcase classname="sklearn.tests.test_a" name="test_one[1]"/>
        <testcase classname="sklearn.tests.test_a" name="test_one[2]"><failure message="no&#10;and why"/></testcase>
        <testcase classname="sklearn.tests.test_a" name="test_one[3]"><error message="broken"/></testcase>
        <testcase classname="sklearn.tests.test_a" name="test_two"/>
        <testcase classname="sklearn.tests.test_a" name="test_two[other]"><skipped/></testcase></testsuites>""")
    return rebound.outcomes(report)


def test_cases_of_a_test_are_counted_together(tests):
    assert {test: (outcome.cases, outcome.failures, outcome.message) for test, outcome in tests.items()} == {
        "test_a.py::test_one": (3, 2, "no"),
        "test_a.py::test_two": (1, 0, ""),
    }


def test_what_fails_must_be_listed_and_what_is_listed_must_fail(rebound, tests):
    one, two, accepted = (
        tests["test_a.py::test_one"],
        tests["test_a.py::test_two"],
        rebound.Difference(2, "absent", "because"),
    )
    assert rebound.complaint(one, accepted) == rebound.complaint(two, None) == ""
    assert rebound.complaint(one, None) == "2 of 3 cases fail: no"
    assert rebound.complaint(one, accepted._replace(cases=3)) == "3 cases are listed (because), and 2 of 3 fail: no"
    assert rebound.complaint(two, accepted) == "2 cases are listed (because), and 0 of 1 fail: "
    assert rebound.complaint(one, accepted._replace(kind="defect")) == "listed as defect: because"


def test_a_list_made_true_keeps_reasons_and_enters_what_is_new_as_a_defect(rebound, tests):
    old = {
        "test_a.py::test_one": rebound.Difference(7, "absent", "because"),
        "test_a.py::test_two": rebound.Difference(1, "absent", "gone"),
    }
    assert rebound.made_true(old, tests) == {"test_a.py::test_one": (2, "absent", "because")}
    assert rebound.made_true({}, tests) == {"test_a.py::test_one": (2, "defect", "no")}


def test_every_difference_has_a_reason_in_words(rebound):
    differences = rebound.listed()
    assert list(differences) == sorted(differences)
    for test, (cases, kind, reason) in differences.items():
        assert cases > 0 and kind in (*rebound.ACCEPTED, "defect") and len(reason.split()) >= 4, test


def test_a_module_that_recta_has_is_rebound_and_its_tests_run(rebound):
    rebound_modules, tested = (
        {place for modules in rebound.RUNS for place in modules.split()},
        " ".join(name for names in rebound.RUNS.values() for name in names),
    )
    assert {*PUBLIC} <= rebound_modules
    for place in PUBLIC:
        assert place.partition(".")[0] in tested, place
