"""What overlays change, as JSON and for people."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from mnemoscope.core.model import Question, Release, Textualisation
from mnemoscope.core.overlays.applied import Correction, Overlaid
from mnemoscope.core.workspace import OverlaidCounts
from mnemoscope.tui.verbs.show_question import clues_info
from mnemoscope.tui.verbs.tables import Json, line, table

__all__ = ["correction_infos", "counts_info", "overlay_info", "overlay_lines", "table_lines"]


def overlay_info(overlaid: Overlaid | None) -> Json | None:
    """Overlays in counts; None without any."""
    if overlaid is None:
        return None
    return {
        "overlays": [
            {
                "name": one.name,
                "version": one.version,
                "file": one.file,
                "sha256": one.sha256,
                "source": one.source,
                "licence": one.licence,
                "entries": len(one.entries),
                "fit": sum(
                    correction.overlay is one
                    for of in overlaid.corrections.values()
                    for correction in of
                ),
            }
            for one in overlaid.overlays
        ],
        "questions": len(overlaid.corrections),
        "answer_changed": len(overlaid.answer_changed),
        "evidence_only": len(overlaid.evidence_only),
        "evidence_changed": len(overlaid.evidence_changed),
        "by_error_type": [
            _error_type(name, n, overlaid) for name, n in overlaid.error_types.items()
        ],
    }


def _error_type(name: str, n: int, overlaid: Overlaid) -> Json:
    questions = overlaid.release.questions
    keys = [
        key
        for key, of in overlaid.corrections.items()
        if any(one.entry.error_type == name for one in of)
    ]
    tasks = Counter(questions[key].task for key in keys)
    known = dict.fromkeys([label.task for label in overlaid.release.tasks] + [*tasks])
    return {
        "error_type": name,
        "n": n,
        "answer_changed": sum(key in overlaid.answer_changed for key in keys),
        "by_task": {task: tasks[task] for task in known},
    }


def counts_info(counts: OverlaidCounts) -> Json:
    """What became of a run's records whose published answer is called wrong."""
    return {"taken_out": counts.taken_out, "rejudged": counts.rejudged}


def correction_infos(
    release: Release, question: Question, overlaid: Overlaid | None, shown: Textualisation
) -> list[Json]:
    """What each overlay says of a question."""
    found = overlaid.corrections.get(question.key, ()) if overlaid else ()
    return [_correction(release, one, shown) for one in found]


def _correction(release: Release, one: Correction, shown: Textualisation) -> Json:
    entry = one.entry
    clues = None
    if one.clues is not None:
        corrected = replace(one.question, clues=one.clues)
        clues = clues_info(release, corrected, shown)
    return {
        "overlay": one.overlay.name,
        "version": one.overlay.version,
        "error_type": entry.error_type,
        "answer_wrong": entry.answer_wrong,
        "answer": list(entry.answer) if entry.answer is not None else None,
        "evidence": clues,
        "evidence_changed": one.changes_evidence,
        "reasoning": entry.reasoning,
        "path": entry.place,
    }


def overlay_lines(info: Json | None) -> Iterator[str]:
    """One line for each overlay."""
    for one in info["overlays"] if info else ():
        fit = f"{one['fit']} of {one['entries']} entries fit"
        yield from line(f"overlay  {one['name']} {one['version']}  {fit}")
    if info:
        yield from line(
            f"{info['questions']} questions corrected: the answer of {info['answer_changed']}, "
            f"only the evidence of {info['evidence_only']}",
            indent=9,
        )


def table_lines(info: Json) -> Iterator[str]:
    """How many questions of each error type there are, by task."""
    rows = info["by_error_type"]
    tasks = list(rows[0]["by_task"]) if rows else []
    yield from table(
        ["<error type", "n", "answer wrong", *tasks],
        [
            [row["error_type"], row["n"], row["answer_changed"], *row["by_task"].values()]
            for row in rows
        ],
    )
