"""How many tokens a release holds: histories by component, and questions with their options.

The shape is that of CUE-Mem's Table 15: per history what stands in text, in image captions and in
audio captions, for each choice of captions. Tokens are cl100k_base tokens (see ``core.tokens``).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.clue_text import round_text
from mnemoscope.core.memory.query import query_of
from mnemoscope.core.model import History, Kind, Message, Question, Release, Textualisation
from mnemoscope.core.tokens import count_tokens

__all__ = [
    "PER_HISTORY",
    "PER_QUESTION",
    "AskedTokens",
    "HistoryTokens",
    "StoredTokens",
    "asked_tokens",
    "mean_tokens",
    "stored_tokens",
    "usual_textualisations",
]

PER_HISTORY = "mean tokens per history"
PER_QUESTION = "mean tokens per question"


@dataclass(frozen=True, slots=True)
class HistoryTokens:
    """The tokens of one history."""

    history: str
    text: int
    """Of what is said in writing."""
    image: int
    """Of captions of images."""
    audio: int
    """Of what stands for speech and sound."""
    handed: int
    """Of the rounds as a system is handed them, with speakers' names: a little more than the sum,
    since pieces are joined and named."""

    @property
    def components(self) -> int:
        """Text, image and audio together."""
        return self.text + self.image + self.audio


@dataclass(frozen=True, slots=True)
class StoredTokens:
    """The tokens of all histories with one choice of captions."""

    textualisation: Textualisation
    histories: tuple[HistoryTokens, ...]

    def mean(self, of: Callable[[HistoryTokens], int]) -> Figure:
        """The mean over histories of a count."""
        return mean_tokens((of(one) for one in self.histories), PER_HISTORY)

    @property
    def total(self) -> int:
        """Of all histories as systems are handed them."""
        return sum(one.handed for one in self.histories)


@dataclass(frozen=True, slots=True)
class AskedTokens:
    """The tokens of questions with their options."""

    task: str
    """The task; empty for all questions."""
    figure: Figure
    total: int


def mean_tokens(counts: Iterable[int], estimand: str, note: str = "") -> Figure:
    """The mean of some counts, with how many there are.

    Args:
        counts: Tokens of each thing.
        estimand: What the mean is over.
        note: What limits it.
    """
    listed = list(counts)
    if not listed:
        return Figure.absent(FigureStatus.EMPTY, estimand, note)
    return Figure(sum(listed) / len(listed), len(listed), estimand, note=note)


def usual_textualisations(release: Release) -> tuple[Textualisation, ...]:
    """Every image variant with the usual audio variant, then every other audio variant.

    Of a release without captions the usual choice alone.
    """
    usual = release.textualisation
    images = [Textualisation(name, usual.audio) for name in release.image_variants]
    audio = [Textualisation(usual.image, name) for name in release.audio_variants]
    return tuple(dict.fromkeys([*images, *audio])) or (usual,)


def stored_tokens(
    release: Release,
    textualisations: Sequence[Textualisation],
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[StoredTokens, ...]:
    """The tokens of every history by component, for each choice of captions.

    Args:
        release: The release.
        textualisations: The choices.
        progress: Called with the id of every history before it is counted.
    """
    rows: list[list[HistoryTokens]] = [[] for _ in textualisations]
    for history in release.histories.values():
        progress(history.id)
        counter = _Counter()
        for row, chosen in zip(rows, textualisations, strict=True):
            row.append(_history_tokens(history, chosen, counter))
    return tuple(
        StoredTokens(chosen, tuple(row)) for row, chosen in zip(rows, textualisations, strict=True)
    )


class _Counter:
    """Counts a text once, however many choices of captions it stands in."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, text: str | None) -> int:
        if not text:
            return 0
        if text not in self._known:
            self._known[text] = count_tokens(text)
        return self._known[text]


def _history_tokens(history: History, chosen: Textualisation, counter: _Counter) -> HistoryTokens:
    text = image = audio = handed = 0
    for one in history.rounds:
        handed += counter.of(round_text(one, chosen))
        for message in one.messages:
            written, heard = _said(message, chosen)
            text += counter.of(written)
            audio += counter.of(heard)
            for item in message.attachments:
                if item.kind is Kind.IMAGE:
                    image += counter.of(item.caption(chosen.image))
                elif not (written or heard):
                    audio += counter.of(item.caption(chosen.audio))
    return HistoryTokens(history.id, text, image, audio, handed)


def _said(message: Message, chosen: Textualisation) -> tuple[str, str]:
    """What a message says in writing, and what it says aloud in a release's own words."""
    spoken = message.spoken.get(chosen.audio)
    return ("", spoken) if spoken else (message.text or "", "")


def asked_tokens(
    release: Release, questions: Iterable[Question], textualisation: Textualisation
) -> tuple[AskedTokens, ...]:
    """The tokens of questions with their options: of all of them, then by task.

    Args:
        release: The release, whose label table orders the tasks.
        questions: The questions.
        textualisation: Which captions stand for pictures of options.
    """
    by_task: dict[str, list[int]] = {label.task: [] for label in release.tasks}
    for question in questions:
        count = count_tokens(query_of(question, textualisation).text)
        by_task.setdefault(question.task, []).append(count)
    groups = {"": [one for counts in by_task.values() for one in counts], **by_task}
    return tuple(
        AskedTokens(task, mean_tokens(counts, PER_QUESTION), sum(counts))
        for task, counts in groups.items()
        if counts or not task
    )
