"""Records as a polars frame: one row per joined record, for pivots, exports and resampling."""

import polars as pl

from mnemoscope.analyses.accuracy import has_clue
from mnemoscope.core.model import Kind, RecordStatus, Value
from mnemoscope.core.workspace import JoinedRun

__all__ = ["COLUMNS", "record_frame"]

COLUMNS = (
    "key",
    "history",
    "task",
    "setting",
    "category",
    "form",
    "repeat",
    "status",
    "value",
    "right",
    "judged",
    "ok",
    "stored_right_on_failure",
    "image_clue",
    "audio_clue",
)
"""Columns of a record frame, in order."""
# Plain text: an enum member's own value is looked up through a descriptor, and polars takes a
# slower path for subclasses of str.
_STATUSES = {status: status.value for status in RecordStatus}
_VALUES = {value: value.value for value in Value}


def record_frame(run: JoinedRun) -> pl.DataFrame:
    """One row per joined record, in the run's order.

    ``status`` and ``value`` are those under the run's rule; ``judged`` says whether the record
    counts in accuracy, ``ok`` whether it is judged with status ok; ``image_clue`` and
    ``audio_clue`` are about the question.

    Built column by column: a frame from row tuples takes several times as long.
    """
    questions = [entry.question for entry in run.entries]
    judged = [entry.judgement for entry in run.entries]
    keys = [question.key for question in questions]
    distinct = dict(zip(keys, questions, strict=True)).items()
    image, audio = (
        {key: has_clue(question, kind) for key, question in distinct}
        for kind in (Kind.IMAGE, Kind.AUDIO)
    )
    texts = {
        "key": keys,
        "history": [question.history_id for question in questions],
        "task": [question.task for question in questions],
        "setting": [question.setting for question in questions],
        "category": [question.category for question in questions],
        "form": [question.form for question in questions],
        "status": [_STATUSES[judgement.status] for judgement in judged],
        "value": [_VALUES[judgement.value] for judgement in judged],
    }
    flags = {
        "stored_right_on_failure": [one.stored_right_on_failure for one in judged],
        "image_clue": [image[key] for key in keys],
        "audio_clue": [audio[key] for key in keys],
    }
    repeats = [entry.record.repeat for entry in run.entries]
    frame = pl.DataFrame(
        [
            *(pl.Series(name, column, dtype=pl.String) for name, column in texts.items()),
            *(pl.Series(name, column, dtype=pl.Boolean) for name, column in flags.items()),
            pl.Series("repeat", repeats, dtype=pl.Int64),
        ]
    )
    value, status = pl.col("value"), pl.col("status")
    judged_at_all = value.is_in([Value.RIGHT.value, Value.WRONG.value])
    return frame.with_columns(
        (value == Value.RIGHT.value).alias("right"),
        judged_at_all.alias("judged"),
        (judged_at_all & (status == RecordStatus.OK.value)).alias("ok"),
    ).select(COLUMNS)
