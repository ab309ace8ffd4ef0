"""Runs that look wrong although every file could be read: each suspicion with counts and examples.

A suspicion is no verdict. It says what was seen, how often, and where to look; some of what is
listed here is sound, such as a run that was made with another k on purpose.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.pairing import depth_used
from mnemoscope.core.model import Record
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["Example", "Suspicion", "example_of", "suspicions"]

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Example:
    """One place where it can be seen."""

    file: str
    path: str
    """JSON path in the file; empty for a whole run."""
    key: str
    """The question's key; empty where there is none."""
    said: str
    """What stands there."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One thing about a run, or about several, that looks wrong."""

    code: str
    """A stable slug, such as ``answers_equal_gold``."""
    run: str
    """Letter and name of the run; of all of them where they are compared."""
    count: int
    """How many times it was seen."""
    of: int
    """Among how many."""
    what: str
    """What is counted, such as ``records``."""
    says: str
    """What looks wrong, in a sentence without its counts."""
    examples: tuple[Example, ...] = ()
    repair: str = ""
    """The name of a repair that can be asked for; empty when there is none."""

    @classmethod
    def of_run(
        cls,
        code: str,
        run: JoinedRun,
        counts: tuple[int, int, str],
        says: str,
        examples: Iterable[Example],
        repair: str = "",
    ) -> "Suspicion":
        """A suspicion about one run, with its first few examples.

        Args:
            code: The slug.
            run: The run.
            counts: How many, among how many, of what.
            says: The sentence.
            examples: All there are.
            repair: The name of a repair.
        """
        count, of, what = counts
        shown = tuple(example for example, _ in zip(examples, range(_EXAMPLES), strict=False))
        return cls(code, run.label, count, of, what, says, shown, repair)


def example_of(entry: Entry, said: str) -> Example:
    """An example that is a record."""
    return Example(entry.record.file, entry.record.place, entry.question.key, said)


def suspicions(workspace: Workspace) -> tuple[Suspicion, ...]:
    """Everything that looks wrong about the runs that are open, run by run."""
    # Imported here because these modules build what is defined above.
    from mnemoscope.analyses.suspicion_answers import suspect_answers
    from mnemoscope.analyses.suspicion_figures import suspect_figures
    from mnemoscope.analyses.suspicion_retrieval import suspect_retrieval

    found: list[Suspicion] = []
    for run in workspace.runs:
        found += _joins(run)
        found += suspect_answers(run, workspace.release)
        found += suspect_retrieval(run, workspace.release)
        found += suspect_figures(run, workspace.release)
    return (*found, *_depths(workspace.runs))


def _joins(run: JoinedRun) -> Iterator[Suspicion]:
    unjoined = run.join.unjoined
    if not unjoined:
        return
    reasons = Counter(one.reason.value.replace("_", " ") for one in unjoined)
    why = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common())
    records: Sequence[Record] = run.run.records
    examples = (
        Example(records[one.record].file, records[one.record].place, "", one.detail)
        for one in unjoined
    )
    counts = (len(unjoined), len(records), "rows")
    says = f"join to no question and count in no figure ({why})"
    yield Suspicion.of_run("rows_unjoined", run, counts, says, examples)


def _depths(runs: Sequence[JoinedRun]) -> Iterator[Suspicion]:
    """Runs that sent different numbers of items: what they retrieve cannot be compared as it is."""
    depths = {run.label: depth_used(run) for run in runs}
    told = {label: k for label, k in depths.items() if k not in ("not stored", "whole history")}
    if len(set(told.values())) < 2:
        return
    examples = [
        Example(run.run.files[0] if run.run.files else "", "", "", f"{run.label}: k {k}")
        for run in runs
        if (k := told.get(run.label))
    ]
    yield Suspicion(
        "unequal_k",
        ", ".join(told),
        len(told),
        len(runs),
        "runs",
        "send unequal numbers of items to the backbone: the more, the more evidence among them",
        tuple(examples[:_EXAMPLES]),
    )
