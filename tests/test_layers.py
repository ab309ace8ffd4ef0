"""The layers hold, whichever way they are looked at."""

import pkgutil
import subprocess
import sys

import mnemoscope

HEADLESS = ("mnemoscope.core", "mnemoscope.analyses")


def module_names(*packages: str) -> list[str]:
    names = [info.name for info in pkgutil.walk_packages(mnemoscope.__path__, "mnemoscope.")]
    return [name for name in names if name.startswith(packages)]


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    names = done.stdout.split()
    return {*names, *(name.partition(".")[0] for name in names)}


def test_each_source_file_is_one_module() -> None:
    for name in module_names("mnemoscope."):
        __import__(name)
    bare = {"core", "tui", "viewers", "analyses", "sample_data"}
    assert not [name for name in sys.modules if name.partition(".")[0] in bare]


def test_core_and_analyses_import_without_textual_rich_or_pillow() -> None:
    imports = "\n".join(f"import {name}" for name in module_names(*HEADLESS))
    assert not loaded_after(imports) & {"textual", "rich", "PIL", "openai", "tenacity"}


def test_listing_the_readers_imports_no_heavy_library() -> None:
    code = (
        "from mnemoscope.core.releases.registry import release_readers\n"
        "from mnemoscope.core.runs.registry import run_readers\n"
        "release_readers(), run_readers()"
    )
    assert not loaded_after(code) & {"textual", "rich", "PIL", "polars", "pydantic", "numpy"}


def test_the_app_imports_little_before_something_is_opened() -> None:
    screens = "mnemoscope.tui.screens.start, mnemoscope.tui.screens.opening"
    loaded = loaded_after(f"import mnemoscope.tui.app, {screens}")
    assert not loaded & {"polars", "pydantic", "numpy", "PIL"}
    # What holds a release comes with the first one: it would take a tenth of the first paint.
    assert not loaded & {"mnemoscope.core.workspace", "mnemoscope.core.model"}
