"""Parameters of estimators, declared once: the signature, ``get_params``, checks and the docstring follow from the declarations.

    @estimator("recta.linear_model")
    class Ridge(CertifiedRegressor):
        alpha: float = parameter(default=1.0, kw_only=False, word="tau", doc="The penalty beside the summed loss.")

A class has its own parameters in their order, and then those of its bases. One that is declared again keeps its place and takes what is not
said anew from the base; one that a class does not have is ``left_out()``, or an attribute of another kind. ``__init__`` stores the parameters as they are, which is all that
scikit-learn lets it do. PEP 681 lets type checkers see the signature.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from inspect import get_annotations
from typing import Any, Literal, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)
WIDTH = 120
REQUIRED = object()  # in place of a default
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Parameter:
    """What is declared of a parameter; None of what a base may say."""

    default: Any
    kw_only: bool
    type: str | None
    doc: str | None
    word: str | None
    free: str | None
    words: tuple[Any, ...]
    refused: str | None
    low: float | None = None
    high: float = float("inf")
    above: bool = False
    annotation: str = "Any"
    space: tuple[tuple[str, Any], ...] = ()  # what the words of the annotation mean

    def says(self) -> bool:
        return any((self.word, self.free, self.refused))

    def over(self, base: Parameter) -> Parameter:
        """This declaration, with what it does not say from that of a base."""
        kind = self if self.says() else base
        told = self if self.doc is not None or self.says() else base
        limits = self if self.low is not None else base
        return replace(
            self,
            low=limits.low,
            high=limits.high,
            above=limits.above,
            type=self.type or base.type,
            doc=told.doc,
            word=kind.word,
            free=kind.free,
            words=kind.words,
            refused=kind.refused,
        )

    def text(self) -> str:
        """Its meaning, in a docstring."""
        if self.doc is not None:
            return self.doc
        if self.free:
            return f"Without effect: {self.free}."
        return f"Only {self.default!r} is accepted: {self.refused}." if self.refused else ""


class _Absent:
    """In the place of a parameter that a base has, or of an attribute that a fit leaves behind."""

    def __init__(self, learned: bool) -> None:
        self.learned = learned


def parameter(
    *,
    default: Any = REQUIRED,
    kw_only: bool = True,
    type: str | None = None,
    doc: str | None = None,
    word: str | None = None,
    free: str | None = None,
    words: tuple[Any, ...] = (),
    refused: str | None = None,
    low: float | None = None,
    high: float = float("inf"),
    above: bool = False,
) -> Any:
    """A parameter of an estimator.

    ``type`` is its type in the docstring where the annotation does not say it. ``word`` is what the library calls it. If any value gives
    the same answer, ``free`` says why, and ``words`` are the values that scikit-learn has; others are refused. If only the default is
    accepted, ``refused`` says why. A number is at least ``low``, or ``above`` it, and at most ``high``; ``parameters.number`` checks that.
    """
    return Parameter(default, kw_only, type, doc, word, free, words, refused, low, high, above)


def left_out(*, init: Literal[False] = False) -> Any:
    """A parameter that a base has and this class does not."""
    return _Absent(False)


def learned(*, init: Literal[False] = False) -> Any:
    """An attribute that a fit leaves behind: its type alone."""
    return _Absent(True)


@cache
def parameters_of(estimator: type) -> dict[str, Parameter]:
    """The parameters of a class by name, its own first."""
    found: dict[str, Any] = {}
    for place, base in enumerate(estimator.__mro__):
        for name, one in vars(base).get("_declared", {}).items():
            if name not in found and any(name in vars(nearer) for nearer in estimator.__mro__[:place]):
                found[name] = _Absent(False)  # an attribute of another kind is in its place
            nearer = found.pop(name, None)
            both = isinstance(nearer, Parameter) and isinstance(one, Parameter)
            found[name] = nearer.over(one) if both else nearer or one
    present = [(name, one) for name, one in found.items() if isinstance(one, Parameter)]
    return dict(sorted(present, key=lambda pair: pair[1].kw_only))


def _constructor(cls: type) -> Callable[..., None]:
    """``__init__``, which stores what it is given."""
    declared = parameters_of(cls)
    first = [name for name, one in declared.items() if not one.kw_only]
    others = [name for name, one in declared.items() if one.kw_only]
    arguments = ", ".join(
        [
            "self",
            *(name if declared[name].default is REQUIRED else f"{name}=None" for name in first),
            *(["*"] if others else []),
            *(f"{name}=None" for name in others),
        ]
    )
    body = "\n".join(f"    self.{name} = {name}" for name in declared) or "    pass"
    space: dict[str, Any] = {"__name__": cls.__module__}
    for one in declared.values():
        space.update(one.space)
    exec(f"def __init__({arguments}):\n{body}", space)
    init = space["__init__"]
    init.__defaults__ = tuple(declared[name].default for name in first if declared[name].default is not REQUIRED)
    init.__kwdefaults__ = {name: declared[name].default for name in others}
    init.__annotations__ = {name: one.annotation for name, one in declared.items()} | {"return": None}
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _wrapped(text: str) -> str:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) + 9 > WIDTH:
            lines.append("")
        lines[-1] += " " + word if lines[-1] else word
    return "\n".join("        " + line for line in lines)


def _entry(name: str, one: Parameter) -> str:
    kind = one.type or (
        f"{{{', '.join(map(repr, one.words))}}}" if one.words else one.annotation.removesuffix(" | None")
    )
    said = ([] if kind == "Any" else [kind]) + ([] if one.default is REQUIRED else [f"default={one.default!r}"])
    head = f"    {name} : {', '.join(said)}"
    return f"{head}\n{_wrapped(one.text())}" if one.text() else head


def _section(doc: str, title: str) -> tuple[str, str, str]:
    """What stands before a section of a docstring, in it, and after it."""
    mark = f"    {title}\n    {'-' * len(title)}\n"
    before, _, rest = doc.partition(mark)
    inside, gap, after = rest.partition("\n\n")
    return before, inside.rstrip(), gap + after


def _entries(section: str) -> dict[str, str]:
    """The entries of a section by their heads' names."""
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if line.startswith("    ") and not line.startswith("     "):
            name = line.partition(":")[0].strip()
            found[name] = line
        else:
            found[name] += "\n" + line
    return found


