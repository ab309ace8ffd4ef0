"""Drawing an exhibit in the way of its kind."""

from mnemoscope.core.harness.drawing.bars import draw_bars
from mnemoscope.core.harness.drawing.canvas import Drawing
from mnemoscope.core.harness.drawing.lines import draw_lines
from mnemoscope.core.harness.drawing.look import look_of
from mnemoscope.core.harness.drawing.pictures import draw_picture
from mnemoscope.core.harness.drawing.plan import draw_plan
from mnemoscope.core.harness.drawing.scatter import draw_scatter
from mnemoscope.core.harness.drawing.tables import draw_table
from mnemoscope.core.harness.exhibit import Exhibit
from mnemoscope.core.harness.lettering import undrawable
from mnemoscope.core.harness.pack import Artifact, ArtifactKind, Pack

__all__ = ["drawn"]

_WAYS = {
    ArtifactKind.TABLE: draw_table,
    ArtifactKind.BARS: draw_bars,
    ArtifactKind.LINES: draw_lines,
    ArtifactKind.SCATTER: draw_scatter,
    ArtifactKind.PLAN: draw_plan,
}


def drawn(pack: Pack, artifact: Artifact | None, exhibit: Exhibit) -> Drawing:
    """Draw an exhibit; the same bytes for the same exhibit on the same Pillow.

    Args:
        pack: The scenario.
        artifact: Which of its artifacts the exhibit is of; None for an unrelated picture.
        exhibit: What is shown.

    Raises:
        ValueError: A text has characters that the typeface lacks.
    """
    shown = (one.text for one in (*exhibit.cells, *exhibit.notes))
    texts = (exhibit.title, exhibit.context, exhibit.date, *shown)
    for text in texts:
        missing = undrawable(text)
        if missing:
            raise ValueError(f"{text!r}: the typeface of artifacts has no {missing!r}")
    if artifact is None or exhibit.kind is None:
        return draw_picture(exhibit)
    return _WAYS[exhibit.kind](exhibit, look_of(pack, artifact, exhibit))
