"""Portraits: the faces, cats and dogs that identify questions choose between."""

from __future__ import annotations

from mnemoscope.sample_data._maker.animals import (
    CALICO,
    Coat,
    cat_bust,
    collie,
    greyhound_head,
    terrier,
)
from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank
from mnemoscope.sample_data._maker.outdoors import sky, tree, water
from mnemoscope.sample_data._maker.people import Looks, portrait
from mnemoscope.sample_data._maker.rooms import room, shelf, tabletop

BOOKS = ("#8c3b3f", "#2f4f6b", "#c9a24a", "#4d7a56", "#6d5a7a")


def face_office() -> Pen:
    """A pale man with glasses."""
    page = blank("#b9a88e")
    shelf(page.at(240, 90), 500, BOOKS)
    shelf(page.at(240, 190), 500, BOOKS[::-1])
    looks = Looks("#f4d5bb", "#2b2522", "neat", "#8fb5d6", glasses="#23211f", smile=0.6)
    portrait(page.at(240, 166, 1.1), looks)
    return page


def face_long_hair() -> Pen:
    """A man with long hair and a short beard."""
    page = tabletop("#c9d0b8", "#9a6d45", 260)
    looks = Looks("#e9bd97", "#4a3020", "long", "#f5f2ea", "#e5dfd0", beard=True, smile=1.3)
    portrait(page.at(240, 162, 1.1), looks)
    return page


def face_pale_scar() -> Pen:
    """A pale man with a scar on the right cheek, in a suit."""
    page = blank("#8f98a3")
    looks = Looks("#f3d8c4", "#1f1d1e", "neat", "#2b3140", scar="cheek", smile=0.1)
    portrait(page.at(240, 164, 1.1), looks)
    return page


def face_buoy_keeper() -> Pen:
    """A tanned man with a scar through the left brow, in a life vest, by the sea."""
    page = sky("#9cc4da", "#dcebec", 210)
    water(page, 206, "#3f7f98", "#a6d0da")
    looks = Looks(
        "#8f5836", "#1d1917", "short", "#33485c", "#33485c", scar="brow", vest="#f07c24", smile=0.1
    )
    portrait(page.at(240, 164, 1.1), looks)
    return page


def _cat(wall: str, coat: Coat) -> Pen:
    page = room(wall, "#a9835c", 290)
    cat_bust(page.at(240, 156, 1.28), coat)
    return page


def cat_orange() -> Pen:
    """A stout ginger cat with a blue collar."""
    return _cat("#b7cbb9", Coat("#e08f3e", "#d17a2b", "#d17a2b", "#fbe7cf", collar="#2f69b8"))


def cat_calico_nick() -> Pen:
    """A calico with a nick in the left ear."""
    white, orange, black = CALICO
    return _cat("#d9c3a4", Coat(white, black, orange, white, nicked=True))


def cat_calico_whole() -> Pen:
    """A calico with whole ears and a red collar."""
    white, orange, black = CALICO
    return _cat("#a9bccb", Coat(white, orange, black, white, collar="#c7373c"))


def cat_tuxedo() -> Pen:
    """A black and white cat with a nick in the left ear."""
    return _cat("#c9b7cf", Coat("#2b2a2d", "#2b2a2d", "#2b2a2d", "#f8f5ee", nicked=True))


def face_tree_surgeon() -> Pen:
    """A freckled woman with a copper plait and a work jacket."""
    page = sky("#cfe6d2", "#eef3dc")
    for x, k in ((60, 2.4), (440, 2.6)):
        tree(page.at(x, 330, k), "#5f9a5a")
    looks = Looks("#f3c9a8", "#b9572b", "plait", "#4d7a56", "#e9b83a", freckles=True, smile=1.2)
    portrait(page.at(240, 166, 1.1), looks)
    return page


def face_bob() -> Pen:
    """A woman with a dark bob and pearl earrings."""
    page = blank("#d8cfc4")
    looks = Looks("#e2b08a", "#2a1f1e", "bob", "#2b3a5c", "#2b3a5c", earrings=True, smile=0.7)
    portrait(page.at(240, 166, 1.1), looks)
    return page


def face_grey() -> Pen:
    """A grey-haired woman with round glasses."""
    page = blank("#b39f84")
    shelf(page.at(240, 80), 500, BOOKS)
    shelf(page.at(240, 180), 500, BOOKS[::-1])
    looks = Looks("#f0cdb4", "#b3b1b0", "bun", "#7a5796", "#efe8da", glasses="#6b4a3a", smile=0.9)
    portrait(page.at(240, 170, 1.1), looks)
    return page


def face_blonde() -> Pen:
    """A woman with a blonde ponytail, a cap and a tennis shirt."""
    page = sky("#bfe0f2", "#e8f3ea")
    page.box(0, 210, WIDTH, HEIGHT, "#5d9353")
    looks = Looks("#f2c7a2", "#e6c163", "ponytail", "#fbfaf6", "#d9e0e4", cap="#f7f6f1", smile=1.0)
    portrait(page.at(240, 166, 1.1), looks)
    return page


def _kennel(wall: str, ground: str) -> Pen:
    page = blank(wall)
    page.fade(0, 0, WIDTH, 240, wall, "#f3efe2")
    page.box(0, 240, WIDTH, HEIGHT, ground)
    return page


def dog_collie() -> Pen:
    """A black and white collie on grass."""
    page = _kennel("#bfdcea", "#7fae5a")
    collie(page.at(240, 150, 1.2))
    return page


def dog_greyhound_grey() -> Pen:
    """A plain grey greyhound with a wide red collar."""
    page = _kennel("#e3d3c0", "#a9835c")
    dog = page.at(214, 132, 1.35)
    greyhound_head(dog, "#7d858d")
    dog.poly("#c7373c", (-41, 62), (14, 62), (24, 92), (-47, 92))
    return page


def dog_terrier() -> Pen:
    """A small wiry brown terrier."""
    page = _kennel("#d3dcc9", "#b59a74")
    terrier(page.at(240, 166, 1.15))
    return page


def dog_greyhound_brindle() -> Pen:
    """Percy: a brindle greyhound with a white chest, looking worried."""
    page = _kennel("#cfdad4", "#a9835c")
    greyhound_head(page.at(214, 132, 1.35), "#96704a", "#5b3f28")
    return page
