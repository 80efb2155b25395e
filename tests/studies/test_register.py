"""The register keeps every figure as it is, names what is damaged, and says what has moved."""

import re
import shutil
from dataclasses import replace
from math import inf, nan

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wallsim
from tests.refusals import assert_names, refused
from tests.studies.test_figures import figures_of_gifts
from wallsim.rules.files import data_folder
from wallsim.studies import published
from wallsim.studies.catalogue import load_study, own_studies, questions
from wallsim.studies.figure import Figure, Figures, figure_id
from wallsim.studies.id_parts import Head, found_by, label_of, labels_for, patterns_for
from wallsim.studies.published import SCHEMA, published_studies
from wallsim.studies.publishing import families_of
from wallsim.studies.quantities import Key, Number
from wallsim.studies.register import COLUMNS, ROOM, moved, read_register, register_text, write_register
from wallsim.studies.shared_files import CODEBOOK


@pytest.fixture
def figures():
    return figures_of_gifts(values={Key("games"): Number(24_000)})


def test_a_study_s_own_file_has_all_columns(figures, tmp_path):
    path = tmp_path / "figures.csv"
    path.write_text(register_text(figures), "utf-8")
    read = read_register("price", path)
    assert list(read) == list(figures)
    assert read == figures
    assert register_text(read) == register_text(figures)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("value,", "worth,", ["line 1", "id, value"]),
        (",24000,", ",many,", ["line 3", "value", "'many'"]),
        (",4,second strong", ",four,second strong", ["line 2", "players", "'four'"]),
        ("price.games", "price.thaler.4p.+4-Thalers/second-strong/mid-urn/draft", ["line 3", "id: 'price.thaler"]),
        ("price.games", "price games", ["'price games'", "letters"]),
    ],
)
def test_damage_of_a_study_s_own_file_is_named_by_file_line_and_field(figures, tmp_path, old, new, names):
    damage(tmp_path / "price.csv", register_text(figures), old, new)
    with refused(tmp_path / "price.csv", *names):
        read_register("price", tmp_path / "price.csv")


def damage(path, text, old, new):
    """Write a text in which something is replaced once."""
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


PLACES = st.sampled_from(["", "all", "strong", "second strong", "second-strong", "mid-urn", "spring 1", "−"])
LETTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\r")  # which the csv module does not quote
WORDS = st.one_of(PLACES, st.sampled_from(["A", "4p", "−2 Thalers", "{item}", 'a, "b"\nc', "'=1+1"]), st.text(LETTERS))
NUMBERS = st.one_of(st.floats(allow_infinity=False), st.sampled_from([0.0, -0.0, 0.1 + 0.2, inf]))
WRITTEN = NUMBERS.map(lambda number: float(f"{number:.10g}"))
FIGURES = st.fixed_dictionaries(
    {
        "quantity": st.sampled_from(["wins", "VP of a seat", "4p", "A-B"]), "item": WORDS, "value": WRITTEN,
        "low": WRITTEN, "high": WRITTEN, "words": WORDS.filter(bool), "unit": WORDS,
        "players": st.sampled_from([0, 3, 4]), "play": PLACES, "tower": PLACES, "setup": PLACES | st.just("lineup"),
        "moment": PLACES, "n": st.integers(0, 3), "n_unit": WORDS, "null": WRITTEN, "pairing": WRITTEN,
        "seed": st.integers(0, 2**63 - 1), "sure": st.sampled_from([(0.95, 1), (0.9, 7)]),
    }
)  # fmt: skip


def figure_from(quantity, item, words, sure, n_unit, **fields):
    """A figure of a study, without an error."""
    names = ("players", "play", "tower", "setup", "moment")
    key = figure_id("some", quantity, item, **{name: fields[name] for name in names})
    level, family = sure
    return Figure(
        key, words, level=level, family=family, n_unit=n_unit if fields["n"] else "", error=nan, engine=9,
        digest="0123456789ab", **fields,
    )  # fmt: skip


