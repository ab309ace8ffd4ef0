"""What each sign means, in a few words; the help of panes is made from it."""

from collections.abc import Mapping

__all__ = ["MARK_HELP"]

MARK_HELP: Mapping[str, str] = {
    "right": "right by the rule that decides for this run",
    "wrong": "wrong by that rule; counts in n",
    "error": "the record holds an error and no answer: not right, and counted apart",
    "timeout": "the system did not answer in time; as an error",
    "refused": "the provider refused to answer; as an error",
    "budget": "the run had used up its budget; as an error",
    "unparsed": "an answer in which no option can be read: not right",
    "unjudged": "nobody decided: left out of accuracy, and said so",
    "not_run": "the run left the question out",
    "none": "there is nothing here: no record, or nothing stored",
    "hit": "gold evidence that the run retrieved and used, with its rank",
    "missed": "gold evidence that the run did not retrieve, or retrieved and did not use",
    "extra": "retrieved, but no gold evidence of the question",
    "clue": "gold evidence of some question lies here",
    "unresolved": "evidence that leads to nothing in the release",
    "gold": "the right answer, as the release has it",
    "evaluator": "only an evaluator may see it; no system ever does",
    "set": "the tag is set",
    "suggested": "a rule would set the tag, and this is what it saw",
    "flag": "somebody has flagged it",
    "missing": "the file is not there, or cannot be read",
    "image": "a picture",
    "audio": "a sound",
    "by_text": "rests on a text: artifacts do not change it",
    "by_image": "rests on an artifact; the next one may change it",
    "by_both": "an artifact that a text has authorised, or a composite of both",
    "no_change": "changes nothing: the same again, another context, an unrelated image",
    "withdrawn": "an update that a later text has withdrawn",
    "reinstated": "an update that was withdrawn and is in force again",
    "direct": "the round changes it directly",
    "follows": "recomputed from what the round changes",
    "on_record": "the round changes only what it rests on, or what is shown of it",
    "unequal": "the visual or the shown value is not the accepted one",
    "absent": "there is no such entity, or it is not accepted",
}
"""Meanings by the name of a mark in ``MARKS``."""
