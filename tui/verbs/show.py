"""``mnemoscope show``: one question or dialogue in full, with what runs made of it."""

from pathlib import Path

import click

from mnemoscope.core.model import Question, Release
from mnemoscope.core.overlays.overlay import question_hash
from mnemoscope.core.places import find_place
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs import show_lines
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_textualisation, json_flag, reading
from mnemoscope.tui.verbs.overlay_info import correction_infos
from mnemoscope.tui.verbs.show_dialogue import dialogue_info
from mnemoscope.tui.verbs.show_dialogue_lines import dialogue_lines
from mnemoscope.tui.verbs.show_question import clues_info, gold_info, question_info
from mnemoscope.tui.verbs.show_runs import run_infos
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command"]


@click.command("show")
@click.argument("release", type=PATH)
@click.argument("what")
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@reading(
    *("textualisation", "overlay", "captions", "format", "run_format", "media_root", "rule"),
    *("verdicts", "repair", "tags"),
)
@click.option(
    "--history", is_flag=True, help="WHAT is no question, though one goes by the same id."
)
@click.option(
    "--evaluator", is_flag=True, help="Also what only an evaluator may see: rationales, profiles."
)
@json_flag
def command(
    release: Path,
    what: str,
    runs: tuple[Path, ...],
    flags: Flags,
    history: bool,
    evaluator: bool,
    as_json: bool,
) -> None:
    """Show one question, or a dialogue, in full, with what runs made of it.

    WHAT is a question's key, such as p0/entity_img/0-Items-6-img_identify or conv-26/4, an id, or
    as much of a key's start or end as only one question has. Or it is a history, or a session or
    round after it, such as p1, p1/D02 or p1/D02:03.
    """
    workspace = flags.open(release, runs)
    place = find_place(workspace, what, dialogue_first=history)
    if place.question:
        question = workspace.release.questions[place.question]
        data = collect(workspace, question, flags, evaluator=evaluator)
        lines = show_lines.lines(data)
    else:
        if workspace.overlay is not None:
            console.talk("note: what questions are about is as published, not as overlays have it")
        shown = chosen_textualisation(flags, workspace.release)
        data = dialogue_info(workspace, place, shown, evaluator=evaluator)
        lines = dialogue_lines(data)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines)


def collect(
    workspace: Workspace, question: Question, flags: Flags, *, evaluator: bool = False
) -> Json:
    """A question and what runs made of it, as JSON."""
    release = workspace.release
    shown = chosen_textualisation(flags, release)
    data: Json = {
        "question": question_info(release, question, shown) | {"hash": question_hash(question)},
        "gold": gold_info(question),
        "textualisation": {"image": shown.image, "audio": shown.audio},
        "clues": clues_info(release, question, shown),
        "runs": run_infos(workspace.runs, question, release, workspace.tags),
    }
    if workspace.overlaid is not None:
        corrected = workspace.overlaid.release.questions[question.key]
        data["overlay"] = correction_infos(release, question, workspace.overlay, shown)
        data["overlaid"] = {
            "gold": gold_info(corrected),
            "clues": clues_info(release, corrected, shown),
            "runs": run_infos(
                workspace.overlaid.runs, corrected, workspace.overlaid.release, workspace.tags
            ),
        }
    if evaluator:
        data["evaluator"] = _evaluator_info(release, question)
    return data


def _evaluator_info(release: Release, question: Question) -> Json:
    """What only an evaluator may see, of the question and of where its clues lead."""
    known, history = release.evaluator, question.history_id
    return {
        "question": known.questions.get(question.key, {}),
        "sessions": {
            one: known.sessions[history, one]
            for one in question.evidence_sessions
            if (history, one) in known.sessions
        },
        "rounds": {
            one: known.rounds[history, one]
            for one in question.evidence_rounds
            if (history, one) in known.rounds
        },
        "history": known.histories.get(history, {}),
    }
