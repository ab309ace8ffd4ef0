"""One record under a magnifying glass: everything that the rules look at, computed once."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mnemoscope.core.clue_text import clue_text, round_text
from mnemoscope.core.model import (
    Clue,
    ClueTarget,
    GoldKind,
    History,
    Kind,
    Question,
    Record,
    RetrievalState,
    Session,
    Textualisation,
)
from mnemoscope.core.scoring.clue_hits import ClueComparison, clue_hits
from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.terms import terms
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["Case"]


@dataclass(frozen=True)
class Case:
    """A record of a run with its question, and how it was answered."""

    workspace: Workspace
    run: JoinedRun
    entry: Entry

    @property
    def question(self) -> Question:
        """The question."""
        return self.entry.question

    @property
    def record(self) -> Record:
        """The record."""
        return self.entry.record

    @property
    def wrong(self) -> bool:
        """Whether the rule calls it wrong."""
        return self.entry.judgement.judged and not self.entry.judgement.right

    @cached_property
    def history(self) -> History | None:
        """The question's history."""
        return self.workspace.release.histories.get(self.question.history_id)

    @cached_property
    def sent(self) -> Textualisation:
        """The captions that stood for images and audio; the release's usual ones if unsaid."""
        return self.run.run.textualisation or self.workspace.release.textualisation

    @cached_property
    def retrieval(self) -> ClueComparison:
        """What was retrieved against the clues."""
        depth = self.run.run.used_depth
        return clue_hits(self.question, self.record, used_depth=depth, history=self.history)

    @property
    def handed_everything(self) -> bool:
        """Whether the whole history was sent."""
        return self.record.retrieval.state is RetrievalState.WHOLE_HISTORY

    # The answer

    @property
    def chosen(self) -> str:
        """The option's label that was chosen; empty for an open answer and for none."""
        return self.entry.judgement.parsed

    def option_text(self, label: str) -> str:
        """What an option says, or what its picture shows."""
        option = self.question.option(label)
        if option is None:
            return ""
        richest = self.workspace.release.image_variants[-1:]
        return option.describe("".join(richest))

    @cached_property
    def gold_text(self) -> str:
        """The right answer in words."""
        gold = self.question.gold
        return self.option_text(gold.option) if gold.kind is GoldKind.OPTION else str(gold)

    @cached_property
    def answer_text(self) -> str:
        """What was answered in words: the chosen option, else the answer itself."""
        return self.option_text(self.chosen) if self.chosen else self.record.answer

    @cached_property
    def target_terms(self) -> frozenset[str]:
        """Terms of the right answer that neither the question nor another option has."""
        others = (
            self.option_text(option.label)
            for option in self.question.options
            if option.label != self.question.gold.option
        )
        return terms(self.gold_text) - terms(" ".join((self.question.stem, *others)))

    @cached_property
    def rival_terms(self) -> frozenset[str]:
        """Terms of the chosen wrong option that neither question nor right answer has."""
        if not self.chosen:
            return frozenset()
        return terms(self.answer_text) - terms(f"{self.question.stem} {self.gold_text}")

    @cached_property
    def declines(self) -> bool:
        """Whether what was answered is that the history does not say."""
        return declines(self.answer_text)

    # What the answer leans on

    @cached_property
    def cited_sessions(self) -> tuple[str, ...]:
        """Sessions that the answer or its reasoning names, by id, round id or date."""
        if self.history is None:
            return ()
        said = " ".join((*self.record.cited, self.record.reasoning, self.record.answer))
        return tuple(session.id for session in self.history.sessions if _is_named(session, said))

    @cached_property
    def used_sessions(self) -> tuple[str, ...]:
        """Sessions of which something was sent, as far as the run says."""
        found: dict[str, None] = {}
        for item in self.retrieval.items:
            if item.used:
                for source in item.item.sources:
                    session = source.session_id or self._session_of(source.round_id)
                    found.setdefault(session)
        found.pop("", None)
        return tuple(found)

    @cached_property
    def clue_sessions_sent(self) -> tuple[str, ...]:
        """Sessions of the clues that were sent."""
        hits = (hit.clue.session_id for hit in self.retrieval.clues if hit.hit)
        return tuple(dict.fromkeys(filter(None, hits)))

    def _session_of(self, round_id: str) -> str:
        found = self.history.round_by_id.get(round_id) if self.history and round_id else None
        return found.session_id if found else ""

    def text_of_extras(self) -> Iterator[tuple[str, str]]:
        """Round id and text, as sent, of rounds that were sent and are no clues."""
        for item in self.retrieval.items:
            if not item.used or item.clue:
                continue
            for source in item.item.sources:
                found = self.history.round_by_id.get(source.round_id) if self.history else None
                if found is not None:
                    yield found.id, round_text(found, self.sent)

    # What the clues say

    def clue_text(self, clue: Clue, textualisation: Textualisation) -> str:
        """What a clue says under a textualisation: its caption and the round around it."""
        release = self.workspace.release
        said = clue_text(release, self.question, clue, textualisation)
        found = self.history.round_by_id.get(clue.round_id) if self.history else None
        return f"{said}\n{round_text(found, textualisation)}" if found else said

    def richer(self, kind: Kind) -> Sequence[Textualisation]:
        """The textualisations that say more about one kind of attachment than what was sent."""
        variants = self.workspace.release.variants(kind)
        sent = self.sent.of(kind)
        place = (
            variants.index(sent) if sent in variants else -1 if sent == "none" else len(variants)
        )
        return [replace(self.sent, **{kind.value: variant}) for variant in variants[place + 1 :]]

    def media_kinds(self, clue: Clue) -> tuple[Kind, ...]:
        """The kinds of attachment that a clue leads to."""
        if clue.target in (ClueTarget.IMAGE, ClueTarget.AUDIO):
            return (Kind(clue.target.value),)
        found = self.history.round_by_id.get(clue.round_id) if self.history else None
        return tuple(dict.fromkeys(one.kind for one in found.attachments)) if found else ()


def _is_named(session: Session, text: str) -> bool:
    if re.search(rf"(?<![\w]){re.escape(session.id)}(?![0-9A-Za-z_])", text):
        return True
    dates = {session.date_text}
    if session.date is not None:
        day = session.date.date()
        dates |= {day.isoformat(), f"{day:%m/%d/%Y}", f"{day:%Y/%m/%d}"}
    return any(date and date in text for date in dates)
