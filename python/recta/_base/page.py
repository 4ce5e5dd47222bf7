"""What a person sees of a result: the library's document, as text and in a notebook."""

from .words import in_python


class Page:
    """Prints as the document that ``_document()`` gives, in the words of a Python caller."""

    def _document(self):
        raise NotImplementedError

    def text(self, top: int = 20, digits: int = 6) -> str:
        """The same with ``top`` rows of long tables, 0 for all, and numbers of this many digits."""
        return in_python(self._document().text(digits, top)).rstrip("\n")

    def __str__(self):
        return self.text()

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        return in_python(self._document().html())
