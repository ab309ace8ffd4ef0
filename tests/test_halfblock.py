import os
from pathlib import Path

import pytest
from PIL import Image
from textual.strip import Strip

from mnemoscope.viewers.halfblock import Picture, Problem, fit_cells, load, render


def colours(strip: Strip) -> list[tuple[str, str]]:
    """Return the upper and lower colour of each cell."""
    found = []
    for segment in strip:
        style = segment.style
        assert style is not None
        assert style.color is not None
        assert style.bgcolor is not None
        assert set(segment.text) == {"▀"}
        pair = style.color.get_truecolor().hex, style.bgcolor.get_truecolor().hex
        found += [pair] * len(segment.text)
    return found


def picture(path: Path, **limits: int) -> Picture:
    loaded = load(path, **limits)
    assert isinstance(loaded, Picture), loaded
    return loaded


def reason(path: Path, **limits: int) -> str:
    loaded = load(path, **limits)
    assert isinstance(loaded, Problem)
    return loaded.reason


def test_a_cell_shows_two_pixels() -> None:
    image = Image.new("RGB", (2, 2))
    image.putdata([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)])
    (line,) = render(image, 10, 10)
    assert colours(line) == [("#ff0000", "#0000ff"), ("#00ff00", "#ffffff")]


def test_an_odd_last_row_and_transparent_pixels_show_the_background() -> None:
    image = Image.new("RGBA", (1, 3), (255, 0, 0, 255))
    image.putpixel((0, 1), (0, 0, 0, 0))
    lines = render(image, 4, 4, background="#101820")
    assert [colours(line) for line in lines] == [
        [("#ff0000", "#101820")],
        [("#ff0000", "#101820")],
    ]


@pytest.mark.parametrize(
    ("size", "room", "cells"),
    [
        ((100, 100), (40, 40), (40, 20)),
        ((100, 100), (80, 10), (20, 10)),
        ((400, 100), (40, 40), (40, 5)),
        ((100, 400), (40, 40), (20, 40)),
        ((3000, 2), (30, 10), (30, 1)),
        ((4, 4), (80, 40), (4, 2)),
        ((4, 4), (0, 40), (0, 0)),
    ],
)
def test_pictures_keep_their_shape_and_are_never_enlarged(
    size: tuple[int, int], room: tuple[int, int], cells: tuple[int, int]
) -> None:
    assert fit_cells(*size, *room) == cells
    lines = render(Image.new("RGB", size), *room)
    assert len(lines) == cells[1]
    assert {line.cell_length for line in lines} <= {cells[0]}


def test_neighbours_of_one_colour_are_drawn_as_one_segment() -> None:
    (line,) = render(Image.new("RGB", (20, 2), "#336699"), 20, 1)
    assert len(list(line)) == 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_common_formats_are_read_and_scaled_down(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "image.dat"
    Image.new("RGB", (1200, 600), "#336699").save(path, format=kind)
    loaded = picture(path)
    assert loaded.label == f"1200×600 {kind}"
    assert loaded.image.size == (512, 256)
    assert loaded.image.mode == "RGBA"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_pixel_mode_of_png_is_drawn(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "image.png"
    Image.new(mode, (600, 4)).save(path)
    assert render(picture(path).image, 20, 2)


def test_sixteen_bit_grey_keeps_its_shades(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    Image.new("I;16", (2, 2), 32768).save(path)
    assert picture(path).image.getpixel((0, 0)) == (128, 128, 128, 255)


def test_a_photo_is_turned_the_way_it_was_taken(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (1200, 600)).save(path, exif=exif)
    loaded = picture(path)
    assert (loaded.width, loaded.height) == (600, 1200)
    assert loaded.image.size == (256, 512)


def test_a_missing_file_is_told_from_an_unreadable_one(tmp_path: Path) -> None:
    assert load(tmp_path / "none.png") == Problem("missing", "The file does not exist.")
    (tmp_path / "file").write_bytes(b"x")
    assert load(tmp_path / "file" / "none.png") == Problem("missing", "The file does not exist.")
    assert "not a file" in reason(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    assert "not a file" in reason(tmp_path / "pipe.png")


def test_each_thing_wrong_with_a_file_has_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "image.png"
    path.write_bytes(b"")
    assert reason(path) == "The file is empty."
    path.write_text("<svg/>")
    assert reason(path).startswith("The file is no image of a known kind (PNG, ")
    path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")
    assert reason(path).startswith("The file is no image of a known kind")
    Image.effect_noise((64, 64), 50).save(path)
    assert reason(path, max_bytes=1000).startswith("The file has 0.0 MB; up to 0.0 MB")
    assert reason(path, max_pixels=1000) == (
        "The image has 64×64 pixels; up to 0.001 million are read."
    )
    path.write_bytes(path.read_bytes()[:-2000])
    assert reason(path) == "The image is damaged or cut short."
    assert reason(tmp_path / "nul\0.png") == "The path cannot be the path of a file."
    assert reason(tmp_path / ("x" * 300)) == "The path cannot be the path of a file."


@pytest.mark.parametrize("factor", [0.9, 0.4])
def test_decompression_bombs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    path = tmp_path / "bomb.png"
    Image.new("1", (100, 100)).save(path)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", int(100 * 100 * factor))
    assert reason(path) == "The image has too many pixels; up to 50 million are read."


def test_any_cut_or_change_in_a_file_gives_a_picture_or_a_problem(tmp_path: Path) -> None:
    for kind in ("PNG", "JPEG", "GIF", "WEBP"):
        path = tmp_path / f"image.{kind.lower()}"
        Image.effect_noise((24, 24), 80).convert("RGB").save(path, format=kind)
        data = path.read_bytes()
        for step in range(0, len(data), max(1, len(data) // 40)):
            for broken in (data[:step], data[:step] + b"\xff\x00\x7f" + data[step + 3 :]):
                path.write_bytes(broken)
                assert isinstance(load(path), Picture | Problem)
