"""The library's errors as exceptions. Each is also the built-in exception that a caller would expect."""

from .words import in_python


class Error(Exception):
    """What Recta refuses, with where it was found, what was found there, and what to do about it.

    >>> import recta
    >>> try:
    ...     recta.read("iris", types={"species": "word"})
    ... except recta.Error as error:
    ...     print(type(error).__name__, error.where, error.what, error.advice, sep=" | ")
    UsageError | types | "word" is not a type of column | choose one of real, integer, category, text
    """

    def __init__(self, where, what, advice=""):
        self.where, self.what, self.advice = where, what, advice
        super().__init__(f"{where}: {what}" + (f"; {advice}" if advice else ""))

    def __reduce__(self):
        return type(self), (self.where, self.what, self.advice)


class DataError(Error, ValueError):
    """Rows, columns or a file that cannot be used as they are."""


class UsageError(Error, ValueError):
    """A request for something that does not exist."""


class ModelFileError(Error, ValueError):
    """Not a model file, or a damaged one."""


class CertificateError(Error, ValueError):
    """A certificate that does not hold."""


class MachineError(Error, OSError):
    """The machine's fault: disk, permission, memory."""

    def __str__(self):
        return self.args[0]


class OutOfMemory(Error, MemoryError):
    """The work does not fit into memory."""


class Stopped(Error, RuntimeError):
    """A fit was stopped before there was anything to keep."""


_CLASSES = {
    "usage": UsageError,
    "bad_data": DataError,
    "refuted": CertificateError,
    "bad_model_file": ModelFileError,
    "interrupted": Stopped,
}


def exception(code, where, what, advice):
    """The exception for an error of the library; called by the extension."""
    advice = in_python(advice)
    if code == "failure":
        return (OutOfMemory if "memory" in what else MachineError)(where, what, advice)
    return _CLASSES[code](where, what, advice)
