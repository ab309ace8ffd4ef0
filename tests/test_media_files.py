import os
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.media_files import FoundFile, MediaFiles, normalise
from mnemoscope.core.model import AttachmentState

PRESENT, MISSING = AttachmentState.PRESENT, AttachmentState.MISSING


def put(*parts: str | Path) -> Path:
    """A file, with the folders above it."""
    file = Path(*parts)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"media")
    return file


def find(root: Path, written: str, *named: Path) -> FoundFile:
    return MediaFiles(root, named).find(written)


# --- Every way in which a path is written (cue-mem.md 1.4) --------------------------------------


@pytest.mark.parametrize(
    ("written", "lies_at"),
    [
        ("data/event/images/a.png", "data/event/images/a.png"),
        ("./data/event/images/a.png", "data/event/images/a.png"),
        ("data\\qa\\pref_images\\0-Food-0_C.png", "data/qa/pref_images/0-Food-0_C.png"),
        ("qa\\pref_images\\0-Food-0_C.png", "data/qa/pref_images/0-Food-0_C.png"),
        ("../image/a.png", "data/image/a.png"),
        ("../voice/b/a.wav", "data/voice/b/a.wav"),
        ("../image/a.png", "image/a.png"),
        ("event/images/a.png", "event/images/a.png"),
        ("event/images/a.png", "data/event/images/a.png"),
        ("event/images/a.png", "event_image/a.png"),
        ("data/event/images/a.png", "event_image/a.png"),
        ("event/voice_mixed_000_002/s/a.wav", "voice_mixed_000_002/s/a.wav"),
        ("event/voice_mixed/s/a.wav", "event/voice_mixed/s/a.wav"),
        ("qa/entity_images/a.png", "qa/entity_images/a.png"),
        ("qa/entity_images/a.png", "qa_image/entity_images/a.png"),
        ("data/event/images/a.png", "event/images/a.png"),
        (
            "data/profile/generated_portraits/沈渡_0.png",
            "data/profile/generated_portraits/沈渡_0.png",
        ),
        ("a.png", "a.png"),
        ("a.png", "data/a.png"),
        ("database/a.png", "data/database/a.png"),
        ("..odd/a.png", "..odd/a.png"),
        ("event/./images//a.png", "event/images/a.png"),
    ],
)
def test_a_relative_path_of_every_dialect_leads_to_its_file(
    tmp_path: Path, written: str, lies_at: str
) -> None:
    file = put(tmp_path, lies_at)
    assert find(tmp_path, written) == FoundFile(PRESENT, str(file))


def test_no_renaming_applies_to_mixed_voices(tmp_path: Path) -> None:
    put(tmp_path, "voice_mixed/s/a.wav")
    assert find(tmp_path, "event/voice_mixed/s/a.wav").state is MISSING


def test_the_place_that_is_written_wins_over_renamed_ones(tmp_path: Path) -> None:
    file = put(tmp_path, "qa/a.png")
    put(tmp_path, "data/qa/a.png")
    put(tmp_path, "qa_image/a.png")
    assert find(tmp_path, "qa/a.png").file == str(file)


def test_a_release_comes_before_the_folders_that_the_user_named(tmp_path: Path) -> None:
    first, second = tmp_path / "release", tmp_path / "media"
    put(second, "data/qa/a.png")
    assert find(first, "data/qa/a.png", second).file == str(second / "data/qa/a.png")
    put(first, "data/qa/a.png")
    assert find(first, "data/qa/a.png", second).file == str(first / "data/qa/a.png")


# --- Absolute paths -----------------------------------------------------------------------------


def test_an_absolute_path_below_the_release_is_read(tmp_path: Path) -> None:
    file = put(tmp_path, "x/a.png")
    assert find(tmp_path, str(file)) == FoundFile(PRESENT, str(file))
    assert find(tmp_path, f"{tmp_path}/x/../x/./a.png").file == str(file)


def test_an_absolute_path_elsewhere_is_read_only_below_a_named_folder(tmp_path: Path) -> None:
    file = put(tmp_path, "dataset/data/event/images/a.png")
    release = tmp_path / "release"
    found = find(release, str(file))
    assert (found.state, found.outside) == (MISSING, str(tmp_path / "dataset"))
    assert found.note == (
        f"outside the release, below {tmp_path}/dataset; name that folder with --media-root"
    )
    assert find(release, str(file), tmp_path / "dataset") == FoundFile(PRESENT, str(file))
    assert find(release, str(file), file.parent).state is PRESENT


def test_a_folder_named_by_a_link_is_known_by_both_names(tmp_path: Path) -> None:
    file = put(tmp_path, "disk/odd/a.png")
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    link = tmp_path / "link"
    for written in (f"{link}/odd/a.png", str(file)):
        assert find(tmp_path / "release", written, link) == FoundFile(PRESENT, str(file))
    assert find(link, "odd/a.png").file == str(file)


