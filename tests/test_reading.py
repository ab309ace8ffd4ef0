import gc
import gzip
import json
import os
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import (
    Defect,
    DefectLog,
    Described,
    Severity,
    count_by_severity,
    describe,
)
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import open_file, read_bytes
from mnemoscope.core.reading import (
    Node,
    at_path,
    read_json,
    read_json_lines,
    step,
)
from mnemoscope.core.sources import (
    Source,
    SourceFile,
    natural_key,
    unreadable_folders,
)

NASTY = st.text() | st.sampled_from(
    ["", ".", "[", "]", '"', "\\", "a.b", "a[0]", '["a"]', "$", "\ud800", "\0", "\x1b", "名", "0"]
)
SCALARS = st.none() | st.booleans() | st.integers() | NASTY
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NASTY, inner, max_size=4),
    max_leaves=12,
)


def written(tmp_path: Path, data: bytes, name: str = "a.json") -> Path:
    file = tmp_path / name
    file.write_bytes(data)
    return file


def refusal(read: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        read()
    return str(caught.value)


def node(**data: Any) -> Node:
    return Node(data, "$.rows[3]", DefectLog("a.json"))


# --- Bytes to values ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"", "line 1 column 1", "found the end of the file, expected JSON (Expecting value)"),
        (b" \n\n", "line 3 column 1", "found the end of the file, expected JSON (Expecting value)"),
        (b'{"a": [1,\n2', "line 2 column 2", "found the end of the file, expected JSON ("),
        (b'{"a": 1,\n "b": oops}', "line 2 column 7", "found 'oops}', expected JSON ("),
        (b'{"a": "cut', "line 1 column 7", "found '\"cut', expected JSON (Unterminated string"),
        (b"{'a': 1}", "line 1 column 2", "found \"'a': 1}\", expected JSON ("),
        (b"[1] [2]", "line 1 column 5", "found '[2]', expected JSON (Extra data)"),
        (b'["a\nb"]', "line 1 column 4", "found '\\nb\"]', expected JSON (Invalid control"),
        (b'["a",\n"\xff"]', "line 2", "found byte 0xff at offset 7, expected UTF-8 text"),
        (b'\xef\xbb\xbf["a",\n"\xff"]', "line 2", "found byte 0xff at offset 7, expected UTF-8"),
        (b"[" * 100_000, "", "found nesting too deep to read, expected JSON of sane depth"),
        (b"[" + b"7" * 5_000 + b"]", "", "found a number of thousands of digits, expected sane"),
        (b"\x89PNG\r\n\x1a\n\0\0", "line 1", "found byte 0x89 at offset 0, expected UTF-8 text"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:30] or "whole file",
)
def test_what_is_no_json_says_where_and_what_was_found(
    tmp_path: Path, data: bytes, place: str, message: str
) -> None:
    file = written(tmp_path, data)
    with pytest.raises(ReadError) as caught:
        read_json(file)
    error = caught.value
    assert (error.file, error.place) == (file, place)
    assert str(error).startswith(f"{file}: {place}: {message}" if place else f"{file}: {message}")
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'\xef\xbb\xbf{"a": "\xe5\x90\x8d"}', {"a": "名"}),
        ('{"a": 1}'.encode("utf-16"), {"a": 1}),
        (b"3", 3),
        (b'"\\ud800"', "\ud800"),
        (b"[1e400, -Infinity]", [float("inf"), float("-inf")]),
    ],
)
def test_unusual_json_is_read_as_python_reads_it(tmp_path: Path, data: bytes, value: Any) -> None:
    assert read_json(written(tmp_path, data)) == value


def test_a_file_of_control_characters_is_shown_escaped(tmp_path: Path) -> None:
    message = refusal(lambda: read_json(written(tmp_path, b"\x1b[31m\x07")))
    assert "\x1b" not in message
    assert "'\\x1b[31m\\x07'" in message


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    assert read_json(written(tmp_path, gzip.compress(b"[1]"), "a.json.gz")) == [1]


@pytest.mark.parametrize(
    "data",
    [b"", b"[1]", gzip.compress(b"[1]" * 500)[:-9], gzip.compress(b"[1]")[:12] + b"\xff" * 9],
    ids=["empty", "not packed", "cut", "garbled"],
)
def test_a_broken_packed_file_says_so(tmp_path: Path, data: bytes) -> None:
    file = written(tmp_path, data, "a.json.gz")
    if data:
        assert "expected a complete gzip file" in refusal(lambda: read_bytes(file))
    else:
        assert "the end of the file" in refusal(lambda: read_json(file))


