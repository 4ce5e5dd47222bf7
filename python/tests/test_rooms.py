"""The rooms of the package stand in an order: a module imports its own room and those before it, so that no circle can arise."""

import ast
from pathlib import Path

import recta

ORDER = [
    "_core",
    "_base",
    "_data",
    "_features",
    "_fitted",
    "_estimator",
    "_metrics",
    "_models",
    "_models.linear",
    "_models.kernel",
    "_models.svm",
    "_models.naive_bayes",
    "_models.discriminant",
    "_models.neighbors",
    "_select",
    "_meta",
    "_plot",
    "_distributed",
]
ROOT = Path(recta.__file__).parent


def room(module):
    """The room of a module by its dotted name below recta; None of a public one."""
    parts = module.split(".")
    return next((name for name in (".".join(parts[:2]), parts[0]) if name in ORDER), None)


def imports(path, module):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("recta"):
            base = node.module.removeprefix("recta").lstrip(".")
            yield from (f"{base}.{name.name}".lstrip(".") for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield module.rsplit(".", node.level)[0] + "." + (node.module or node.names[0].name)


def test_no_module_imports_a_room_after_its_own():
    for path in ROOT.rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if own := room(module):
            for other in filter(None, map(room, imports(path, module))):
                assert ORDER.index(other) <= ORDER.index(own), f"{module} imports {other}"


def test_every_private_module_is_in_a_room():
    inside = {path.stem for path in ROOT.iterdir() if path.stem.startswith("_")} - {
        "__init__",
        "__pycache__",
        "_families",
    }
    assert {name.partition(".")[0] for name in inside} == {name for name in ORDER if "." not in name}