def test_a_file_missing_below_a_named_folder_is_just_missing(tmp_path: Path) -> None:
    found = find(tmp_path / "release", f"{tmp_path}/dataset/data/qa/a.png", tmp_path / "dataset")
    assert (found.state, found.outside) == (MISSING, "")
    assert found.note == f"no such file below {tmp_path}/dataset"


@pytest.mark.parametrize(
    ("written", "outside"),
    [
        ("/mnt/cue/data/event/images/a.png", "/mnt/cue"),
        ("/mnt/cue/event/images/a.png", "/mnt/cue"),
        ("/mnt/qa/event/data/QA/x/a.png", "/mnt/qa/event"),
        ("/home/qa/cue/data/profile/p/a.png", "/home/qa/cue"),
        ("C:\\cue\\data\\event\\images\\a.png", "C:/cue"),
        ("d:/cue/voice/a.wav", "d:/cue"),
        ("\\\\server\\share\\data\\qa\\a.png", "//server/share"),
        ("/data/event/images/a.png", "/data"),
        ("/event/a.png", "/"),
        ("/mnt/odd/a.png", "/mnt/odd"),
        ("/a.png", "/"),
        ("C:/a.png", "C:"),
        ("/mnt/İİİİ/data/event/a.png", "/mnt/İİİİ"),
    ],
)
def test_a_path_of_another_machine_names_the_folder_to_propose(
    tmp_path: Path, written: str, outside: str
) -> None:
    found = find(tmp_path, written)
    assert (found.state, found.file, found.outside) == (MISSING, "", outside)


@pytest.mark.parametrize(
    ("written", "lies_at"),
    [
        ("/mnt/cue/data/event/images/a.png", "data/event/images/a.png"),
        ("C:\\cue\\data\\event\\images\\a.png", "event_image/a.png"),
        ("/mnt/cue/DATA/Event/a.png", "Event/a.png"),
        ("/home/qa/cue/qa/x/a.png", "qa_image/x/a.png"),
    ],
)
def test_a_path_of_another_machine_is_found_by_its_last_part(
    tmp_path: Path, written: str, lies_at: str
) -> None:
    file = put(tmp_path, lies_at)
    found = find(tmp_path, written)
    assert (found.state, found.file) == (PRESENT, str(file))
    assert found.outside


# --- What must not be followed or fetched -------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "../secret.png",
        "data/../../secret.png",
        "event/images/../../../secret.png",
        "../image/../../secret.png",
        "../image/../../../secret.png",
        "..\\secret.png",
        "./../secret.png",
        "data//../../secret.png",
        "x/../../release/../secret.png",
    ],
)
def test_a_path_that_climbs_out_leads_nowhere(tmp_path: Path, written: str) -> None:
    put(tmp_path, "secret.png")
    release = tmp_path / "release"
    put(release, "data/event/images/a.png")
    found = find(release, written)
    assert (found.state, found.file) == (MISSING, "")
    assert found.note in ("the path leads out of the release", "no such file below the release")


def test_the_note_of_a_path_that_climbs_out_says_so(tmp_path: Path) -> None:
    assert find(tmp_path, "../../etc/passwd").note == "the path leads out of the release"
    assert find(tmp_path, "../image/a.png").note == "no such file below the release"


def test_an_absolute_path_cannot_climb_out_of_a_named_folder(tmp_path: Path) -> None:
    put(tmp_path, "secret.png")
    release = tmp_path / "release"
    release.mkdir()
    assert find(release, f"{release}/../secret.png").state is MISSING
    assert find(release, f"{tmp_path}/release-2/../secret.png").state is MISSING


def test_a_folder_whose_name_starts_like_the_releases_is_outside_it(tmp_path: Path) -> None:
    file = put(tmp_path, "release-2/x/a.png")
    (tmp_path / "release").mkdir()
    assert find(tmp_path / "release", str(file)).outside == str(file.parent)


def test_a_linked_file_is_read_only_where_it_stays_inside(tmp_path: Path) -> None:
    release = tmp_path / "release"
    inside = put(release, "blobs/1")
    outside = put(tmp_path, "elsewhere/2")
    folder = release / "data" / "qa"
    folder.mkdir(parents=True)
    (folder / "in.png").symlink_to(inside)
    (folder / "out.png").symlink_to(outside)
    (folder / "gone.png").symlink_to(release / "nothing")
    media = MediaFiles(release)
    assert media.find("data/qa/in.png").state is PRESENT
    assert media.find("data/qa/gone.png").note == "no such file below the release"
    found = media.find("data/qa/out.png")
    assert (found.state, found.file, found.outside) == (MISSING, "", str(outside.parent))
    assert found.note == f"a link that leads out of the release, to {outside}"
    assert find(release, "data/qa/out.png", outside.parent).state is PRESENT