def _documented(cls: type) -> str:
    """The docstring with its parameters, and with the attributes of all bases."""
    before, own, after = _section(cls.__doc__ or "", "Attributes")
    if not own:
        before, marker, after = before.partition("    Examples\n    --------\n")
        after = "\n\n" + marker + after if marker else ""
    attributes: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("recta."):
            more = _entries(
                own if base is cls else vars(base).get("_attributes", _section(base.__doc__ or "", "Attributes")[1])
            )
            named = {name for names in more for name in names.split(", ")}
            left = {name for name, one in vars(base).get("_declared", {}).items() if isinstance(one, _Absent)}
            attributes = {
                names: text for names, text in attributes.items() if not named.union(left).issuperset(names.split(", "))
            } | more
    cls._attributes = own  # type: ignore[attr-defined]
    parts = [before.rstrip()]
    if declared := parameters_of(cls):
        parts.append(
            "    Parameters\n    ----------\n" + "\n".join(_entry(name, one) for name, one in declared.items())
        )
    if attributes:
        parts.append("    Attributes\n    ----------\n" + "\n".join(attributes.values()))
    return "\n\n".join(parts) + (after if after.strip() else "\n    ")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(parameter, left_out, learned))
def declared(cls: Class) -> Class:
    """A base whose parameters its estimators have too."""
    module = vars(sys.modules[cls.__module__])
    found: dict[str, Parameter | _Absent] = {}
    for name, one in list(vars(cls).items()):
        if isinstance(one, Parameter):
            hint = cls.__annotations__.pop(name)
            found[name] = replace(
                one,
                annotation=hint,
                space=tuple((word, module[word]) for word in _WORD.findall(hint) if word in module),
            )
        elif isinstance(one, _Absent) and not one.learned:
            found[name] = one
            del cls.__annotations__[name]
        if isinstance(one, (Parameter, _Absent)):
            delattr(cls, name)
    cls._declared = found  # type: ignore[attr-defined]
    return cls


def moved(estimator: Class, module: str) -> Class:
    """Gives a class the name of another module, in which the words of its annotations need not be known."""
    estimator.__annotations__ = get_annotations(estimator, eval_str=True)
    estimator.__module__ = module
    return estimator


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(parameter, left_out, learned))
def estimator(module: str) -> Callable[[Class], Class]:
    """An estimator with its signature and docstring, in the module where users find it."""

    def made(cls: Class) -> Class:
        declared(cls)
        if "__init__" not in vars(cls):
            cls.__init__ = _constructor(cls)  # type: ignore[misc]
        cls.__doc__ = _documented(cls)
        return moved(cls, module)

    return made