def test_a_file_that_is_not_there_or_none_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refusal(lambda: read_json(tmp_path / "b")) == f"{tmp_path}/b: no such file"
    assert refusal(lambda: read_json(tmp_path)) == f"{tmp_path}: found a folder, expected a file"

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    file = written(tmp_path, b"[1]", "c")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(lambda: read_json(file)) == f"{tmp_path}/c: Permission denied"


def test_a_pipe_a_socket_or_a_device_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "x.json"
    os.mkfifo(pipe)
    device = tmp_path / "y.json"
    device.symlink_to("/dev/zero")
    listening = tmp_path / "z.json"
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(listening))
    for file, kind in ((pipe, "a pipe"), (device, "a device"), (listening, "a socket")):
        for read in (read_bytes, read_json, beginning):
            assert refusal(partial(read, file)) == f"{file}: found {kind}, expected a file"


def beginning(file: Path) -> bytes:
    with open_file(file) as stream:
        return stream.read(2)


def test_the_beginning_of_a_packed_file_is_read_unpacked(tmp_path: Path) -> None:
    assert beginning(written(tmp_path, b"[1]")) == b"[1"
    assert beginning(written(tmp_path, gzip.compress(b"[1]"), "a.json.gz")) == b"[1"
    cut = written(tmp_path, gzip.compress(b"[1]")[:12], "b.json.gz")
    assert "expected a complete gzip file" in refusal(lambda: beginning(cut))


def test_a_packed_file_that_unpacks_to_far_more_than_it_holds_is_not_unpacked(
    tmp_path: Path,
) -> None:
    # 180 MiB of blanks in 180 kB.
    file = written(tmp_path, b"".join([gzip.compress(b" " * (10 << 20))] * 18), "bomb.json.gz")
    tracemalloc.start()
    message = refusal(lambda: read_json(file))
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert message.startswith(f"{file}: unpacks to far too much: its first ")
    assert held < 90 << 20


def test_a_packed_file_of_repetitive_rows_is_read(tmp_path: Path) -> None:
    rows = b"[" + b",".join(
        b'{"key": "p0/entity/%d", "status": "not_run"}' % n for n in range(9999)
    )
    file = written(tmp_path, gzip.compress(rows + b"]"), "a.json.gz")
    assert len(read_json(file)) == 9999


