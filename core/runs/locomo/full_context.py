"""LoCoMo runs in EverMemOS's evaluated form, as the full-context baseline writes it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    Retrieval,
    RetrievalState,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    first_groups,
    grouped_rows,
    match_id,
    read_category,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Rows,
    any_row_has,
    check_totals,
    identity_of,
    read_answer,
    read_gold,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["FullContextRuns"]

_ROW_KEYS = ("question_id", "generated_answer", "llm_judgments")
_QUESTION_ID = re.compile(r"(?:[a-z_]*_)?([0-9]{1,6})_qa([0-9]{1,6})", re.IGNORECASE)
_FULL = re.compile(r"full[ _-]?(?:context|text|history)|fc[ _-]baseline", re.IGNORECASE)
# LoCoMo's shortest history has 8,019 words; what a memory brings back of one has hundreds.
_WHOLE_HISTORY_WORDS = 8_000
_TOTALS = {
    "correct": "correct by majority of the judgments",
    "accuracy": "accuracy, mean over the judge's runs",
}
_FIGURES = {
    "mean_accuracy": "mean over the judge's runs",
    "std_accuracy": "standard deviation over the judge's runs",
    "majority_vote_accuracy": "by majority of the judgments",
}
_LISTED_FIGURES = ("run_scores", "category_accuracies")
_USAGE = re.compile(r"(?:total|mean|median|std)_\w+")
_NOTE = (
    "right and wrong go by the majority of the stored judgments; the stored accuracy is the mean "
    "over the judge's runs, another figure"
)


class FullContextRuns:
    """Reads EverMemOS's evaluated form (other-releases.md 3.4): totals, metadata, rows."""

    name = "evermem-full-context"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data = file.data if not file.is_lines else None
        if type(data) is not dict or not _is_evaluated(data.get("detailed_results")):
            return None
        log = DefectLog(file.name)
        root = Node(data, "$", log)
        metadata = Node(root.mapping("metadata"), root.at("metadata"), log)
        retrieval, retrieval_note = _retrieval_of(metadata, file)
        records = [
            record
            for rows in _conversations(root)
            for position, row in rows.nodes(log)
            if (record := _read_row(row, rows.history, position, retrieval, log.file))
        ]
        _check_totals(root, records)
        identity, notes = identity_of(file, self.name, backbone=metadata.text("answer_model"))
        return [
            RunPart(
                identity,
                tuple(records),
                parameters=_parameters(metadata),
                metrics=tuple(dict.fromkeys((*read_metrics(root, _TOTALS), *_figures(metadata)))),
                defects=tuple(log.items),
                notes=(_NOTE, retrieval_note, *notes),
            )
        ]


def _is_evaluated(results: Any) -> bool:
    lists = [results] if type(results) is list else first_groups(results)
    return any(any_row_has(rows, *_ROW_KEYS) for rows in lists)


def _conversations(root: Node) -> list[Rows]:
    place = root.at("detailed_results")
    if type(root.data["detailed_results"]) is list:
        return [Rows("", place, root.items("detailed_results"))]
    return grouped_rows(Node(root.mapping("detailed_results"), place, root.log))


def _retrieval_of(metadata: Node, file: SourceFile) -> tuple[Retrieval, str]:
    """Whether the whole history was sent: other systems are evaluated in this form too."""
    words = metadata.number("mean_context_words")
    whole = Retrieval(RetrievalState.WHOLE_HISTORY)
    if words is not None and words >= _WHOLE_HISTORY_WORDS:
        return whole, f"the whole history was sent: the context has {words:,.0f} words on average"
    named = f"{file.path.parent.name}/{file.stem}"
    if words is None and _FULL.search(named):
        return whole, f"the whole history was sent, by the name {named!r}; the file does not say"
    return Retrieval(), "the file says nothing of what was retrieved"


def _read_row(
    row: Node, history: str, position: int, retrieval: Retrieval, file: str
) -> Record | None:
    match = match_id(row, _QUESTION_ID, "locomo_0_qa0")
    # Without an id the text has to tell which question it is.
    text = row.text("question") if match else row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "generated_answer")
    return Record(
        ref=QuestionRef(
            history=f"#{int(match[1])}" if match else history,
            question=str(int(match[2])) if match else "",
            position=None if match else position,
            text=text,
            category=read_category(row),
            gold=read_gold(row, "golden_answer"),
        ),
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=_read_verdicts(row),
        retrieval=retrieval,
    )


def _read_verdicts(row: Node) -> tuple[Verdict, ...]:
    """The majority first, because the first stored verdict decides; then each vote."""
    judgments = Node(row.mapping("llm_judgments"), row.at("llm_judgments"), row.log)
    votes = [read_verdict(judgments, key, stage=key) for key in judgments.data]
    right = sum(vote.value is Value.RIGHT for vote in votes)
    wrong = sum(vote.value is Value.WRONG for vote in votes)
    if right + wrong == 0:
        value = Value.JUDGE_FAILED if votes else Value.NOT_JUDGED
        reason = "no judgment can be read" if votes else ""
    elif right == wrong:
        value, reason = Value.JUDGE_FAILED, f"{right} to {wrong}: no majority"
    else:
        value = Value.RIGHT if right > wrong else Value.WRONG
        reason = f"{max(right, wrong)} of {right + wrong} judgments"
    return (Verdict("stored", value, "majority", reason), *votes)


def _check_totals(root: Node, records: Sequence[Record]) -> None:
    right = sum(record.verdicts[0].value is Value.RIGHT for record in records)
    check_totals(root, {"total_questions": len(records), "correct": right})


def _parameters(metadata: Node) -> Mapping[str, Any]:
    """What was set, without what was measured."""
    return {
        key: value
        for key, value in metadata.data.items()
        if key not in (*_FIGURES, *_LISTED_FIGURES, "answer_model") and not _USAGE.fullmatch(key)
    }


def _figures(metadata: Node) -> Iterator[StoredMetric]:
    names = {key: f"accuracy, {meaning}" for key, meaning in _FIGURES.items()}
    yield from read_metrics(metadata, names)
    for number, score in enumerate(metadata.items("run_scores"), start=1):
        if type(score) in (int, float) and 0 <= score <= 1:
            yield StoredMetric(f"accuracy, judge run {number}", score)
        else:
            place = f"{metadata.at('run_scores')}[{number - 1}]"
            metadata.log.error("wrong_type", place, score, "a share of the questions")
    by_category = metadata.mapping("category_accuracies")
    place = metadata.at("category_accuracies")
    categories = Node(by_category, place, metadata.log)
    for category in by_category:
        figures = Node(categories.mapping(category), categories.at(category), metadata.log)
        name = f"accuracy of category {category}, mean over the judge's runs"
        yield from read_metrics(figures, {"mean": name})
    usage = [key for key in metadata.data if _USAGE.fullmatch(key) and key not in _FIGURES]
    yield from read_metrics(metadata, {key: key for key in usage})
