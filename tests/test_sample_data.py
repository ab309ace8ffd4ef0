import json
import re
import subprocess
import sys
import wave
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import mnemoscope.sample_data
from mnemoscope.sample_data._maker.release import CLOSING, REFUSAL, VARIANTS
from mnemoscope.sample_data._maker.story import Story, read_story
from mnemoscope.sample_data.make_sample import MADE, make

# Everything below is read as plain JSON, whose values have many types.
Json = Any

HOME = Path(mnemoscope.sample_data.__file__).resolve().parent
CUE = HOME / "cue"
USERS = (0, 1)
TASKS = {
    "pref": "long_pattern",
    "rec": "personalized_rec",
    "entity": "entity_recall",
    "adversarial": "answer_refusal",
}
RUNS = ("base/lexical-scorer/LTMemory", "detailed/lexical-scorer/BM25RecencyMemory")
IMAGE_FORMS = ("brief", "medium", "detailed")
AUDIO_FORMS = {"asr": "asr", "hint": "hint", "split": "asr_bg_split"}


def load(path: Path) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


def history(number: int, folder: str = "base") -> Json:
    return load(CUE / f"data/dialog/{folder}/history_with_qa_p{number}.json")


def rounds(told: Json) -> list[Json]:
    return [turn for session in told["multi_session_dialogues"] for turn in session["dialogues"]]


def questions(number: int, folder: str = "base") -> list[Json]:
    return list(history(number, folder)["human-annotated QAs"])


def media_files(told: Json) -> set[str]:
    attached = {
        path
        for turn in rounds(told)
        for field in ("input_image", "input_voice_message")
        for path in turn.get(field, [])
    }
    options = {
        path for q in told["human-annotated QAs"] for path in q.get("option_images", {}).values()
    }
    return attached | options


def strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def made_files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for name in MADE
        for path in sorted((root / name).rglob("*"))
        if path.is_file()
    }


def cell(question: Json) -> tuple[str, str]:
    task = TASKS[question["point"].split("_")[0]]
    return task, question.get("entity_explicitness") or question["qa_type"]


def results(run: str, number: int) -> dict[tuple[str, str], Json]:
    path = HOME / f"runs/result_debug/{run}/history_with_qa_p{number}_results.json"
    return {(row["category"], row["qa_id"]): row for row in load(path)}


def right(row: Json) -> bool:
    answer = row["system_answer"].strip().upper()
    found = answer[0] if answer[:1] in ("A", "B", "C", "D") else None
    match = re.search(r"\b[A-D]\b", answer)
    return bool((found or (match and match.group())) == row["original_answer"])


@pytest.fixture(scope="module")
def remade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("remade")
    make(out)
    return out


@pytest.fixture(scope="module", params=USERS)
def story(request: pytest.FixtureRequest) -> Story:
    return read_story(request.param)


def test_the_whole_sample_stays_under_five_megabytes() -> None:
    files = [p for p in HOME.rglob("*") if p.is_file() and p.suffix != ".pyc"]
    assert sum(p.stat().st_size for p in files) < 5_000_000


def test_remaking_gives_the_committed_files(remade: Path) -> None:
    committed, again = made_files(HOME), made_files(remade)
    assert committed.keys() == again.keys()
    for name, content in committed.items():
        if content != again[name]:
            # Another zlib may pack the same pixels into other bytes; nothing else may differ.
            assert name.endswith(".png"), name
            with Image.open(HOME / name) as one, Image.open(remade / name) as other:
                assert one.convert("RGB").tobytes() == other.convert("RGB").tobytes(), name


def test_the_command_line_gives_the_same_bytes_as_the_function(
    remade: Path, tmp_path: Path
) -> None:
    script = HOME / "make_sample.py"
    subprocess.run([sys.executable, str(script), "--out", str(tmp_path)], check=True)
    assert made_files(tmp_path) == made_files(remade)


@pytest.mark.parametrize("number", USERS)
def test_each_user_has_eleven_sessions_of_four_to_eight_rounds(number: int) -> None:
    sessions = history(number)["multi_session_dialogues"]
    assert [s["session_id"] for s in sessions] == [f"D{i:02d}" for i in range(11)]
    for session in sessions:
        ids = [turn["round"] for turn in session["dialogues"]]
        assert ids == [f"{session['session_id']}:{i:02d}" for i in range(len(ids))]
        assert 4 <= len(ids) <= 8