def test_a_file_of_more_bytes_than_are_read_says_how_many(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    with file.open("wb") as stream:
        stream.truncate(5 << 30)
    assert refusal(lambda: read_bytes(file)) == (
        f"{file}: has 5,368,709,120 bytes; at most 4,294,967,296 are read"
    )


def test_a_file_too_large_for_the_memory_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise MemoryError

    file = written(tmp_path, b"[1]")
    monkeypatch.setattr(json, "loads", refuse)
    assert refusal(lambda: read_json(file)).endswith("a.json: is too large for this machine")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(lambda: read_bytes(file)).endswith("a.json: is too large for this machine")


def test_lines_are_numbered_and_blank_ones_left_out(tmp_path: Path) -> None:
    file = written(tmp_path, b'{"a": 1}\n\n  \r\n[2]\r\n"x"')
    assert list(read_json_lines(file)) == [(1, {"a": 1}), (4, [2]), (5, "x")]


def test_a_torn_line_is_named_after_the_whole_ones_were_given(tmp_path: Path) -> None:
    lines = read_json_lines(written(tmp_path, b'{"a": 1}\n{"b": '))
    assert next(lines) == (1, {"a": 1})
    assert "line 2 column 7: found the end of the file" in refusal(lambda: next(lines))


# --- Paths --------------------------------------------------------------------------------------


def every_place(value: Any, place: str = "$") -> list[tuple[str, Any]]:
    places = [(place, value)]
    if isinstance(value, dict):
        for key, inner in value.items():
            places += every_place(inner, step(place, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            places += every_place(inner, f"{place}[{index}]")
    return places


@given(JSON)
def test_every_path_leads_back_to_its_value(data: Any) -> None:
    for place, value in every_place(data):
        assert at_path(data, place) is value


@given(JSON)
def test_no_two_values_have_the_same_path(data: Any) -> None:
    places = [place for place, _ in every_place(data)]
    assert len(places) == len(set(places))


@given(JSON, st.text() | st.text(alphabet='$.[]"\\01a'))
def test_a_path_leads_somewhere_or_is_a_key_error(data: Any, path: str) -> None:
    try:
        at_path(data, path)
    except KeyError as error:
        assert error.args == (path,)


@pytest.mark.parametrize(
    "path",
    [
        "$.b",
        "$.a[9]",
        "$.a[-1]",
        "$.a[true]",
        "$.a[x]",
        "$.a.0",
        "$.text[0]",
        '$.a["0"]',
        "$[0]",
        "$.a[0",
        '$["a"',
        '$["a',
        "$a",
        "a",
        "$.a[" + "[" * 5_000,
        "$.a[" + "1" * 5_000 + "]",
    ],
    ids=lambda path: path[:12],
)
def test_a_path_that_leads_nowhere_is_a_key_error(path: str) -> None:
    with pytest.raises(KeyError):
        at_path({"a": [1, 2], "text": "abc"}, path)


def test_paths_name_plain_keys_plainly() -> None:
    assert step("$", "session_id") == "$.session_id"
    assert step("$.a[0]", "human-annotated QAs") == '$.a[0]["human-annotated QAs"]'
    assert step("$", 'a"b') == '$["a\\"b"]'


# --- Objects under inspection -------------------------------------------------------------------

GETTERS: list[tuple[str, Any, Any, str]] = [
    ("text", "x", "", "text"),
    ("required_text", "x", None, "non-empty text"),
    ("integer", 3, None, "an integer"),
    ("number", 1.5, None, "a finite number"),
    ("boolean", False, None, "true or false"),
    ("items", [1], [], "a list"),
    ("texts", ["x", ""], [], "a list"),
    ("mapping", {"a": 1}, {}, "an object"),
]


@pytest.mark.parametrize(("getter", "good", "default", "expected"), GETTERS)
def test_a_getter_gives_what_is_there_without_a_defect(
    getter: str, good: Any, default: Any, expected: str
) -> None:
    one = node(key=good)
    assert getattr(one, getter)("key") == good
    assert not one.log.items


@pytest.mark.parametrize(("getter", "good", "default", "expected"), GETTERS)
def test_a_getter_gives_its_default_for_what_is_absent_or_null(
    getter: str, good: Any, default: Any, expected: str
) -> None:
    for one in (node(), node(key=None)):
        assert getattr(one, getter)("key") == default
        assert bool(one.log.items) is (getter == "required_text")


@pytest.mark.parametrize(("getter", "good", "default", "expected"), GETTERS)
def test_a_getter_records_what_is_of_another_kind(
    getter: str, good: Any, default: Any, expected: str
) -> None:
    for value in (True, 2, "x", [1], {"a": 1}, float("nan")):
        same_kind = type(value) is type(good) or (getter == "number" and value == 2)
        if (same_kind and value == value) or (getter == "texts" and value in ("x", [1])):
            continue
        one = node(key=value)
        assert getattr(one, getter)("key") == default
        assert one.log.items == [
            Defect(
                Severity.ERROR,
                "wrong_type",
                "a.json",
                "$.rows[3].key",
                describe(value),
                expected,
            )
        ]


def test_required_text_may_not_be_empty() -> None:
    one = node(key="")
    assert one.required_text("key") is None
    assert one.log.items[0].found == "''"
    assert node().required_text("key") is None


def test_what_is_absent_is_found_to_be_nothing() -> None:
    one = node()
    one.required_text("a-b")
    assert one.log.items[0].line() == (
        'error: a.json: $.rows[3]["a-b"]: found nothing, expected non-empty text (wrong_type)'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, -(10**400)])
def test_a_number_is_finite(value: Any) -> None:
    one = node(key=value)
    assert one.number("key") is None
    assert one.log.items[0].expected == "a finite number"


def test_an_integer_is_a_number_too_and_a_truth_value_is_neither() -> None:
    assert node(key=3).number("key") == 3.0
    assert node(key=True).number("key") is None
    assert node(key=True).integer("key") is None
    assert node(key=1).boolean("key") is None


def test_a_bare_text_is_a_list_of_one_and_said_to_be_repaired() -> None:
    one = node(key="x")
    assert one.texts("key") == ["x"]
    (defect,) = one.log.items
    assert (defect.severity, defect.code, defect.path) == (
        Severity.REPAIRED,
        "scalar_for_list",
        "$.rows[3].key",
    )


def test_lists_of_texts_stay_parallel_where_an_element_is_none() -> None:
    one = node(key=["a", 3, "", None])
    assert one.texts("key") == ["a", "", "", ""]
    assert [defect.path for defect in one.log.items] == ["$.rows[3].key[1]", "$.rows[3].key[3]"]


def test_objects_of_a_list_keep_their_index_where_others_are_none() -> None:
    one = node(key=[{"a": 1}, 2, {"a": 3}])
    assert [(index, inner.data["a"]) for index, inner in one.numbered_nodes("key")] == [
        (0, 1),
        (2, 3),
    ]
    assert [inner.place for inner in one.nodes("key")] == ["$.rows[3].key[0]", "$.rows[3].key[2]"]
    assert {defect.path for defect in one.log.items} == {"$.rows[3].key[1]"}


def test_the_root_of_a_file_is_an_object(tmp_path: Path) -> None:
    assert Node.root({"a": 1}, DefectLog(), file=tmp_path).at("a") == "$.a"
    with pytest.raises(ReadError, match=r"\$: found a list of 2, expected an object"):
        Node.root([1, 2], DefectLog(), file=tmp_path)


@given(st.dictionaries(NASTY, JSON, max_size=4), NASTY)
def test_getters_never_raise_and_their_defects_name_real_places(
    data: dict[str, Any], key: str
) -> None:
    one = Node(data, "$", DefectLog())
    for getter, *_ in GETTERS:
        getattr(one, getter)(key)
    list(one.nodes(key))
    for defect in one.log.items:
        assert defect.path.startswith(one.at(key))
        if key in data:
            at_path(data, defect.path)


# --- Words for what was found -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (3, "int 3"),
        (1.5, "float 1.5"),
        (float("nan"), "float nan"),
        ("x\n\x1b", "'x\\n\\x1b'"),
        ("x" * 80, "'" + "x" * 80 + "'"),
        ("x" * 3_000, "'" + "x" * 80 + "'… (3,000 characters)"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "an object with 1 key"),
        ({"a": 1, "b": 2}, "an object with 2 keys"),
        (Described("three rounds"), "three rounds"),
    ],
)
def test_values_are_described_in_a_few_words(value: Any, words: str) -> None:
    assert describe(value) == words


