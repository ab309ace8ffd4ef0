"""What packages add: listed without an import, used by name, told when they are broken."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemoscope.core.backbones.registry import backbone_parameters, make_backbone
from mnemoscope.core.embedders.registry import make_embedder
from mnemoscope.core.errors import UsageError
from mnemoscope.core.extensions import Group, extensions, take_warnings
from mnemoscope.core.judges.judge import RuleJudge, judge_named
from mnemoscope.core.memory.registry import make_system, system_spec
from mnemoscope.core.memory.system import SystemContext
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.tui.sample import sample_folder
from tests.app_driver import notices, opened
from tests.cli_data import Mnemoscope
from tests.extension_data import EXAMPLE, install, install_example

CUE = sample_folder() / "cue"
RUNS = sample_folder() / "runs"

GOOD = """
from mnemoscope.core.backbones.backbone import Answered, Backbone, BackboneSpec, Load
from mnemoscope.core.memory.system import Parameter
from mnemoscope.core.model import RecordStatus, Release, RoundKind, Value
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.scoring.open_rules import OpenRuling
import numpy as np


class First(Backbone):
    PARAMETERS = {"letter": Parameter("A", "What it always says.")}

    def __init__(self, model, parameters):
        self.model, self.letter = model, parameters["letter"]

    @property
    def spec(self):
        return BackboneSpec(f"first:{self.model}", False, {"letter": self.letter})

    async def answer(self, ask):
        return Answered(RecordStatus.OK, self.letter, model=self.model)

    def load(self, ask):
        return Load(0, 0, 0)


class Length:
    dimensions = 2
    weights_hash = "1" * 64

    def __init__(self, rest):
        self.id = f"length:{rest}"

    def encode(self, texts):
        return np.array([[len(text), 1] for text in texts], np.float32)

    def unknown_share(self, texts):
        return None


def short(answer, question):
    return OpenRuling(Value.RIGHT if len(answer) == 1 else Value.WRONG, f"{len(answer)} signs")


class Reader:
    name = "two-lines"

    def recognises(self, source):
        return source.path.name.endswith(".two")

    def read(self, source, options):
        text = source.path.read_text()
        return Release(text.split()[0], "two-lines", source.path.parent, (source.path.name,),
                       RoundKind.UTTERANCE, {}, {}, ())