@pytest.mark.parametrize("number", USERS)
def test_dates_rise_through_2025(number: int) -> None:
    dates = [s["date"] for s in history(number)["multi_session_dialogues"]]
    assert all(re.fullmatch(r"\d\d/\d\d/2025", date) for date in dates)
    assert dates == sorted(set(dates))


@pytest.mark.parametrize("number", USERS)
def test_no_sentence_is_said_twice(number: int) -> None:
    said = [
        text
        for turn in rounds(history(number, "audio_caption/asr"))
        for text in (turn.get("user") or turn["user_voice_message_caption"], turn["assistant"])
    ]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("number", USERS)
def test_media_ids_count_per_session_and_medium(number: int) -> None:
    for session in history(number)["multi_session_dialogues"]:
        for field in ("image_id", "voice_id"):
            ids = [i for turn in session["dialogues"] for i in turn.get(field, [])]
            assert ids == [f"{session['session_id']}-{n:03d}" for n in range(1, len(ids) + 1)]


@pytest.mark.parametrize("number", USERS)
def test_every_clue_resolves(number: int) -> None:
    told = history(number)
    known = {turn["round"] for turn in rounds(told)}
    known |= {f"{i}.png" for turn in rounds(told) for i in turn.get("image_id", [])}
    known |= {f"{i}.wav" for turn in rounds(told) for i in turn.get("voice_id", [])}
    for question in told["human-annotated QAs"]:
        assert question["clue"], question["qa_id"]
        assert set(question["clue"]) <= known, question["qa_id"]
        assert len(question["clue"]) == len(set(question["clue"]))


def test_clues_of_all_three_forms_occur() -> None:
    clues = [clue for n in USERS for q in questions(n) for clue in q["clue"]]
    assert {clue[-4:] if "." in clue else "round" for clue in clues} == {"round", ".wav", ".png"}


@pytest.mark.parametrize("number", USERS)
def test_every_task_has_explicit_and_implicit_questions(number: int) -> None:
    cells = Counter(cell(q) for q in questions(number))
    wanted = {(task, split) for task in TASKS.values() for split in ("explicit", "implicit")}
    assert cells.keys() == wanted
    assert min(cells.values()) >= 3


@pytest.mark.parametrize("number", USERS)
def test_question_keys_are_unique_though_ids_are_shared(number: int) -> None:
    keys = Counter((q["point"], q["qa_id"]) for q in questions(number))
    ids = Counter(q["qa_id"] for q in questions(number))
    assert max(keys.values()) == 1
    assert max(ids.values()) > 1


@pytest.mark.parametrize("number", USERS)
def test_questions_have_four_options_and_the_closing_line(number: int) -> None:
    for question in questions(number):
        lines = question["question"].split("\n")
        assert lines[-1] == CLOSING
        if question["point"].endswith("_img"):
            assert len(lines) == 2
            for field in ("option_images", "option_captions", "question_image_descriptions"):
                assert list(question[field]) == ["A", "B", "C", "D"]
        else:
            assert [line[:3] for line in lines[1:-1]] == ["A. ", "B. ", "C. ", "D. "]
            assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("number", USERS)
def test_gold_letters_are_spread(number: int) -> None:
    letters = Counter(q["answer"] for q in questions(number))
    assert sorted(letters) == ["A", "B", "C", "D"]
    assert max(letters.values()) <= 10
    assert min(letters.values()) >= 5


@pytest.mark.parametrize("number", USERS)
def test_refusal_is_the_gold_option_of_refusal_questions_only(number: int) -> None:
    for question in questions(number):
        options = {line[0]: line[3:] for line in question["question"].split("\n")[1:-1]}
        if question["point"] == "adversarial_text":
            assert options[question["answer"]] == REFUSAL
            assert list(options.values()).count(REFUSAL) == 1
            assert question["adversarial_answer"] in options.values()
            assert question["adversarial_answer"] != REFUSAL
        else:
            assert REFUSAL not in options.values()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.folder)
