"""What backbones are told of a question, and what they say of an answer."""

from typing import ClassVar

import pytest

from mnemoscope.core.backbones.backbone import Answered, BackboneSpec, Reached, require_chat
from mnemoscope.core.errors import UsageError
from mnemoscope.core.memory.query import query_of, question_files
from mnemoscope.core.model import Kind, RecordStatus, Textualisation
from mnemoscope.core.releases.registry import open_release
from mnemoscope.tui.sample import sample_folder
from tests.memory_data import Diary


class Chatty(Diary):
    NAME: ClassVar[str] = "chatty"
    NEEDS_CHAT: ClassVar[bool] = True


def test_a_system_that_needs_a_chat_model_refuses_what_is_none() -> None:
    embedded, model = BackboneSpec("embedded", False), BackboneSpec("m", True)
    with pytest.raises(UsageError, match="chatty needs a chat model, and the backbone embedded"):
        require_chat(Chatty, embedded)
    require_chat(Chatty, model)
    require_chat(Diary, embedded)


def test_a_configuration_has_one_hash_however_its_parts_are_ordered() -> None:
    one = BackboneSpec("m", True, {"a": 1, "b": 2}, {"p": "1", "q": "2"})
    other = BackboneSpec("m", True, {"b": 2, "a": 1}, {"q": "2", "p": "1"})
    assert one.hash == other.hash
    assert one.hash != BackboneSpec("m", True, {"a": 1, "b": 3}, {"p": "1", "q": "2"}).hash


def test_what_reached_the_model_has_a_number_for_every_kind() -> None:
    reached = Reached({Kind.IMAGE: 2}, {"audio: the model takes none": 1})
    assert Answered(RecordStatus.OK, "A", reached=reached, attempts=2).as_json() == {
        "attempts": 2,
        "reached": {
            "text": True,
            "image": 2,
            "audio": 0,
            "fallbacks": {"audio: the model takes none": 1},
        },
    }


def test_the_files_of_a_question_go_by_the_names_that_its_media_have_in_the_query() -> None:
    release = open_release(sample_folder() / "cue")
    question = next(
        one for one in release.questions.values() if any(o.attachment for o in one.options)
    )
    query = query_of(question, Textualisation())
    named = {(o.picture.kind, o.picture.id) for o in query.options if o.picture is not None}
    files = question_files(question)
    assert files.keys() <= named
    assert files[Kind.IMAGE, "option A"].endswith((".png", ".jpg"))
