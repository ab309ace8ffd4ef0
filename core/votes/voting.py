"""Putting answers to judge models, and writing down what they say."""

from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property

from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.replies import Failure, Reply
from mnemoscope.core.backbones.request import Message
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.suggestions.case import Case
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.tags.taxonomy import Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.votes.material import material
from mnemoscope.core.votes.prompt import VotePrompt
from mnemoscope.core.votes.reply import Unusable, Vote, read_vote
from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = ["ASKED_ABOUT", "Answered", "Ballot", "Poll", "annotator_of"]

ASKED_ABOUT = ("wrong", "unparsed")
"""Outcomes that are put to a vote: answers that were given and are not right."""


def annotator_of(model: str) -> str:
    """The annotator that a model's votes stand under."""
    return f"model:{model}"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One answer that one model is asked about."""

    model: str
    case: Case
    target: Target

    @property
    def label(self) -> str:
        """Model, run and question."""
        return f"{self.model}: {self.case.run.label} {self.case.question.key}"


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a ballot."""

    ballot: Ballot
    vote: Vote | Unusable | Failure
    reply: Reply | None = None
    """What the model said, where it said anything."""


@dataclass(frozen=True)
class Poll:
    """A vote of some models on the answers of some runs."""

    workspace: Workspace
    tags: WorkspaceTags
    taxonomy: Taxonomy
    models: Sequence[str]
    runs: Sequence[JoinedRun]
    keys: Collection[str] | None = None
    """The questions; all when None."""

    @cached_property
    def prompt(self) -> VotePrompt:
        """What everybody is asked."""
        return VotePrompt.of(self.taxonomy)

    @cached_property
    def cases(self) -> Sequence[tuple[Case, Target]]:
        """The answers that are put to the vote, in the runs' order."""
        wanted = None if self.keys is None else frozenset(self.keys)
        found = []
        for run in self.runs:
            for entry in run.entries:
                key = entry.question.key
                if (wanted is None or key in wanted) and outcome(entry) in ASKED_ABOUT:
                    target = self.tags.record(run, key, entry.record.repeat)
                    found.append((Case(self.workspace, run, entry), target))
        return found

    def ballots(self, model: str) -> list[Ballot]:
        """What a model is still to be asked: not what it has voted on as the answer stands."""
        book = self.tags.tags.book(annotator_of(model))
        found = []
        for case, target in self.cases:
            marks = book.marks(target)
            same = marks.answer in ("", answer_hash(case.record))
            if not (marks.reviewed(self.taxonomy.name) and same):
                found.append(Ballot(model, case, target))
        return found

    def messages(self, case: Case) -> Sequence[Message]:
        """What a model is told of an answer."""
        return self.prompt.messages(material(case))

    async def hold(self, endpoint: Endpoint, at_once: int) -> AsyncGenerator[Answered, None]:
        """Ask every model what it is still to be asked; each vote is on the disk when given back.

        The models take turns, so that one that stops early leaves all of them as far.

        Args:
            endpoint: Who is asked.
            at_once: How many questions may be on their way.

        Raises:
            ProviderError: Asking on would not help. What has been voted stays.
            UsageError: Another process votes as one of the models; nothing has been asked.
            InputError: The votes cannot be written; nothing has been asked.
            NotWrittenError: A vote could not be written.
        """
        by_model = [self.ballots(model) for model in dict.fromkeys(self.models)]
        for model, of_model in zip(dict.fromkeys(self.models), by_model, strict=True):
            # Calls cost money: what cannot be written down is not asked.
            self.tags.journal(annotator_of(model)).reserve(one.target for one in of_model)
        longest = max(map(len, by_model), default=0)
        ballots = (of[place] for place in range(longest) for of in by_model if place < len(of))

        async def ask(ballot: Ballot) -> Reply | Failure:
            return await endpoint.complete(ballot.model, self.messages(ballot.case))

        async with aclosing(as_finished(ballots, ask, at_once)) as finished:
            async for ballot, said in finished:
                if isinstance(said, Failure):
                    if said.kind.is_final:
                        raise ProviderError(f"{ballot.model}: {said}")
                    yield Answered(ballot, said)
                    continue
                vote = read_vote(said.text, self.taxonomy)
                if isinstance(vote, Vote):
                    self._write(ballot, vote)
                yield Answered(ballot, vote, said)

    def _write(self, ballot: Ballot, vote: Vote) -> None:
        journal = self.tags.journal(annotator_of(ballot.model))
        try:
            journal.settle(
                ballot.target,
                self.taxonomy,
                vote.slugs,
                reason=vote.reason,
                answer=answer_hash(ballot.case.record),
                prompt=self.prompt.name,
            )
        finally:
            self.tags.changed()
