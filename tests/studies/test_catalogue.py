"""Studies are found where they lie: ours, those of other packages, and one's own in a folder that is trusted."""

import json
import subprocess
import sys
import warnings
from contextlib import nullcontext
from importlib.metadata import EntryPoint
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

import wallsim.analyses
from tests.analyses.studies import table_of
from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import refused
from tests.studies.first_screens import finding_errors
from tests.test_architecture import ROOT
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.file import load_experiment
from wallsim.rules.terms import ROUND_NAMES
from wallsim.studies import catalogue
from wallsim.studies.catalogue import load_study, own_studies, questions, study_in, study_names
from wallsim.studies.claims import claim_values
from wallsim.studies.contrasts import MEAN, Contrast, Contrasts, Plan, Series
from wallsim.studies.outcomes import change
from wallsim.studies.quantities import Key, Quantity, figures_of
from wallsim.studies.register import read_register
from wallsim.studies.scope import Blocks
from wallsim.studies.study import Choices

MINE = '''"""Grain: does a gift of two grain bring a seat points?

Method. The treated seat gets two grain before the round in which it is treated.
"""

from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES
from wallsim.studies.contrasts import MEAN, Contrast, Contrasts, Plan, Series
from wallsim.studies.quantities import Quantity
from wallsim.studies.scope import Blocks

from .words import POINTS

GRAIN = {"do": "hand", "grain": 2, "seat": "turn", "round": "turn"}


def count(games):
    """The treated seat's victory points."""
    return {"vp": games.treated(games.seats("vp"))}


GAINS = {POINTS: Contrast({"two grain": 1, "as it is": -1}, "vp")}
STUDY = Contrasts(
    __file__,
    __doc__,
    plans=(Plan("gifts", {"as it is": (), "two grain": (GRAIN,)}),),
    count=count,
    blocks=Blocks(others=2, quick=3, quick_others=2),
    quantities=(Quantity("change", "{item}", null=0), Quantity("by-cell", "{item}", null=0, together=())),
    series=(Series("change", GAINS, (MEAN, *ROUND_NAMES)), Series("by-cell", GAINS, everywhere=True, named=False)),
    claims={Claim("Two grain bring points.", POINTS, 0): GAINS[POINTS]},
).study()
'''
SAYS, OUTCOME = "Two grain bring points", "VP of two grain"
EXPERIMENT = 'name = "grain"\nplayers = 4\npolicies = "strong-4p"\ngames = 72\nseed = 77\n'


@pytest.fixture
def mine(tmp_path):
    """The folder of a stranger's study: data alone, and a module of its own beside it."""
    folder = tmp_path / "grain"
    folder.mkdir()
    (folder / "study.py").write_text(MINE, "utf-8")
    (folder / "words.py").write_text('POINTS = "VP of two grain"\n', "utf-8")
    (folder / "experiment.toml").write_text(EXPERIMENT, "utf-8")
    return folder


def test_our_studies_are_the_folders_that_have_a_study():
    folders = [path for path in (ROOT / "analyses").iterdir() if path.is_dir() and path.name != "__pycache__"]
    others = {"strategy_report"}  # which makes pages of all studies
    assert own_studies() == tuple(sorted(path.name for path in folders if path.name not in others))
    assert sorted(path.name for path in (ROOT / "analyses").iterdir() if path.is_file()) == ["__init__.py"]
    assert [str(Path(path)) for path in wallsim.analyses.__path__] == [str(ROOT / "analyses")]


