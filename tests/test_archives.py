"""Archives of JSON files: read member by member, whatever they hold."""

import json
import zipfile
from pathlib import Path

import pytest

from mnemoscope.core import archives
from mnemoscope.core.archives import Archive, member_place, split_member_place
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.raw import RawPart, read_value


def archive_of(path: Path, members: dict[str, object], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, value in members.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_members_are_read_by_name(tmp_path: Path, kind: int) -> None:
    path = archive_of(tmp_path / "x.eval", {"a/b.json": [1], "c.json": {"d": "é"}}, kind)
    with Archive(path) as archive:
        assert list(archive.members) == ["a/b.json", "c.json"]
        assert archive.json("c.json") == {"d": "é"}


def test_a_name_that_leads_out_of_every_folder_is_only_a_label(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "x.eval", {"../../evil.json": [1], "/root.json": [2]})
    with Archive(path) as archive:
        assert archive.json("../../evil.json") == [1]
    assert [one.name for one in tmp_path.iterdir()] == ["x.eval"]


def test_a_bomb_is_left_packed(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("a.json", "w", force_zip64=True) as stream,
    ):
        for _ in range(80):
            stream.write(bytes(1 << 20))
    with Archive(path) as archive, pytest.raises(InputError, match=r"a\.json unpacks to far too"):
        archive.json("a.json")


def test_a_bomb_of_many_members_is_left_packed_too(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "x.eval", {f"{n}.json": b" " * (30 << 20) + b"1" for n in "ab"})
    with Archive(path) as archive:
        assert archive.json("a.json") == 1
    path = archive_of(path, {f"{n}.json": b" " * (30 << 20) + b"1" for n in "abc"})
    with Archive(path) as archive, pytest.raises(InputError, match=r"c\.json unpacks to far too"):
        for name in archive.members:
            archive.json(name)


def test_what_is_no_sound_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    whole = archive_of(path, {"a.json": list(range(5_000))}).read_bytes()
    for broken, said in ((b"PK", "no zip archive"), (b"", "no zip archive")):
        path.write_bytes(broken)
        with pytest.raises(ReadError, match=said):
            Archive(path)
    path.write_bytes(whole[:200] + bytes(100) + whole[300:])
    with Archive(path) as archive, pytest.raises(ReadError, match=r"x\.eval: a\.json"):
        archive.json("a.json")
    for path, said in ((tmp_path, "a folder"), (tmp_path / "none.eval", "no such file")):
        with pytest.raises(InputError, match=said):
            Archive(path)


def test_every_cut_or_flipped_archive_is_an_error_or_the_same(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    whole = archive_of(path, {"a.json": [1, 2], "b.json": {"c": 3}}).read_bytes()
    copies = [whole[:end] for end in range(0, len(whole), 7)]
    copies += [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(len(whole))]
    for copy in copies:
        path.write_bytes(copy)
        try:
            with Archive(path) as archive:
                for name in archive.members:
                    archive.json(name)
        except InputError as error:
            assert "x.eval" in str(error)


def test_an_encrypted_member_is_named(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "x.eval", {"a.json": [1]})
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path.write_bytes(data)
    with Archive(path) as archive, pytest.raises(ReadError, match="encrypted"):
        archive.json("a.json")


def zstandard_archive(path: Path, data: bytes, packed: bytes) -> Path:
    """An archive as inspect_ai writes it: compressed in a way that Python 3.11 cannot."""
    archive_of(path, {"a.json": data}, zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes().replace(data, packed, 1))
    start = raw.index(b"PK\x01\x02")
    for at in (start + 10, 8):
        raw[at : at + 2] = (93).to_bytes(2, "little")
        raw[at + 10 : at + 14] = len(packed).to_bytes(4, "little")
    end = raw.index(b"PK\x05\x06")
    raw[end + 16 : end + 20] = start.to_bytes(4, "little")
    path.write_bytes(raw)
    return path


def test_without_an_unpacker_for_zstandard_it_is_said_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_zstandard_reader", lambda: None)
    path = zstandard_archive(tmp_path / "x.eval", b"[1, 2]", b"[1, 2]")
    with Archive(path) as archive, pytest.raises(ReadError, match="by Zstandard") as caught:
        archive.json("a.json")
    assert "inspect log convert" in str(caught.value)


def test_zstandard_of_several_frames_is_read(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="the inspect extra is not installed")
    data = b"[" + b"1, " * 5_000 + b"2]"
    pack = zstandard.ZstdCompressor().compress
    packed = pack(data[:7_000]) + pack(data[7_000:])
    path = zstandard_archive(tmp_path / "x.eval", data, packed)
    with Archive(path) as archive:
        assert archive.json("a.json") == json.loads(data)
    path.write_bytes(path.read_bytes().replace(packed, packed[:-4] + b"\x00\x01\x02\x03"))
    with Archive(path) as archive, pytest.raises(ReadError, match=r"a\.json"):
        archive.json("a.json")


def test_a_place_in_an_archive_names_its_member(tmp_path: Path) -> None:
    place = f'{member_place("s/a]b.json")}.output["x y"]'
    assert split_member_place(place) == ("s/a]b.json", '$.output["x y"]')
    path = archive_of(tmp_path / "x.eval", {"s/a]b.json": {"output": {"x y": 5}}})
    assert read_value(path, place) == 5
    for gone in ('$["none.json"].a', "$.a", "$[0]", '$["s/a]b.json"].none', '$["s/a]b.json"x'):
        with pytest.raises(InputError, match="not there any more"):
            RawPart(path, "x.eval", gone).value()


def test_a_row_of_a_file_of_lines_is_read_past_broken_ones(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n\n{broken\n{"a": [2, 3]}\n')
    assert read_value(path, "$[3].a[1]") == 3
    for gone in ("$[1].a", "$[9].a", "$.a"):
        with pytest.raises((KeyError, ReadError)):
            read_value(path, gone)
