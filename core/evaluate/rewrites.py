"""Other wordings of questions, from a file: does an answer depend on how it is asked for?"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.model import Question
from mnemoscope.core.schemas import Form, Text, required
from mnemoscope.core.toml_lines import read_toml_lines
from mnemoscope.core.writing import sha256_of

__all__ = ["RewriteFile", "Rewrites", "read_rewrites"]


class RewriteFile(Form):
    """A TOML file of wordings: `[questions]` with a list for each key."""

    questions: dict[Text, tuple[Text, ...]] = Field(min_length=1)
    """By question key its other wordings, options aside."""


@dataclass(frozen=True)
class Rewrites:
    """One wording for each question."""

    file: Path
    sha256: str
    number: int
    """Which of the wordings, from 1."""
    texts: dict[str, tuple[str, ...]]

    def as_json(self) -> dict[str, object]:
        """What decides the wording, for a manifest."""
        return {"sha256": self.sha256, "number": self.number}

    def apply(self, questions: Iterable[Question]) -> tuple[Question, ...]:
        """The questions in their other wording, under the same keys.

        Raises:
            UsageError: A question has none of that number.
        """
        return tuple(map(self._rewritten, questions))

    def _rewritten(self, question: Question) -> Question:
        texts = self.texts.get(question.key, ())
        if len(texts) < self.number:
            raise UsageError(
                f"{self.file}: {question.key}: found {len(texts)} wordings, "
                f"expected at least {self.number}",
                hint="leave questions out with --filter, or add their wordings",
            )
        stem = texts[self.number - 1]
        # As the release writes it a question may hold its options, too.
        text = question.text.replace(question.stem, stem) if question.stem else stem
        return replace(question, stem=stem, text=text)


def read_rewrites(path: Path, number: int) -> Rewrites:
    """The wordings with a number in a file.

    Raises:
        ReadError: It is no such file; file, line, place, found and expected.
        InputError: It cannot be read.
    """
    file = read_toml_lines(path)
    try:
        form = required(RewriteFile, file.data, path)
    except ReadError as error:
        place = file.place(error.place)
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None
    return Rewrites(path, sha256_of(path), number, dict(form.questions))