@given(JSON)
def test_descriptions_are_short_and_printable(value: Any) -> None:
    words = describe(value)
    assert len(words) < 1_000
    assert words.isprintable()


def test_a_defect_stays_short_however_long_what_it_quotes() -> None:
    log = DefectLog()
    log.warning("odd", "$", Described("x" * 10**6), "y" * 10**6)
    assert len(log.items[0].line()) < 12_000


def test_defects_are_counted_by_severity() -> None:
    log = DefectLog()
    log.error("a", "$", None, "x")
    log.warning("b", "$", None, "x")
    log.warning("b", "$", None, "x")
    assert count_by_severity(log.items) == {"errors": 1, "repaired": 0, "warnings": 2}


# --- Files and folders --------------------------------------------------------------------------


def test_files_come_in_natural_order_and_hidden_ones_not_at_all(tmp_path: Path) -> None:
    for name in ("p10.json", "p2.json", "b/p1.jsonl", ".git/x.json", ".x.json", "c.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("{}")
    source = Source(tmp_path)
    assert [file.name for file in source.files] == ["b/p1.jsonl", "p2.json", "p10.json"]
    assert [file.is_lines for file in source.files] == [True, False, False]


def test_one_file_is_a_source_of_itself(tmp_path: Path) -> None:
    file = written(tmp_path, b"[1]", "one.json.gz")
    source = Source(file)
    assert (source.is_folder, source.root) == (False, tmp_path)
    assert [one.name for one in source.files] == ["one.json.gz"]
    assert source.files[0].stem == "one"
    assert source.file("one.json.gz") is None


def test_a_file_is_the_same_object_however_it_is_asked_for(tmp_path: Path) -> None:
    file = written(tmp_path, b"[1]")
    source = Source(tmp_path)
    one = source.at(file, tmp_path)
    assert source.file("a.json") is one
    assert source.files[0] is one
    assert one.data is one.data
    first = one.data
    one.release()
    assert one.data is not first


@pytest.mark.parametrize("name", ["none", "none/below", "a\0b"])
def test_a_path_that_is_not_there_says_so(tmp_path: Path, name: str) -> None:
    assert refusal(lambda: Source(tmp_path / name)).endswith(": no such file or folder")


def test_a_path_below_a_file_or_too_long_to_be_one_says_so(tmp_path: Path) -> None:
    file = written(tmp_path, b"{}")
    assert refusal(lambda: Source(file / "x")).endswith(": no such file or folder")
    assert refusal(lambda: Source(tmp_path / ("x" * 5_000))).endswith(": File name too long")


def test_a_folder_that_may_not_be_entered_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    assert refusal(lambda: Source(tmp_path)) == f"{tmp_path}: Permission denied"


def test_a_folder_that_may_not_be_listed_says_so_and_one_below_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, b"{}")
    closed = tmp_path / "b" / "c"
    closed.mkdir(parents=True)
    listed = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    source = Source(tmp_path)
    assert [file.name for file in source.files] == ["a.json"]
    assert source.unreadable == [("b/c", "Permission denied")]
    (defect,) = unreadable_folders(source)
    assert defect.line() == (
        "error: b/c: $: found Permission denied, expected a folder that can be read "
        "(unreadable_folder)"
    )
    assert refusal(lambda: Source(closed).files) == f"{closed}: Permission denied"


