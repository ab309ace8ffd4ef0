"""The release: a story written as `history_with_qa_pN.json`, once per caption variant."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mnemoscope.sample_data._maker.story import (
    LETTERS,
    ImageOption,
    Picture,
    Question,
    Round,
    Session,
    Story,
    Target,
    Voice,
)

CLOSING = "请在 A/B/C/D 中选择最符合的选项。"
REFUSAL = "历史中没有说明"
SPEECH, BACKGROUND = "人声：", "背景音："
NO_SOUND = {"hint": "无明显背景音", "split": "无明确背景音。"}
POINTS = (
    "pref_img",
    "rec_img",
    "entity_img",
    "pref_text",
    "rec_text",
    "entity_text",
    "adversarial_text",
)
"""Question points in the order a release lists them."""

Json = dict[str, object]


@dataclass(frozen=True)
class Variant:
    """One tree of history files: which text stands for images and for audio."""

    folder: str
    image: str
    """`brief`, `medium` or `detailed`."""
    audio: str
    """`asr`, `hint` or `split`."""
    study: str = ""
    """Name of the audio study, empty for image variants."""


VARIANTS = (
    Variant("base", "medium", "hint"),
    Variant("brief", "brief", "hint"),
    Variant("medium", "medium", "hint"),
    Variant("detailed", "detailed", "hint"),
    Variant("audio_caption/asr", "medium", "asr", "asr"),
    Variant("audio_caption/hint", "medium", "hint", "hint"),
    Variant("audio_caption/asr_bg_split", "medium", "split", "asr_bg_split"),
)


def history(story: Story, variant: Variant) -> Json:
    """The whole history file of one user in one variant."""
    dated = list(enumerate(story.sessions))
    questions = sorted(story.questions, key=lambda q: POINTS.index(q.point))
    file: Json = {
        "character_profile": {
            "name": story.name,
            "description": f"Invented sample user (p_id={story.number})",
        },
        "multi_session_dialogues": [_session(story, s, i, variant) for i, s in dated],
        "human-annotated QAs": [_question(story, q, variant) for q in questions],
    }
    if variant.study:
        file["_audio_caption_study"] = {
            "mode": variant.study,
            "asr_data_source": "sample_data/_maker/content",
            "background_audio_caption_source": "sample_data/_maker/content",
            "image_caption_source": "base",
        }
    return file


def image_path(number: int, session: Session) -> str:
    """Where the photograph of a session lies."""
    return f"data/event/images/pid_{number:04d}_task_{session.task}.png"


def voice_path(number: int, session: Session, index: int) -> str:
    """Where the voice message of round `index` lies; user turns are the even ones."""
    folder = f"data/event/voice_mixed/{number}-{session.task}"
    return f"{folder}/{session.task}_turn{2 * index}.wav"


def voice_caption(spoken: str, voice: Voice, form: str) -> str:
    """A voice caption in one of the three forms."""
    if form == "asr":
        return spoken
    heard = (voice.hint if form == "hint" else voice.split) or NO_SOUND[form]
    return f"{SPEECH}{spoken}\n{BACKGROUND}{heard}"


def image_caption(picture: Picture | ImageOption, level: str) -> str:
    """The caption of a picture at one level."""
    return {"brief": picture.brief, "medium": picture.medium, "detailed": picture.detailed}[level]


def question_id(story: Story, question: Question) -> str:
    """The `qa_id`, which questions of different points may share."""
    stem = question.entity or question.target
    return "-".join(part for part in (str(story.number), stem, question.suffix) if part)


def option_path(story: Story, question: Question, letter: str) -> str:
    """Where the image of an option lies."""
    option = question.images[letter]
    if option.portrait:
        entity = story.entities[question.entity]
        kind = entity.key.split("-")[0]
        name = f"profile_{story.number}_{story.name}_{kind}_{entity.name}_0.png"
        return f"data/profile/generated_portraits/{name}"
    folder = {"pref_img": "pref_images", "rec_img": "rec_images"}.get(question.point)
    safe = re.sub(r"[^0-9A-Za-z._-]", "_", question_id(story, question))
    return f"data/qa/{folder or 'entity_images'}/{safe}_{letter}.png"


def media(story: Story) -> dict[str, str]:
    """Every picture of a user: its path and the name of its drawing."""
    drawn = {image_path(story.number, s): s.picture.draw for s in story.sessions if s.picture}
    for question in story.questions:
        for letter, option in question.images.items():
            drawn[option_path(story, question, letter)] = option.draw
    return drawn


def _session(story: Story, session: Session, index: int, variant: Variant) -> Json:
    sid = f"D{index:02d}"
    voiced = [r for r in session.rounds if r.voice]
    sounds = list(dict.fromkeys(r.voice.gold for r in voiced if r.voice))
    joint = "；" if story.number == 0 else "; "
    picture = session.picture
    return {
        "session_id": sid,
        "date": session.date,
        "dialogues": _rounds(story, session, sid, variant),
        "task_id": session.task,
        "group_id": session.task.split("-")[1],
        "scene_description": f"{session.date};{session.place};{session.scene}",
        "user_shared_image_description": image_caption(picture, variant.image)
        if picture
        else "none",
        "background_audio_info": joint.join(sounds) or "none",
        "human_speech_content": "\n".join(r.user for r in voiced) or "none",
        "explicit_preferences": [_preference(story.targets[k]) for k in session.explicit],
        "implicit_preferences": [_preference(story.targets[k]) for k in session.implicit],
        "_p_id": story.number,
        "_profile_str": story.portrait,
    }


def _preference(target: Target) -> Json:
    note: Json = {
        "category": target.key,
        "subcategory": target.subcategory,
        "content": target.content,
        "sources": list(target.sources),
    }
    if target.anchors:
        note["entity_anchors"] = list(target.anchors)
    if target.rationale:
        note["rationale"] = target.rationale
    return {**note, "expression_type": target.expression}


def _rounds(story: Story, session: Session, sid: str, variant: Variant) -> list[Json]:
    rounds: list[Json] = []
    images = voices = 0
    for index, told in enumerate(session.rounds):
        written: Json = {"round": f"{sid}:{index:02d}"}
        if told.picture and session.picture:
            images += 1
            written["input_image"] = [image_path(story.number, session)]
            written["image_caption"] = [image_caption(session.picture, variant.image)]
            written["image_id"] = [f"{sid}-{images:03d}"]
        if told.voice:
            voices += 1
            written |= _voice(told, told.voice, variant)
            written["input_voice_message"] = [voice_path(story.number, session, index)]
            written["voice_id"] = [f"{sid}-{voices:03d}"]
        else:
            written["user"] = told.user
        written["assistant"] = told.assistant
        rounds.append(written)
    return rounds


def _voice(told: Round, voice: Voice, variant: Variant) -> Json:
    caption = voice_caption(told.user, voice, variant.audio)
    written: Json = {"voice_caption": [caption], "user_voice_message_caption": caption}
    if variant.audio == "split":
        written["background_audio"] = voice.gold
    return written


def _question(story: Story, question: Question, variant: Variant) -> Json:
    lines = [f"{x}. {text}" for x, text in zip(LETTERS, question.options, strict=False)]
    row: Json = {
        "qa_id": question_id(story, question),
        "question": "\n".join([question.stem, *lines, CLOSING]),
        "answer": question.answer,
        "point": question.point,
        "qa_type": _qa_type(story, question),
        "session_id": question.clue[0][:3],
        "clue": list(question.clue),
        "p_id": story.number,
    }
    if question.entity:
        row |= _entity(story, question)
    else:
        row["category"] = question.target.split("-")[0]
        row["subcategory"] = story.targets[question.target].subcategory
    if question.images:
        row |= _option_images(story, question, variant)
    if question.point == "adversarial_text":
        row["adversarial_type"] = question.kind
        row["adversarial_answer"] = question.options[LETTERS.index(question.lure)]
        row["rationale"] = question.rationale
    return row


def _qa_type(story: Story, question: Question) -> str:
    if question.entity:
        return question.entity.split("-")[0]
    return story.targets[question.target].expression


def _entity(story: Story, question: Question) -> Json:
    entity = story.entities[question.entity]
    refs: list[Json] = []
    if entity.target:
        target = story.targets[entity.target]
        refs.append(
            {
                "category": target.key,
                "subcategory": target.subcategory,
                "expression_type": target.expression,
                "sources": list(target.sources),
            }
        )
    return {
        "entity_name": entity.name,
        "entity_anchor_lookup_name": entity.name,
        "dimension": question.dimension,
        "entity_explicitness": entity.explicitness,
        "entity_source_refs": refs,
    }


def _option_images(story: Story, question: Question, variant: Variant) -> Json:
    options = question.images
    hidden = {
        letter: f"(existing portrait: {story.entities[question.entity].name})"
        if option.portrait
        else option.detailed
        for letter, option in options.items()
    }
    return {
        "option_images": {x: option_path(story, question, x) for x in options},
        "option_captions": {x: image_caption(o, variant.image) for x, o in options.items()},
        "question_image_descriptions": hidden,
    }