def test_questions_are_read_without_running_a_study():
    program = (
        "import sys; from wallsim.studies.catalogue import questions; found = questions(); "
        "print(len(found), [name for name in sys.modules if name.startswith('wallsim.analyses.')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(own_studies())), "[]"]
    assert all(question.endswith("?") for question in questions().values())


def test_a_study_in_a_folder_is_run_only_with_trust(mine):
    marker = mine.parent / "ran"
    (mine / "words.py").write_text(f"import pathlib\npathlib.Path({str(marker)!r}).touch()\nPOINTS = 'VP'\n", "utf-8")
    with refused("--trust-code"):
        study_in(mine, trust_code=False)
    assert not marker.exists()
    assert study_in(mine, trust_code=True).question.startswith("Grain: ")
    assert marker.exists()


@pytest.mark.parametrize(
    ("folder", "text", "names"),
    [
        ("grain", None, ["no study.py"]),
        ("grain", "import nowhere_at_all", ["imported", "ModuleNotFound", "nowhere_at_all"]),
        ("grain", "STUDY = 3", ["no STUDY"]),
        ("grain", MINE.replace("__file__", "'/x/y/study.py'"), ["must be __file__"]),
        ("price", MINE, ["price", "another study"]),
        ("my-study", MINE, ["my-study", "letters, digits and _"]),
    ],
)
def test_a_folder_without_a_sound_study_is_refused(mine, folder, text, names):
    home = mine.rename(mine.parent / folder)
    (home / "study.py").unlink() if text is None else (home / "study.py").write_text(text, "utf-8")
    with refused(*names):
        study_in(home, trust_code=True)


def test_a_strangers_study_is_played_judged_and_verified_like_ours(mine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "results" / "grain"
    assert "--trust-code" in refusal("study", "./grain", "--quick")
    result = command("study", "./grain", "--quick", "--trust-code", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert table_of(result.stdout, "claim")[0][0] == f"{SAYS}."
    assert {path.name for path in out.iterdir()} == {
        "figures.csv", "grain.ipynb", "grain.md", "grain.png", "parts", "record.json",
    }  # fmt: skip
    home = load_experiment(mine / "experiment.toml")
    rounds = {each.moment: each for each in read_register("grain", out / "figures.csv").values() if each.moment}
    assert {(each.play, each.tower, each.setup) for each in rounds.values()} == {("strong", home.tower, home.setup)}
    assert rounds[MEAN].value == pytest.approx(fmean(rounds[name].value for name in ROUND_NAMES))
    parts = {path: path.stat().st_mtime_ns for path in (out / "parts").iterdir()}
    assert_notebook_tells(out / "grain.ipynb", SAYS, monkeypatch)
    assert {path: path.stat().st_mtime_ns for path in parts} == parts, "the notebook plays nothing again"
    verified = command("study", "./grain", "--verify", "--replay", "2", "--trust-code")
    assert verified.exit_code == 0, verified.output


def assert_notebook_tells(path, words, monkeypatch):
    """Jupyter can read the notebook, and the code of its cells, run in its folder, loads a result with these words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own warnings are not ours
        nbformat = pytest.importorskip("nbformat")
    notebook = path.read_text("utf-8")
    nbformat.validate(nbformat.reads(notebook, as_version=nbformat.NO_CONVERT))
    cells, names = [cell for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"], {}
    with monkeypatch.context() as patch:
        patch.chdir(path.parent)
        exec("\n".join("".join(cell["source"]) for cell in cells), names)
    assert words in names["result"].text


def planted(study, value):
    """The page of a full study of grain whose every estimate is near a value."""
    scope, values, claims = study.design(Choices()), {}, {}
    [judged] = study.judged
    name, rng = judged.claims[0].outcome, np.random.default_rng(5)
    for cell in scope.cells():
        noise = rng.normal(0, 1, (2, 200, 6))
        changed = change(noise[0], noise[0] + value + 0.02 * noise[1])
        claims[cell] = {name: changed.estimate}
        values[Key("by-cell", name, 4, cell)] = changed
        if cell in scope.tables:
            values |= {Key("change", name, 4, cell, moment): changed for moment in (MEAN, *ROUND_NAMES)}
    values |= claim_values(judged.claims, claims)
    return study.page(figures_of("grain", study.quantities, values), scope)


@pytest.mark.parametrize(
    ("value", "sign", "answer"), [(0.4, "+", "holds in all"), (-0.4, "−", "fails in all"), (0, "", "")]
)
def test_the_finding_of_a_strangers_full_study_follows_its_first_outcome(mine, value, sign, answer):
    page = planted(study_in(mine, trust_code=True), value)
    finding = page.finding
    assert finding_errors(finding, page.table) == []
    assert finding.title.startswith(f"{OUTCOME}: ")
    assert (SAYS in finding.unknown) == (sign == "")
    assert [f": {sign}0.4" in finding.title, f": {sign}0.4" in finding.casual] == [sign != ""] * 2
    assert finding.experienced.count(f"{sign}0.4") == 2 * (sign != "")
    [row] = table_of(page.table, "VP")
    assert (row[0], len(row)) == (OUTCOME, 4)
    [claim] = table_of(page.tables, "claim")
    assert answer in claim[-1]


@pytest.fixture
def entered(mine, monkeypatch):
    """`entered(name, value)` gives the package of a stranger's study an entry point."""
    monkeypatch.syspath_prepend(mine.parent)
    return lambda *entry: monkeypatch.setattr(
        catalogue, "entry_points", lambda group: [EntryPoint(*entry, catalogue.GROUP)]
    )


def test_a_study_of_another_package_is_a_study_like_ours(entered):
    entered("grain", "grain.study:STUDY")
    assert study_names() == (*own_studies(), "grain")
    assert load_study("grain").name == "grain"
    assert questions()["grain"].startswith("Grain: ")
    with refused("prise", "price"):  # with a hint
        load_study("prise")


@pytest.mark.parametrize(
    ("name", "value", "names"),
    [
        ("price", "grain.study:STUDY", ["price", "another study"]),
        ("grain", "grain.study:NOTHING", ["grain", "AttributeError"]),
        ("grain", "grain.study:GRAIN", ["grain", "wallsim.studies.study.Study"]),
        ("corn", "grain.study:STUDY", ["corn", "grain"]),
    ],
)
def test_an_entry_point_that_is_no_study_is_refused(entered, name, value, names):
    entered(name, value)
    with refused(*names):
        load_study(name)


LESS = {"x": Contrast({"a": 1, "b": -1}, "vp")}
QUANTITY = Quantity("change", "{item}")
WRONG = [  # changes of a study's data, and what the error names
    ({"quantities": (QUANTITY, QUANTITY)}, ["'change'", "twice"]),
    ({"series": (Series("change", LESS), Series("other", LESS))}, ["'other'", "change"]),
    ({"series": (Series("change", {"x": Contrast({"c": 1}, "vp")}),)}, ["scenario 'c'"]),
    ({"series": (Series("change", LESS, sizes=(3,)),)}, ["3 players"]),
    ({"series": (Series("change", LESS, ("spring",)),)}, ["'spring'"]),
    ({"claims": {Claim("X.", "y", 0): Contrast({"d": 1}, "vp")}}, ["scenario 'd'"]),
    ({"series": ()}, ["there is none"]),
]


@pytest.mark.parametrize(("changes", "names"), [({}, []), *WRONG])
def test_a_study_made_of_data_says_what_is_wrong_with_it(mine, changes, names):
    parts = {
        "plans": (Plan("it", {"a": (), "b": ()}),), "count": len, "blocks": Blocks(2, 2, 2), "quantities": (QUANTITY,),
        "series": (Series("change", LESS),),
    }  # fmt: skip
    with refused(*names) if names else nullcontext():
        assert Contrasts(str(mine / "study.py"), "Q: x?", **{**parts, **changes}).study().name == "grain"


@pytest.mark.slow
@pytest.mark.nightly
def test_nothing_of_the_working_folder_is_run(tmp_path):
    """Neither `analyses/driver.py`, which once was the frame, nor anything else of that name."""
    (tmp_path / "analyses").mkdir()
    for name in ("__init__.py", "driver.py", "price.py", "study.py"):
        (tmp_path / "analyses" / name).write_text("raise SystemExit('a stranger ran')\n", "utf-8")
    for words in (("study", "prise"), ("study",), ("study", "price", "--games", "0")):
        done = subprocess.run(
            [sys.executable, "-m", "wallsim", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert "a stranger ran" not in done.stdout + done.stderr
        assert done.returncode == (0 if words == ("study",) else 2), done.stderr