def test_a_folder_of_too_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemoscope.core.sources._MOST_FILES", 2)
    for number in range(3):
        written(tmp_path, b"{}", f"{number}.json")
    assert refusal(lambda: Source(tmp_path).files) == f"{tmp_path}: more than 2 data files"
    monkeypatch.setattr("mnemoscope.core.sources._MOST_ENTRIES", 2)
    said = f"{tmp_path}: more than 2 files and folders"
    assert refusal(lambda: Source(tmp_path).files) == said


def test_names_and_stems_are_relative_and_bare(tmp_path: Path) -> None:
    file = SourceFile(tmp_path / "a" / "p0.results.jsonl.gz", tmp_path)
    assert (file.name, file.stem, file.folders[-1]) == (
        "a/p0.results.jsonl.gz",
        "p0.results",
        "a",
    )
    assert SourceFile(tmp_path / "odd.txt", tmp_path).stem == "odd"


# --- Natural order ------------------------------------------------------------------------------

DIGITS = st.text(alphabet="0123456789٣²Ⅷ೨p._ ")


@given(DIGITS, DIGITS, DIGITS)
def test_natural_order_is_a_total_order(a: str, b: str, c: str) -> None:
    x, y, z = natural_key(a), natural_key(b), natural_key(c)
    assert (x < y) + (x == y) + (x > y) == 1
    assert (x == y) == (a == b)
    if x <= y <= z:
        assert x <= z


@given(st.lists(st.text()))
def test_natural_order_does_not_depend_on_the_order_before(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(backwards, key=natural_key) == sorted(names, key=natural_key)


@given(st.integers(min_value=0), st.integers(min_value=0))
def test_numbers_in_names_are_in_the_order_of_numbers(a: int, b: int) -> None:
    assert (natural_key(f"p{a}.json") < natural_key(f"p{b}.json")) == (a < b)


@pytest.mark.parametrize(
    "ordered",
    [
        ["p2", "p10"],
        ["p02", "p2", "p3"],
        ["a", "a1", "a1b", "a2", "ab"],
        ["p٢", "p٣", "p10"],
        ["p1²", "p2²"],
        ["", "0", "00", "1", "a"],
        ["p" + "9" * 5_000, "p1" + "0" * 5_000],
    ],
    ids=lambda names: " ".join(names)[:20],
)
def test_names_in_natural_order(ordered: list[str]) -> None:
    backwards = ordered[::-1]
    assert sorted(backwards, key=natural_key) == ordered


# --- The garbage collector ----------------------------------------------------------------------


def test_the_collector_is_paused_and_comes_back_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(InputError), collector_paused():
        assert not gc.isenabled()
        raise InputError("x")
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