@pytest.mark.parametrize("linked", ["data", "data/event", "data/event/images"])
def test_a_linked_folder_that_leads_out_is_not_entered(tmp_path: Path, linked: str) -> None:
    release = tmp_path / "release"
    target = tmp_path / "target"
    rest = "data/event/images/a.png"[len(linked) + 1 :]
    put(target, rest)
    (release / linked).parent.mkdir(parents=True, exist_ok=True)
    (release / linked).symlink_to(target)
    found = find(release, "data/event/images/a.png")
    assert (found.state, found.file) == (MISSING, "")
    assert "a link that leads out of the release" in found.note
    named = find(release, "data/event/images/a.png", target)
    assert named.state is PRESENT


def test_a_linked_folder_that_stays_inside_is_entered(tmp_path: Path) -> None:
    put(tmp_path, "real/images/a.png")
    (tmp_path / "event").symlink_to(tmp_path / "real")
    assert find(tmp_path, "event/images/a.png").state is PRESENT


def test_links_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "x.png").symlink_to(tmp_path / "x.png")
    assert find(tmp_path, "a/x.png").state is MISSING
    assert find(tmp_path, "x.png").state is MISSING


# --- What cannot be a file ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("", "the release names no file"),
        ("./", "the release names no file"),
        ("a\0.png", "the path holds a null character"),
        ("data/qa/\0", "the path holds a null character"),
        ("https://example.org/data/event/images/a.png", "a web address; nothing is fetched"),
        ("file:///etc/passwd", "a web address; nothing is fetched"),
        pytest.param("x" * 10_000_000, "a path of 10,000,000 characters", id="huge"),
        pytest.param("data/" * 1000 + "a.png", "a path of 5,005 characters", id="deep"),
        pytest.param("data/" + "x" * 300 + ".png", "no such file below the release", id="long"),
        ("data/event/\ud800/a.png", "no such file below the release"),
        ("data/event/\ud800.png", "no such file below the release"),
        (".", "no such file below the release"),
        ("data/event/", "no such file below the release"),
        ("\x1b[2Jx.png", "no such file below the release"),
    ],
)
def test_what_can_be_no_file_says_why(tmp_path: Path, written: str, note: str) -> None:
    put(tmp_path, "data/event/a.png")
    media = MediaFiles(tmp_path)
    for _ in range(2):
        assert media.find(written) == FoundFile(MISSING, note=note)
        # Whatever else is known of the same folder by then.
        media.find("data/event/a.png")
        media.find("data/qa/b.png")
        media.find("c.png")


@pytest.mark.parametrize("name", ["a.png", "data/event/images/a.png"])
def test_a_folder_named_like_a_file_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir(parents=True)
    assert find(tmp_path, name).state is MISSING


def test_a_file_in_the_place_of_a_folder_leads_nowhere(tmp_path: Path) -> None:
    put(tmp_path, "data/event")
    assert find(tmp_path, "data/event/images/a.png").state is MISSING


def test_something_else_than_a_file_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.wav")
    assert find(tmp_path, "a.wav").state is MISSING


def test_a_folder_that_cannot_be_read_makes_its_files_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: str) -> None:
        raise PermissionError(13, "Permission denied", folder)

    put(tmp_path, "data/event/images/a.png")
    # The tests may run as a user whom no permission stops.
    monkeypatch.setattr(os, "scandir", refuse)
    found = find(tmp_path, "data/event/images/a.png")
    assert found.state is AttachmentState.UNREADABLE
    assert found.note == f"the folder {tmp_path}/data/event/images cannot be read"


def test_the_whole_file_system_can_be_named(tmp_path: Path) -> None:
    file = put(tmp_path, "x/a.png")
    assert find(tmp_path / "release", str(file), Path("/")).state is PRESENT


# --- Many files ---------------------------------------------------------------------------------


def test_each_folder_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = []
    scandir = os.scandir

    def listing(folder: str) -> Any:
        listed.append(folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", listing)
    for index in range(20):
        put(tmp_path, f"data/qa/{index}.png")
    media = MediaFiles(tmp_path)
    assert not media.any_present
    assert all(media.find(f"data/qa/{index}.png").state is PRESENT for index in range(20))
    assert media.any_present
    assert len(listed) == len(set(listed))


def test_normalising_turns_slashes_and_cuts_one_leading_dot() -> None:
    assert normalise(".\\a\\b") == "a/b"
    assert normalise("././a") == "./a"
    assert normalise("../a") == "../a"
