"""How many tokens are brought back per question, by runs as stored and by systems that run here."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.analyses.tokens import PER_QUESTION, mean_tokens
from mnemoscope.core.clue_text import round_text
from mnemoscope.core.memory.building import build
from mnemoscope.core.memory.frozen import FrozenMemory
from mnemoscope.core.memory.query import evidence_of, query_of
from mnemoscope.core.memory.registry import make_system
from mnemoscope.core.memory.system import SystemContext, SystemSpec
from mnemoscope.core.memory.view import HandedHistory, hand_over
from mnemoscope.core.model import (
    Question,
    Release,
    RetrievalState,
    RetrievedItem,
    Round,
    Textualisation,
)
from mnemoscope.core.tokens import count_tokens
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["RetrievedTokens", "run_tokens", "system_tokens"]


@dataclass(frozen=True, slots=True)
class RetrievedTokens:
    """The tokens that one run or system brings back per question."""

    name: str
    textualisation: Textualisation | None
    """Which captions stood for images and audio; None when a run does not say."""
    figure: Figure
    total: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Records that cannot be counted, by reason."""
    rebuilt: int = 0
    """Records of which some text was not stored and is that of the rounds named."""


def run_tokens(
    release: Release, run: JoinedRun, keys: Collection[str] | None = None
) -> RetrievedTokens:
    """What a run's records say was brought back, as far as it was sent to the backbone.

    An item without a text counts as the rounds or sessions that it names, with the run's captions.

    Args:
        release: The release.
        run: The run.
        keys: The questions; all when None.
    """
    captions = run.run.textualisation or release.textualisation
    counts = []
    left_out: Counter[str] = Counter()
    rebuilt = 0
    for entry in run.entries:
        if keys is not None and entry.question.key not in keys:
            continue
        state = entry.record.retrieval.state
        if state in (RetrievalState.NOT_STORED, RetrievalState.WHOLE_HISTORY):
            left_out[state.value.replace("_", " ")] += 1
            continue
        texts = [_item_text(one, entry, release, captions) for one in _used(entry)]
        if any(text is None for text, _ in texts):
            left_out["text unknown"] += 1
            continue
        rebuilt += any(is_rebuilt for _, is_rebuilt in texts)
        counts.append(sum(count_tokens(text or "") for text, _ in texts))
    figure = mean_tokens(counts, PER_QUESTION)
    if left_out and not counts:
        figure = Figure.absent(FigureStatus.NOT_MEASURABLE, PER_QUESTION)
    said = run.run.textualisation
    return RetrievedTokens(run.label, said, figure, sum(counts), dict(left_out), rebuilt)


def _used(entry: Entry) -> list[RetrievedItem]:
    return [one for one in entry.record.retrieval.items if one.used is not False]


def _item_text(
    item: RetrievedItem, entry: Entry, release: Release, captions: Textualisation
) -> tuple[str | None, bool]:
    """An item's text, None when it is unknown, and whether it is that of the rounds named."""
    if item.text:
        return item.text, False
    rounds = _rounds(item, entry, release)
    return ("\n".join(round_text(one, captions) for one in rounds) if rounds else None), True


def _rounds(item: RetrievedItem, entry: Entry, release: Release) -> list[Round]:
    history = release.histories.get(entry.question.history_id)
    found: dict[str, Round] = {}
    for source in item.sources if history else ():
        assert history is not None
        one = history.round_by_id.get(source.round_id)
        session = history.session_by_id.get(source.session_id)
        if one is not None:
            found[one.id] = one
        elif session is not None and not source.round_id:
            found.update({one.id: one for one in session.rounds})
    return list(found.values())


def system_tokens(
    release: Release,
    questions: Collection[Question],
    spec: SystemSpec,
    context: SystemContext,
    textualisation: Textualisation,
) -> RetrievedTokens:
    """What a memory system brings back for questions: the context that a backbone would be sent.

    Args:
        release: The release.
        questions: The questions to ask.
        spec: The system as configured.
        context: What it may use; files of media are added for each history.
        textualisation: Which captions stand for images and audio.

    Raises:
        MnemoscopeError: A round cannot be taken in, or the system needs what is not there.
    """
    counts: list[int] = []
    for history in release.histories.values():
        asked = [one for one in questions if one.history_id == history.id]
        if not asked:
            continue
        handed = hand_over(history, textualisation)
        prefixes: dict[int, list[Question]] = {}
        for question in asked:
            prefixes.setdefault(handed.visible_rounds(question), []).append(question)
        for rounds, group in sorted(prefixes.items()):
            memory = _memory(handed, rounds, spec, context)
            is_oracle = memory.system.IS_ORACLE
            queries = (
                (
                    one.key,
                    query_of(one, textualisation),
                    evidence_of(one, handed) if is_oracle else None,
                )
                for one in group
            )
            counts += [count_tokens(one.text) for one in memory.recall_all(queries).values()]
    name = spec.name if spec.profile == "intended" else f"{spec.name}@{spec.profile}"
    return RetrievedTokens(name, textualisation, mean_tokens(counts, PER_QUESTION), sum(counts))


def _memory(
    handed: HandedHistory, rounds: int, spec: SystemSpec, context: SystemContext
) -> FrozenMemory:
    system = make_system(spec, SystemContext(context.embedder, handed.files))
    receipt, steps = build(system, handed.view.first(rounds))
    return FrozenMemory(system, "", receipt, steps)
