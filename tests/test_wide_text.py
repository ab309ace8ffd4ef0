"""Text of every script, and of none, in every viewer: lines as wide as they claim, glyphs whole."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text
from textual.strip import Strip

from mnemoscope.core.audio import Clip, Playback, Problem
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Kind,
    Message,
    Option,
    Role,
    Round,
    Value,
)
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.overlays.applied import Correction, Overlaid
from mnemoscope.core.overlays.overlay import Overlay, OverlayEntry, Published
from mnemoscope.core.scoring.clue_hits import clue_hits
from mnemoscope.core.tags.book import Marks
from mnemoscope.core.text import clean
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.sample import sample_folder
from mnemoscope.tui.screens.session_rows import SessionRows
from mnemoscope.viewers.answer_diff import diff_blocks
from mnemoscope.viewers.cells import cell_width, clusters
from mnemoscope.viewers.columns import column_widths, cut, fit
from mnemoscope.viewers.comparison_view import (
    PairTotals,
    SettingRow,
    configuration_blocks,
    totals_blocks,
)
from mnemoscope.viewers.dialogue import DialogueLook, round_blocks
from mnemoscope.viewers.gallery import gallery_blocks
from mnemoscope.viewers.inspector import RoundFacts, evaluator_blocks, inspector_blocks
from mnemoscope.viewers.overlay_view import correction_blocks, overlay_blocks
from mnemoscope.viewers.page_blocks import Block, Line, Paragraph, Picture, lay_out
from mnemoscope.viewers.question_view import RunView, clue_blocks, question_blocks, run_blocks
from mnemoscope.viewers.styles import DARK
from mnemoscope.viewers.tables import Row, table
from mnemoscope.viewers.tag_view import TagRows, marks_line, statement_blocks
from mnemoscope.viewers.waveform import clip_lines
from tests.app_driver import opened, press
from tests.workspace_data import (
    a_history,
    a_question,
    a_record,
    a_release,
    a_round,
    a_run,
    lost_clue,
    round_clue,
    rounds_retrieved,
)

PARTS = (
    *("word ", "a", "7", " ", "\t", "\n", "\r\n", "\u2028", "-", "[red]", "[/]", "\\["),
    *("漢字", "哪，", "“你好”", "한글", "ｶﾅ", "１", "　"),
    *("👩\u200d👩\u200d👧", "🇩🇪", "🇨🇳", "❤️", "👍🏽", "😀", "☕", "1️⃣", "🏳️\u200d🌈"),
    *("e\u0301", "नि", "ก็", "a\u0323\u0307", "\u0301", "\u200d", "\u200b", "\u200c", "\ufe0f"),
    *("\u202eabc\u202c", "\u2067ع\u2069", "שלום", "مرحبا", "\u200f", "\u061c", "\ufeff", "\u00ad"),
    *("\x1b[31m", "\x1b]0;t\x07", "\x00", "\x07", "\x7f", "\x9b1m", "\ud83d", "\udc00"),
)
"""What has broken lines of terminals before, and what stands between it."""
FORBIDDEN = frozenset(
    [chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0xD800, 0xE000))]
    + [*"\u00ad\u061c\u200e\u200f\u2028\u2029\ufeff\u202a\u202b\u202c\u202d\u202e"]
    + [chr(code) for code in range(0x2066, 0x2070)]
)
"""What a terminal obeys instead of drawing it, or draws otherwise than it is counted."""

nasty = st.lists(st.sampled_from(PARTS) | st.characters(), max_size=24).map("".join)
widths = st.integers(min_value=8, max_value=90)
quick = settings(max_examples=25, deadline=None)
CONSOLE = Console()
CLIP = Clip("a.wav", "wav", "PCM", 1.5, 8000, 1, 16)


def picture_lines(block: Picture, width: int) -> Sequence[Strip]:
    return [Strip.blank(min(width, block.columns))] * min(2, block.rows)


def drawn(content: object) -> Iterator[Text]:
    """The texts of a line; each stands in cells of its own."""
    if isinstance(content, Text):
        yield content
    elif isinstance(content, tuple):
        for _, part in content:
            yield from drawn(part)


def check_text(text: Text, cells: int) -> None:
    plain = text.plain
    assert not FORBIDDEN & set(plain), repr(plain)
    assert cell_width(plain) <= max(cells, 2), (cell_width(plain), cells, plain)
    assert Strip(text.render(CONSOLE)).cell_length == cell_width(plain)


def check(blocks: Iterable[Block], width: int) -> None:
    """Lay blocks out as a page does and look at every line."""
    lines, _ = lay_out(list(blocks), width, picture_lines)
    for line in lines:
        for text in drawn(line.content):
            check_text(text, width - line.indent)
        assert end_of(line) <= max(width, line.indent + 2)


def end_of(line: Line) -> int:
    """Where the last thing of a line ends."""
    if isinstance(line.content, Text | Strip):
        return line.indent + line.content.cell_len if isinstance(line.content, Text) else 0
    ends = [s + (c.cell_len if isinstance(c, Text) else c.cell_length) for s, c in line.content]
    return line.indent + max(ends, default=0)


def look_of(text: str) -> DialogueLook:
    words = [re.compile(re.escape(text.strip()[:3]), re.IGNORECASE)] if text.strip() else []
    return DialogueLook(DARK, words=words, option_cells=60)


def round_of(text: str) -> Round:
    picture = Attachment(Kind.IMAGE, text, "a.png", {"medium": text, "brief": text})
    lost = Attachment(Kind.AUDIO, text, "a.wav", {"hint": text}, AttachmentState.MISSING, text)
    one = a_round("D00:00", text, picture, lost)
    other = Message(text, Role.OTHER, text)
    return Round(one.id, one.session_id, 0, (*one.messages, other), "$")


def dialogue(text: str, width: int) -> Iterable[Block]:
    return round_blocks(round_of(text), look_of(text), cited_by=2)


def inspector(text: str, width: int) -> Iterable[Block]:
    facts = RoundFacts(
        round_of(text),
        [(a_question("p0/q", text=text), ())],
        retrieved=[(text, (2, 1)), (text, None)],
        variants={Kind.IMAGE: ("medium", "brief"), Kind.AUDIO: ("hint",)},
        notes={"round": {text: text}},
        show_evaluator=True,
    )
    return inspector_blocks(facts, look_of(text))


def evaluator(text: str, width: int) -> Iterable[Block]:
    return evaluator_blocks("question", {text: [text, {text: 1}]}, DARK)


def question(text: str, width: int) -> Iterable[Block]:
    options = [Option("A", text), Option(text or "B", text)]
    asked = a_question("p0/q", text=text or "?", options=options, category=text, form=text)
    return question_blocks(asked, look_of(text), text)


def clues_and_runs(text: str, width: int) -> Iterable[Block]:
    asked = a_question("p0/q", clues=["D00:00"], text=text or "?")
    release = a_release([asked], [a_history("p0", [round_of(text)])])
    record = a_record("p0/q", answer=text, reasoning=text, retrieval=rounds_retrieved("D00:00"))
    run = Workspace.build(release, [a_run(text or "one", [record])]).runs[0]
    entry = run.entry("p0/q")
    assert entry is not None
    found = clue_hits(asked, entry.record, history=release.histories["p0"])
    view = RunView(run, entry, found, [text])
    yield from clue_blocks(asked, [view], [text], [None], look_of(text))
    yield from run_blocks(view, look_of(text))


def gallery(text: str, width: int) -> Iterable[Block]:
    picture = Attachment(Kind.IMAGE, "i", "a.png", {"medium": text})
    broken = Attachment(Kind.IMAGE, "j", "b.png", {}, AttachmentState.UNREADABLE, text)
    options = [Option("A", text, attachment=picture), Option(text or "B", "", attachment=broken)]
    return gallery_blocks([*options, Option("C", text), *options], "A", look_of(text))


def diff(text: str, width: int) -> Iterable[Block]:
    half = len(text) // 2
    return diff_blocks("answer", (Text("A"), Text("B")), (text, text[half:] + text[:half]), DARK)


def totals(text: str, width: int) -> Iterable[Block]:
    rows = [PairTotals(text, 1, 2, 3, 4_000), PairTotals("x", 1, 0, 0, 0)]
    return totals_blocks(PairTotals("all", 9, 9, 9, 9), rows, 0.5, [text], DARK, width=width)


def configuration(text: str, width: int) -> Iterable[Block]:
    rows = [SettingRow(text, text, "", False), SettingRow("k", text, text, True)]
    return configuration_blocks((clean(text, keep_newlines=False), "B"), rows, DARK)


def overlays(text: str, width: int) -> Iterable[Block]:
    published = a_question("p0/q", task=text or "task", clues=["D00:00"], text=text or "?")
    entry = OverlayEntry(
        "p0/q",
        Published(),
        "$",
        error_type=text,
        answer_wrong=len(text) % 2 == 0,
        answer=(text, text),
        evidence=(text,),
        reasoning=text,
    )
    overlay = Overlay(text, text, "o.json", "0" * 64, (entry,))
    found = [Correction(overlay, entry, published, (lost_clue(text), round_clue("D00:00")))]
    yield from correction_blocks(found, DARK)
    overlaid = Overlaid((overlay,), a_release([published]), {"p0/q": tuple(found)})
    yield from overlay_blocks(overlaid, DARK, width=width)


def what_others_say(text: str, width: int) -> Iterable[Block]:
    said = Marks(note=text, flagged=True, skipped=True, verdict=Value.WRONG, reason=text)
    yield Paragraph(marks_line(said, DARK, none_fits=True))
    yield from statement_blocks([(text, text, said), (text, "", Marks())], DARK)


def a_table(text: str, width: int) -> Iterable[Block]:
    rows = [Row([text, "1", text], target=1), Row(["x", text, "2"])]
    return table(["name", "n", "what"], rows, DARK, align="lrc", widest=(20, 6, 0), width=width)


def paragraphs(text: str, width: int) -> Iterable[Block]:
    yield Paragraph(Text(text), indent=3)
    yield Paragraph(Text(text), wrap=False)


VIEWERS: dict[str, Callable[[str, int], Iterable[Block]]] = {
    "dialogue": dialogue,
    "inspector": inspector,
    "evaluator-only": evaluator,
    "question": question,
    "clues and runs": clues_and_runs,
    "gallery": gallery,
    "answer diff": diff,
    "comparison": totals,
    "configuration": configuration,
    "overlays": overlays,
    "what others say": what_others_say,
    "table": a_table,
    "page": paragraphs,
}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_viewer_draws_a_line_wider_than_its_page_or_a_sign_that_is_obeyed(viewer: str) -> None:
    @quick
    @given(nasty, widths)
    def drawn_within(text: str, width: int) -> None:
        check(VIEWERS[viewer](text, width), width)

    drawn_within()


@quick
@given(nasty, st.integers(min_value=40, max_value=200))
def test_a_comparison_shows_every_figure_whole_at_every_width(name: str, width: int) -> None:
    rows = [PairTotals(name, 1_111, 2_222, 3_333, 4_444)]
    blocks = list(totals_blocks(PairTotals("all", 9, 9, 9, 9), rows, 0.5, [], DARK, width=width))
    lines, _ = lay_out(blocks, width, picture_lines)
    text = "\n".join(one.plain for line in lines for one in drawn(line.content))
    assert all(figure in text for figure in ("11,110", "1,111", "2,222", "3,333", "4,444"))


@settings(max_examples=100, deadline=None)
@given(nasty, st.integers(min_value=0, max_value=30), st.booleans())
def test_a_cell_of_a_list_has_exactly_its_width(text: str, cells: int, styled: bool) -> None:
    for align in ("left", "center", "right"):
        cell = fit(Text(text) if styled else text, cells, align, middle=True)
        assert cell_width(cell.plain) == cells
        check_text(cell, cells)


@settings(max_examples=100, deadline=None)
@given(nasty, st.integers(min_value=0, max_value=30))
def test_a_cut_is_between_glyphs_and_shows(text: str, cells: int) -> None:
    whole = clean(text, keep_newlines=False)
    short = cut(Text(whole), cells).plain
    assert cell_width(short) <= cells
    if short != whole and cells:
        assert short.endswith("…")
        edges = {start for start, _, _ in clusters(whole)} | {len(whole)}
        kept = short[:-1]
        assert whole.startswith(kept)
        # White space before the sign goes.
        assert any(whole[len(kept) : edge].strip() == "" for edge in edges if edge >= len(kept))


@quick
@given(nasty, st.integers(min_value=6, max_value=40))
def test_rows_of_sessions_fill_their_columns(text: str, cells: int) -> None:
    rounds = [a_round(f"{text or 's'}:{n}", text) for n in range(2)]
    rows = SessionRows(a_history("p0", rounds), frozenset({text}), DARK)
    wide = column_widths(rows.columns, cells)
    for column, width, cell in zip(rows.columns, wide, rows.cells(0), strict=True):
        if width:
            shown = fit(cell, width, column.align, middle=column.middle)
            assert cell_width(shown.plain) == width
            check_text(shown, width)


@dataclass(frozen=True)
class OfferedTag:
    """A tag whose every text is the same."""

    text: str
    is_set: bool = True
    is_kind: bool = True
    key: str = "a"

    @property
    def title(self) -> str:
        return self.text

    stage = evidence = help = title

    @property
    def others(self) -> Sequence[str]:
        return [self.text, self.text]


@quick
@given(nasty, st.integers(min_value=20, max_value=90), st.booleans())
def test_rows_of_tags_fill_their_columns(text: str, cells: int, others: bool) -> None:
    rows = TagRows([OfferedTag(text)], DARK, others=others)
    wide = column_widths(rows.columns, cells)
    for column, width, cell in zip(rows.columns, wide, rows.cells(0), strict=True):
        if width:
            shown = fit(cell, width, column.align, middle=column.middle)
            assert cell_width(shown.plain) == width
            check_text(shown, width)


@quick
@given(nasty, st.integers(min_value=8, max_value=40))
def test_what_is_said_of_a_sound_has_whole_glyphs(text: str, cells: int) -> None:
    states = [Playback(), Playback(reason=text, note=text)]
    for clip in (CLIP, Problem("unreadable", text)):
        for peaks in ([0.5, 1.0], Problem("unreadable", text)):
            for state in states:
                for line in clip_lines(clip, peaks, state, cells, DARK):
                    check_text(cut(line, cells), cells)


TEXT = "".join(PARTS).replace("\n", " ")
TEXTS = {"name", "user", "assistant", "image_caption", "voice_caption", "option_captions"}
TEXTS |= {"user_voice_message_caption", "reasoning", "subcategory", "reasoning_sessions"}


def widened(value: object, key: str = "") -> object:
    if isinstance(value, dict):
        return {name: widened(one, key if key in TEXTS else name) for name, one in value.items()}
    if isinstance(value, list):
        return [widened(one, key) for one in value]
    return TEXT + value if isinstance(value, str) and key in TEXTS else value


@pytest.fixture(scope="module")
def wide_release(tmp_path_factory: pytest.TempPathFactory) -> OpenRequest:
    """The sample with such text before every string that is no id, path, date or label."""
    folder = tmp_path_factory.mktemp("wide")
    for name in ("cue", "runs"):
        shutil.copytree(sample_folder() / name, folder / name)
    files: list[Path] = [*folder.rglob("history_with_qa_p*.json"), *folder.rglob("*_results.json")]
    for file in files:
        data = widened(json.loads(file.read_text(encoding="utf-8")))
        file.write_text(json.dumps(data), encoding="utf-8")
    return OpenRequest(folder / "cue", (folder / "runs",))


@pytest.mark.parametrize("width", [61, 80, 121])
async def test_every_screen_is_as_wide_as_its_terminal(
    wide_release: OpenRequest, width: int
) -> None:
    async with opened(wide_release, size=(width, 30)) as (app, pilot):
        walks = (("H", "a"), ("tab",), ("L", "1", "enter"), ("x",), ("C", "tab"), ("M",))
        for keys in (*walks, ("L", "enter", "J"), ("question_mark",)):
            await press(app, pilot, *keys)
            for line in app.screen._compositor.render_strips():
                text = "".join(segment.text for segment in line)
                assert cell_width(text) == width
                assert not FORBIDDEN & set(text), repr(text)
