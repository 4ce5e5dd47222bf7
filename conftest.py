"""What is slow is marked so, and runs with --slow: ./test --full does."""

from importlib.util import find_spec


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also the tests marked slow")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]


# Spark and Dask are in an environment of their own, where scripts/cluster runs these.
collect_ignore = [] if find_spec("dask") else ["python/cluster_tests"]
