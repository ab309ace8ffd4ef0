"""The bundled sample as text: an overview, one question and one comparison."""

from collections.abc import Iterator

from mnemoscope.analyses.paired import Pair
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.verbs import (
    compare,
    compare_lines,
    info,
    info_lines,
    score,
    score_lines,
    show,
    show_lines,
)
from mnemoscope.tui.verbs.options import Flags
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "lines"]


def collect(workspace: Workspace, flags: Flags) -> Json:
    """Overview, one question and one comparison as JSON."""
    two = compare.pair(workspace, "A", "B")
    comparison = compare.collect(two, flags)
    key = _telling_question(comparison, workspace)
    question = show.collect(two, workspace.release.questions[key], flags)
    overview = info.release_info(workspace.release) | score.collect(workspace, flags)
    return {"overview": overview, "question": question, "comparison": comparison}


def _telling_question(comparison: Json, workspace: Workspace) -> str:
    """A question that one run is right on and the other is not, or the first."""
    for outcome in (Pair.ONLY_B, Pair.ONLY_A):
        keys: list[str] = comparison["questions"][outcome.value]
        if keys:
            return keys[0]
    return next(iter(workspace.release.questions))


def lines(data: Json) -> Iterator[str]:
    """The lines of what ``demo`` collects."""
    yield "═══ overview: mnemoscope info, mnemoscope score"
    yield ""
    yield from info_lines.lines(data["overview"])
    yield ""
    yield from score_lines.overview(data["overview"]["runs"])
    yield ""
    yield "═══ one question: mnemoscope show"
    yield ""
    yield from show_lines.lines(data["question"])
    yield ""
    yield "═══ one comparison: mnemoscope compare"
    yield ""
    yield from compare_lines.lines(data["comparison"])