def test_every_media_file_exists_and_none_is_left_over(variant: Any) -> None:
    used = {path for n in USERS for path in media_files(history(n, variant.folder))}
    present = {
        p.relative_to(CUE).as_posix() for p in CUE.rglob("*") if p.suffix in (".png", ".wav")
    }
    assert used == present


@pytest.mark.parametrize("number", USERS)
def test_variants_differ_from_base_only_in_captions(number: int) -> None:
    captions = {
        "image_caption",
        "voice_caption",
        "user_voice_message_caption",
        "option_captions",
        "user_shared_image_description",
        "background_audio",
        "_audio_caption_study",
    }

    def bare(value: Json) -> Json:
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k not in captions}
        return [bare(v) for v in value] if isinstance(value, list) else value

    for variant in VARIANTS:
        assert bare(history(number, variant.folder)) == bare(history(number)), variant.folder


@pytest.mark.parametrize("number", USERS)
def test_base_is_medium_images_with_hint_audio(number: int) -> None:
    base = history(number)
    assert base == history(number, "medium")
    hint = history(number, "audio_caption/hint")
    assert hint.pop("_audio_caption_study")["mode"] == "hint"
    assert base == hint


def test_image_cues_are_named_in_the_forms_declared_and_hidden_in_the_others(story: Story) -> None:
    for form in IMAGE_FORMS:
        sessions = history(story.number, form)["multi_session_dialogues"]
        for told, session in zip(story.sessions, sessions, strict=True):
            if told.picture is None or told.picture.cue is None:
                continue
            caption = session["user_shared_image_description"].lower()
            cue = told.picture.cue
            named = any(word in caption for word in story.targets[cue.target].words)
            assert named == (form not in cue.hidden), (told.date, form)
            assert cue.target in told.implicit


def test_audio_cues_are_named_in_the_forms_declared_and_hidden_in_the_others(story: Story) -> None:
    for form, folder in AUDIO_FORMS.items():
        sessions = history(story.number, f"audio_caption/{folder}")["multi_session_dialogues"]
        for told, session in zip(story.sessions, sessions, strict=True):
            for spoken, turn in zip(told.rounds, session["dialogues"], strict=True):
                if spoken.voice is None or spoken.voice.cue is None:
                    continue
                caption = turn["voice_caption"][0].lower()
                cue = spoken.voice.cue
                named = any(word in caption for word in story.targets[cue.target].words)
                assert named == (form not in cue.hidden), (turn["round"], form)
                assert cue.target in told.implicit


def test_poor_forms_hide_every_cue_and_rich_forms_show_every_cue(story: Story) -> None:
    images = [s.picture.cue for s in story.sessions if s.picture and s.picture.cue]
    sounds = [r.voice.cue for s in story.sessions for r in s.rounds if r.voice and r.voice.cue]
    assert len(images) >= 5
    assert len(sounds) >= 8
    assert all("brief" in cue.hidden and "detailed" not in cue.hidden for cue in images)
    assert all("asr" in cue.hidden and "split" not in cue.hidden for cue in sounds)


def test_nobody_says_what_an_implicit_target_is(story: Story) -> None:
    words = [word for target in story.targets.values() for word in target.words]
    for turn in rounds(history(story.number, "audio_caption/asr")):
        spoken = turn.get("user") or turn["user_voice_message_caption"]
        said = f"{spoken} {turn['assistant']}".lower()
        assert not [word for word in words if word in said], turn["round"]


def test_implicit_targets_are_seen_or_heard_in_three_sessions_or_more(story: Story) -> None:
    seen = Counter(key for session in story.sessions for key in session.implicit)
    hidden = {t.key for t in story.targets.values() if t.expression == "implicit"}
    assert seen.keys() == hidden
    assert min(seen.values()) >= 3


def test_clips_are_short_mono_waves() -> None:
    clips = sorted(CUE.rglob("*.wav"))
    assert sum(p.stat().st_size for p in clips) < 1_200_000
    for path in clips:
        with wave.open(str(path)) as file:
            assert (file.getnchannels(), file.getframerate(), file.getsampwidth()) == (1, 8000, 2)
            assert 1.5 <= file.getnframes() / 8000 <= 3