"""
BROKEN = "raise RuntimeError('no such\\nluck')\n"
OWN = {
    "mnemoscope.backbones": {"first": "good:First"},
    "mnemoscope.embedders": {"length": "good:Length"},
    "mnemoscope.judges": {"short": "good:short"},
    "mnemoscope.readers": {"two-lines": "good:Reader"},
}
BAD = {f"mnemoscope.{group}": {f"bad_{group}": "bad:thing"} for group in Group}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path that packages are put into."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    take_warnings()
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("good", "bad", "mnemoscope_last"):
            del sys.modules[name]


# The example of the manual


def test_the_example_package_is_listed_without_being_imported(site: Path) -> None:
    install_example(site)
    assert extensions(Group.SYSTEMS)["last_rounds"].package == "mnemoscope-last 0.1"
    assert list(extensions(Group.TAXONOMIES)) == ["reading"]
    assert "mnemoscope_last" not in sys.modules


def test_the_examples_system_runs_like_one_of_ours(
    site: Path, mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    install_example(site)
    out = tmp_path / "run"
    code, _, err = mnemoscope(
        *("run", "--release", CUE, "--system", "last_rounds,k=2", "--backbone", "embedded"),
        *("--out", out),
    )
    assert code == 0, err
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["system"]["parameters"]["k"] == 2
    assert manifest["parameters"]["packages"] == {"systems": "mnemoscope-last 0.1"}
    code, text, _ = mnemoscope("score", CUE, out, "--json")
    (run,) = json.loads(text)["runs"]
    assert (code, run["n_total"]) == (0, 59)
    assert any(one["metric"] == "recall" for one in run["retrieval"])


def test_the_examples_system_brings_back_the_newest_rounds_in_order(site: Path) -> None:
    from mnemoscope.core.memory.query import Query
    from mnemoscope.core.memory.view import hand_over

    install_example(site)
    release = open_release(CUE)
    history = next(iter(release.histories.values()))
    handed = hand_over(history, release.textualisation)
    system = make_system(system_spec("last_rounds", parameters={"k": 2}), SystemContext())
    for one in handed.view.rounds:
        system.observe(one)
    system.freeze()
    found = system.recall(Query("?", "?", "?"))
    newest = [one.id for one in handed.view.rounds[-2:]]
    assert [one.item.rounds[0] for one in found.items] == newest[::-1]
    assert found.text.index(handed.view.rounds[-2].text) < found.text.index(
        handed.view.rounds[-1].text
    )


def test_the_examples_taxonomy_stands_beside_ours(site: Path, mnemoscope: Mnemoscope) -> None:
    install_example(site)
    catalogue = Catalogue.load()
    assert catalogue.named("reading").title == "Reading the last rounds"
    assert catalogue.files["reading"] == "mnemoscope-last 0.1"
    assert catalogue.defects == ()
    assert catalogue.usual("cue-mem").name == "cue_mem"


def test_the_manual_shows_the_example_as_it_is() -> None:
    manual = (EXAMPLE.parent / "extend.md").read_text("utf-8")
    for name in ("pyproject.toml", "mnemoscope_last/system.py", "mnemoscope_last/taxonomy.py"):
        shown = (EXAMPLE / name).read_text("utf-8").strip()
        assert shown in manual, name
    for group in Group:
        assert f"`mnemoscope.{group}`" in manual


# All kinds


def test_a_backbone_a_judge_an_embedder_and_a_reader_are_used_by_their_names(
    site: Path, mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    install(site, "good", "1.2", OWN, GOOD)
    assert list(backbone_parameters("first:x")) == ["letter"]
    assert make_backbone("first:x", {"letter": "B"}).spec.id == "first:x"
    assert make_embedder("length:y").id == "length:y"
    assert judge_named("rule:short") == RuleJudge("short", "good 1.2")
    assert RuleJudge("short", "good 1.2").prompt == "short of good 1.2"
    file = tmp_path / "a.two"
    file.write_text("Two lines")
    assert format_of(file) == "two-lines"
    assert open_release(file).name == "Two"
    assert open_release(file, format="two-lines").format == "two-lines"
    out = tmp_path / "run"
    code, _, err = mnemoscope(
        *("run", "--release", CUE, "--system", "naive_rag", "--embedder", "length:y"),
        *("--backbone", "first:x,letter=B", "--out", out),
    )
    assert code == 0, err
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["parameters"]["packages"] == {"backbones": "good 1.2", "embedders": "good 1.2"}
    code, _, err = mnemoscope("judge", CUE, out, "--judge", "rule:short", "--json")
    assert code == 0, err
    lines = (out / "verdicts").rglob("*.jsonl")
    verdicts = [json.loads(line) for path in lines for line in path.read_text().splitlines()]
    assert {(one["judge"], one["value"]) for one in verdicts} == {("rule:short", "right")}
    assert take_warnings() == []


def test_what_there_is_names_what_packages_add(site: Path) -> None:
    install(site, "good", "1.2", OWN, GOOD)
    for make, said in (
        (lambda: make_backbone("x"), "there are: embedded, endpoint:MODEL, first"),
        (lambda: make_embedder("x"), "endpoint:MODEL, length"),
        (lambda: judge_named("rule:x"), "rule:short"),
        (lambda: open_release(CUE, format="x"), "two-lines"),
    ):
        with pytest.raises(UsageError, match=said):
            make()
    assert "good" not in sys.modules


def test_the_doctor_lists_them_without_importing_any(site: Path, mnemoscope: Mnemoscope) -> None:
    install(site, "bad", "0.0", BAD, BROKEN)
    code, text, _ = mnemoscope("doctor", "--json")
    rows = [one for one in json.loads(text)["checks"] if one["topic"] == "extensions"]
    assert code == 0
    assert {one["name"] for one in rows} >= {f"{group} bad_{group}" for group in Group}
    assert {one["found"] for one in rows if "bad" in one["name"]} == {"bad 0.0"}


# Broken ones


def test_a_broken_one_that_is_named_fails_with_one_line(site: Path, mnemoscope: Mnemoscope) -> None:
    install(site, "bad", "0.0", BAD, BROKEN)
    named = (
        ("run", "--release", CUE, "--system", "bad_systems", "--backbone", "embedded", "--dry-run"),
        ("run", "--release", CUE, "--system", "bm25", "--backbone", "bad_backbones", "--dry-run"),
        ("tokens", CUE, "--system", "naive_rag", "--embedder", "bad_embedders"),
        ("judge", CUE, RUNS, "--judge", "rule:bad_judges", "--dry-run"),
        ("info", CUE, "--format", "bad_readers"),
        ("tags", "vote", CUE, RUNS, "--model", "m", "--dry-run", "--of", "bad_taxonomies"),
    )
    for command in named:
        code, _, err = mnemoscope(*command)
        line = next((one for one in err.splitlines() if "cannot be used" in one), err)
        assert code == 2, (command, err)
        assert "of bad 0.0 cannot be used: RuntimeError: no such luck" in line
        assert "defect of mnemoscope" not in err


def test_a_broken_one_that_nobody_named_warns_and_hinders_nothing(
    site: Path, mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    install(site, "bad", "0.0", BAD, BROKEN)
    assert mnemoscope("info", CUE)[0] == 0
    (tmp_path / "a.two").write_text("x")
    code, _, err = mnemoscope("info", tmp_path / "a.two")
    assert code == 2
    assert err.count("warning: readers 'bad_readers' of bad 0.0 cannot be used") == 1
    catalogue = Catalogue.load()
    assert len(catalogue.defects) == 1
    assert "general" in catalogue.taxonomies


async def test_the_app_tells_of_a_broken_one_and_opens(site: Path) -> None:
    install(site, "bad", "0.0", BAD, BROKEN)
    from mnemoscope.core.extensions import warn

    warn("readers 'bad_readers' of bad 0.0 cannot be used: no luck")
    async with opened(OpenRequest(CUE)) as (app, _):
        assert "bad_readers" in notices(app)


@pytest.mark.parametrize(
    ("group", "name", "value", "said"),
    [
        ("systems", "odd", "good:short", "found no class of MemorySystem"),
        ("backbones", "odd", "good:Length", "found no class of Backbone"),
        ("readers", "odd", "good:short", "it has no function recognises"),
        ("embedders", "odd", "good:First", "TypeError"),
    ],
)
def test_what_is_not_what_it_should_be_is_broken_too(
    site: Path, group: str, name: str, value: str, said: str
) -> None:
    install(site, "good", "1.2", {f"mnemoscope.{group}": {name: value}}, GOOD)
    makes: dict[str, Callable[[], object]] = {
        "systems": lambda: system_spec(name),
        "backbones": lambda: make_backbone(name),
        "readers": lambda: open_release(CUE, format=name),
        "embedders": lambda: make_embedder(name),
    }
    with pytest.raises(UsageError, match=said):
        makes[group]()


def test_nobody_takes_the_place_of_one_of_ours(site: Path, tmp_path: Path) -> None:
    taken = {
        "mnemoscope.systems": {"bm25": "bad:thing"},
        "mnemoscope.backbones": {"embedded": "bad:thing"},
        "mnemoscope.embedders": {"lite": "bad:thing"},
        "mnemoscope.readers": {"cue-mem": "bad:thing"},
        "mnemoscope.judges": {"exact": "bad:thing"},
    }
    install(site, "bad", "0.0", taken, BROKEN)
    assert system_spec("bm25").name == "bm25"
    assert make_backbone("embedded").spec.id == "embedded"
    assert open_release(CUE, format="cue-mem").format == "cue-mem"
    assert judge_named("rule:exact") == RuleJudge("exact")


def test_help_comes_without_looking_for_extensions() -> None:
    script = (
        "import sys; from mnemoscope.tui.cli import run; run(['--help'])\n"
        "print('mnemoscope.core.extensions' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    assert done.stderr.strip() == "False"