@given(st.lists(FIGURES.map(lambda fields: figure_from(**fields)), min_size=1, max_size=12))
def test_whatever_a_study_collects_is_read_from_the_register_as_it_is(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("figures")
    try:
        figures = Figures("some", {row.id: row for row in rows}.values())
    except ValueError:  # an id of other characters
        return
    write_register(figures, folder, "What?")
    read = read_register("some", folder / "some.csv")
    assert list(read) == list(figures)
    assert read == figures


LARGE = {"openings", "zoo"}  # whose files take long


@pytest.mark.parametrize(
    "study", [pytest.param(each, marks=[pytest.mark.slow] * (each in LARGE)) for each in own_studies()]
)
def test_a_published_study_is_written_again_line_by_line(study, tmp_path):
    folder = data_folder(ROOM)
    for name in (CODEBOOK, f"{study}.toml"):
        shutil.copyfile(folder / name, tmp_path / name)
    families = families_of(load_study(study))
    write_register(read_register(study), tmp_path, questions()[study], families=families)
    for name in (CODEBOOK, f"{study}.toml", f"{study}.csv"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), (
            f"`wallsim study {study} --page` writes it"
        )


def changed_lines(folder, study, figures, **more):
    """The lines that writing figures adds to the files of a folder."""
    before = {path: path.read_text("utf-8").splitlines() for path in folder.iterdir()}
    write_register(figures, folder, questions()[study], families=families_of(load_study(study)), **more)
    after = {path: path.read_text("utf-8").splitlines() for path in folder.iterdir()}
    assert [len(lines) for lines in after.values()] == [len(lines) for lines in before.values()]
    return [line for path, lines in after.items() for line, old in zip(lines, before[path], strict=True) if line != old]


def test_a_republication_changes_the_lines_of_what_has_changed(tmp_path):
    for name in (CODEBOOK, "price.toml", "price.csv"):
        shutil.copyfile(data_folder(ROOM) / name, tmp_path / name)
    record = (tmp_path / "price.toml").read_text("utf-8")  # as if it were not carried
    (tmp_path / "price.toml").write_text(re.sub("^carried = .*\n", "", record, flags=re.M), "utf-8")
    figures = read_register("price")
    key = next(iter(figures))
    assert changed_lines(tmp_path, "price", figures) == []
    [line] = changed_lines(tmp_path, "price", figures, facts={"cpu_seconds": 1234})
    assert_names(line, "played = {", "cpu_seconds = 1234")
    assert changed_lines(tmp_path, "price", figures) == [], "those of the last full play stay"
    one = {**figures, key: replace(figures[key], value=9.5)}
    [line] = changed_lines(tmp_path, "price", Figures("price", one.values()))
    assert line.startswith(f"{key.removeprefix('price.')},9.5,")
    other = Figures("price", [replace(each, digest="f" * 12, engine=99) for each in one.values()])
    [line] = changed_lines(tmp_path, "price", other)
    assert_names(line, "engine = 99", 'digest = "ffffffffffff"')
    assert "cpu_seconds" not in line, "those of another play go"


PATTERNS = "[patterns.family]\ngames = {{ {} }}\n[quantities]"


DAMAGES = {  # by file what is replaced, by what, and what the error names
    "price.csv": [
        ("id,value,", "id,worth,", ["line 1", "id, value, low, high, error, n"]),
        (",24000,", ",many,", ["line 3", "value", "'many'"]),
        (",24000,", ",", ["line 3", "5 fields", "id, value"]),
        ("\ngames", "\nthaler.4p.+4-Thalers/second-strong/mid-urn/draft", ["line 3", "id: 'price."]),
        ("\ngames", "\na/b/c/d/e", ["line 3", "'price.a/b/c/d/e'"]),
        ("\ngames", "\ngains", ["line 3", "'price.gains'", "codebook.csv"]),
        ("/second-strong/", "/strong/", ["line 2", "id"]),
        ("/mid-urn/", "/urn/", ["tower", "'urn'", "mid-urn"]),
    ],
    "codebook.csv": [
        ("price,games,", "price,gains,", ["price.csv: line 3", "'price.games'", "codebook.csv"]),
        ("price,games,", "price,thaler,", ["line 3", "price.thaler", "two rows"]),
        (",blocks,0,", ",blocks,none,", ["line 2", "null", "'none'"]),
        (",blocks,0,", ",blocks,", ["line 2", "7 fields"]),
        ("study,", "name,", ["line 1", "study, quantity, words"]),
    ],
    "price.toml": [
        ("seed = 7", "seed = seven", ["line 1"]),
        ("seed = 7", 'seed = "seven"', ["seed", "'seven'", "whole number"]),
        ("seed = 7", "", ["seed is missing"]),
        ("family = 3", "family = 3.5", ["quantities.thaler.family", "3.5", "whole number"]),
        ("family = 3", "famly = 3", ["quantities.thaler", "famly", "seed"]),
        ('["second strong"]', "[2]", ["names.play.1", "2", "text"]),
        ("[quantities]", PATTERNS.format('many = ["4p"]'), ["family.games", "'many'"]),
        ("[quantities]", PATTERNS.format('1 = ["a"], 2 = ["a"]'), ["games", "'a'", "two values"]),
        ("[quantities]", PATTERNS.format("1 = 2"), ["patterns.family.games.1", "2", "list"]),
        ("[quantities]", "[patterns.worth]\n[quantities]", ["patterns", "worth", "about, unit"]),
    ],
}


@pytest.mark.parametrize(("file", "old", "new", "names"), [(file, *each) for file in DAMAGES for each in DAMAGES[file]])
def test_damage_of_the_register_is_named_by_file_line_field_and_value(figures, tmp_path, file, old, new, names):
    write_register(figures, tmp_path, "What is a Thaler worth?")
    assert read_register("price", tmp_path / "price.csv") == figures
    damage(tmp_path / file, (tmp_path / file).read_text("utf-8"), old, new)
    with refused(tmp_path, file, *names):
        read_register("price", tmp_path / "price.csv")
    (tmp_path / file).unlink()
    with refused(tmp_path / file, "No such file"):
        read_register("price", tmp_path / "price.csv")


BOXES, COUNTIES = {"palace": "palace", "deploy5": "deploy 5"}, {"Bremen": "Bremen", "Erzbm-Köln": "Erzbm. Köln"}
CARDS = {
    f"{letter}-{box}-{county}": f"{text} on {name}, line-up {letter}"
    for letter in "ABC" for box, name in BOXES.items() for county, text in COUNTIES.items()
}  # fmt: skip


def test_labels_are_as_few_as_the_parts_of_items():
    found = labels_for(CARDS, {}, "vp")
    assert len(found) <= len("ABC") + len(BOXES) + len(COUNTIES)
    assert {item: label_of(item, found, "vp") for item in CARDS} == CARDS
    assert labels_for(CARDS, found, "wins") == {}
    other = "another card"
    assert labels_for({"A-palace-rest": f"{other} on palace, line-up A"}, found, "vp") == {"rest": other}
    item = "A-palace-Bremen"
    exceptions = {**found, f"vp.{item}": "nothing"}
    assert [label_of(item, exceptions, quantity) for quantity in ("vp", "wins")] == ["nothing", CARDS[item]]


def test_patterns_give_every_value_and_no_other():
    units = {"VP": "VP", "spread-of-VP": "VP", "wins": "%", "wins-of-A": "%", "A-first": "VP"}
    heads = {Head(players, item, place): unit for item, unit in units.items()
             for players in (3, 4) for place in ("", "/strong/mid")}  # fmt: skip
    found = patterns_for(heads.items(), "")
    assert {head: found_by(found, head) for head in heads} == heads
    assert set(patterns_for(heads.items(), "VP").values()) == {"%"}
    by_place = {head: f"{head.players}{head.place}" for head in heads}
    assert len(patterns_for(by_place.items(), "")) == 4
    assert patterns_for([(head, str(n)) for head in heads for n in range(2)], "") == {}


def test_a_figure_that_contradicts_its_id_is_not_written(figures, tmp_path):
    key = next(iter(figures))
    for change in ({"play": ""}, {"id": "prices.thaler"}):
        other = [replace(each, **change) if each.id == key else each for each in figures.values()]
        with pytest.raises(ValueError, match=re.escape(change.get("id", key))):
            write_register(Figures("price", other), tmp_path, "What is a Thaler worth?")
        assert list(tmp_path.iterdir()) == []


def test_a_figure_has_moved_if_it_lies_outside_of_the_intervals(figures):
    key, games = figures
    half = (figures[key].high - figures[key].low) / 2
    for factor, expected in ((0.9, []), (1.1, [key])):
        other = {**figures, key: replace(figures[key], value=figures[key].value + factor * half)}
        assert [line.split(": ")[0] for line in moved(figures, other)] == expected
    unknown = {**figures, key: replace(figures[key], value=nan, error=nan)}
    assert moved(unknown, unknown) == []
    assert len(moved(figures, unknown)) == len(moved(unknown, figures)) == 1
    [line] = moved(figures, {**figures, games: replace(figures[games], value=23_999.0)})
    assert_names(line, games, "24000 before", "23999 now")
    new, missing = moved(figures, {games: figures[games], "price.new": figures[key]})
    assert_names(new, "1 figures", "new: price.new")
    assert_names(missing, "1 figures", f"missing: {key}")


@pytest.fixture
def registered(tmp_path, monkeypatch, figures):
    """A register of one study."""
    write_register(figures, tmp_path, "What is a Thaler worth?")
    for module in (published, __import__("wallsim.studies.register", fromlist=["data_folder"])):
        monkeypatch.setattr(module, "data_folder", lambda room: tmp_path)


CHOSEN = {
    None: 2,
    "price": 2,
    "price.": 2,
    "price.games": 1,
    "price.thaler.4p": 1,
    "*.thaler.*/draft": 1,
    "*mid-urn*": 1,
}


@pytest.mark.parametrize("pattern", CHOSEN)
def test_figures_are_chosen_by_the_beginning_of_ids_or_by_a_pattern(registered, pattern):
    result = wallsim.figures(pattern)
    assert isinstance(result, pl.DataFrame)
    assert result.schema == pl.Schema(SCHEMA)
    assert tuple(result.columns) == COLUMNS
    assert len(result) == CHOSEN[pattern]


@pytest.mark.parametrize("pattern", ["price.gam", "*.nothing", ""])
def test_a_pattern_that_matches_nothing_is_refused(registered, pattern):
    with refused(pattern, "no id"):
        wallsim.figures(pattern)


def test_what_there_is_none_of_is_null(registered):
    row = wallsim.figures("price.games").row(0, named=True)
    assert [name for name, value in row.items() if value is None] == [
        "players", "play", "tower", "setup", "moment", "low", "high", "error", "n", "n_unit", "null", "pairing",
    ]  # fmt: skip


def test_every_study_is_in_the_register_and_ids_begin_with_its_name():
    assert set(published_studies()) == set(own_studies())
    table = wallsim.figures()
    assert table["id"].is_unique().all()
    assert table["id"].str.split(".").list.first().is_in(list(own_studies())).all()
    for name in ("quantity", "unit", "digest"):
        assert (table[name].str.strip_chars() != "").all(), name
    known = table.filter(pl.col("low").is_not_null())
    assert ((known["low"] <= known["value"]) & (known["value"] <= known["high"])).all()
    counted = table.filter(pl.col("n").is_not_null())
    assert (counted["n"] > 0).all()
    assert counted["n_unit"].is_not_null().all()