def test_images_are_small_palette_pictures() -> None:
    for path in sorted(CUE.rglob("*.png")):
        assert path.stat().st_size < 25_000
        with Image.open(path) as image:
            assert image.mode == "P"
            assert image.size in ((480, 360), (384, 288))


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("number", USERS)
def test_runs_answer_every_question_and_retrieve_real_rounds(run: str, number: int) -> None:
    told = history(number, run.split("/")[0])
    rows = results(run, number)
    assert rows.keys() == {(q["point"], q["qa_id"]) for q in told["human-annotated QAs"]}
    known = {turn["round"] for turn in rounds(told)}
    for row in rows.values():
        assert row["retrieved_ids"]
        assert set(row["retrieved_ids"]) <= known
        assert row["reasoning"]
        assert row["memory_context"].startswith("[Memory Start]\n[Memory 1] timestamp: ")


@pytest.mark.parametrize("run", RUNS)
def test_runs_are_right_about_half_to_four_fifths_of_the_time(run: str) -> None:
    rights = [right(row) for n in USERS for row in results(run, n).values()]
    assert 0.45 <= sum(rights) / len(rights) <= 0.80


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("number", USERS)
def test_accuracy_files_count_what_the_results_hold(run: str, number: int) -> None:
    path = HOME / f"runs/result_debug/{run}/history_with_qa_p{number}_accuracy.json"
    rows = results(run, number)
    counted = load(path)["__overall__"]["overall"]
    assert counted["correct"] == sum(map(right, rows.values()))
    assert counted["total"] == len(rows)


def test_the_two_runs_disagree_both_ways() -> None:
    only = Counter[str]()
    for number in USERS:
        one, other = (results(run, number) for run in RUNS)
        for key, row in one.items():
            if right(row) != right(other[key]):
                only["first" if right(row) else "second"] += 1
    assert only["first"] >= 4
    assert only["second"] >= 4


def test_nothing_holds_an_absolute_path_of_a_machine() -> None:
    machine = re.compile(r"/(?:home|root|tmp|work|Users|mnt|var)/|\b[A-Z]:\\\\")
    for path in sorted(HOME.rglob("*")):
        if path.suffix in (".json", ".md", ".toml", ".py"):
            assert not machine.search(path.read_text(encoding="utf-8")), path
    for path in sorted(HOME.glob("[cr]*/**/*.json")):
        assert not [text for text in strings(load(path)) if text.startswith("/")], path


def test_the_broken_copy_lists_defects_where_they_stand() -> None:
    expected = load(HOME / "broken/expected.json")
    assert len(expected) >= 19
    assert {d["severity"] for d in expected} == {"error", "warning", "repaired"}
    readme = (HOME / "broken/README.md").read_text(encoding="utf-8")
    for defect in expected:
        assert f"| {defect['what']} |" in readme
        assert defect["path"] in readme
        file = HOME / "broken" / defect["file"]
        if defect["path"] == "$":
            with pytest.raises(json.JSONDecodeError):
                load(file)
            continue
        place = load(file)
        *way, last = re.findall(r'\.([A-Za-z_]+)|\["([^"]+)"\]|\[(\d+)\]', defect["path"])
        for name, quoted, position in way:
            place = place[int(position) if position else name or quoted]
        step = int(last[2]) if last[2] else last[0] or last[1]
        if "lacks" in defect["what"]:
            assert len(place) == step
        else:
            assert place[step] is not None


def test_the_readme_counts_are_true() -> None:
    readme = (HOME / "README.md").read_text(encoding="utf-8")
    for number in USERS:
        told = history(number)
        attached = [p for turn in rounds(told) for p in turn.get("input_image", [])]
        counts = (
            told["character_profile"]["name"],
            len(told["multi_session_dialogues"]),
            len(rounds(told)),
            len(set(attached)),
            sum("voice_id" in turn for turn in rounds(told)),
            len(told["human-annotated QAs"]),
        )
        assert f"| p{number} {' | '.join(map(str, counts))} |" in readme
    for run in RUNS:
        rights = [right(row) for n in USERS for row in results(run, n).values()]
        assert f"| `{run}` | {sum(rights)} / {len(rights)} |" in readme
