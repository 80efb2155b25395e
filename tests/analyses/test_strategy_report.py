"""The strategy report: pages that hold together, work offline, and show what the register says.

Every number that is a figure has its id, and below each chapter stands what it rests on.
"""

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from itertools import product

import polars as pl
import polars.selectors as cs
import pytest
from PIL import Image

from tests.analyses.numbers_of_pages import text_of, tree_of, undeclared
from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import assert_names, refused
from wallsim.analyses.draft.estimates import BY_PLAY
from wallsim.analyses.lineups.games import FIXED_PLAYS, KINDS, fixes_of
from wallsim.analyses.lineups.study import advice
from wallsim.analyses.play.changes import TIPS
from wallsim.analyses.strategy_report import chapters, counties, pages
from wallsim.analyses.strategy_report.html import as_html
from wallsim.analyses.strategy_report.pages import SIZE, drawn_card, share_card
from wallsim.analyses.tiles.study import LARGEST_BID
from wallsim.policies.exploitability import load_ways
from wallsim.report.html.svg import Dot, dots, map_of_counties, shade
from wallsim.report.html.translation import messages, translated
from wallsim.report.map.board_map import load_map
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.traced import Traced, unmarked
from wallsim.rules.board import load_board
from wallsim.rules.county_codes import codes
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.catalogue import own_studies
from wallsim.studies.figure import Figures, slug
from wallsim.studies.finding import MOST_ROWS
from wallsim.studies.published import figures
from wallsim.studies.publishing import as_published
from wallsim.studies.register import read_register

MOST_BYTES = {
    pages.INDEX: 200_000, pages.CHAPTERS: 400_000, pages.TONIGHT: 80_000, pages.COUNTIES: 400_000,
    pages.OPENINGS: 400_000, **{f"tonight-{size}.html": 40_000 for size in pages.SIZES},
}  # fmt: skip
WITHOUT_SCRIPT = (pages.INDEX, *(f"tonight-{size}.html" for size in pages.SIZES))
LONGEST = ("lineups", "price", "tiles")  # findings
STUDIES = [name for group in chapters.GROUPS.values() for name in group]


@pytest.fixture(scope="module")
def trees(report):
    """The pages by name, as trees."""
    return {name: tree_of(report[name].decode()) for name in MOST_BYTES}


@pytest.fixture(scope="module")
def tonight(report):
    return report[pages.TONIGHT].decode()


def ids_in(tree):
    """The ids of each number of a tree."""
    return [each.get("data-id") for each in tree.iter() if "data-id" in each.attrib]


def cells_of(tree, of=".//tr"):
    """The texts of the cells of rows."""
    return [[text_of(cell) for cell in row.findall("td")] for row in tree.findall(of)]


def test_every_link_leads_to_a_page_a_file_or_a_place_of_the_report(report, trees):
    anchors = {name: [each.get("id") for each in tree.iter() if "id" in each.attrib] for name, tree in trees.items()}
    for name, tree in trees.items():
        assert len(set(anchors[name])) == len(anchors[name])
        links = [each.get(key) for each in tree.iter() for key in ("href", "src") if key in each.attrib]
        assert links
        for file, _, anchor in (link.partition("#") for link in links):
            assert not file or file in report, file
            assert not anchor or anchor in anchors[file or name], anchor


@pytest.mark.parametrize("name", MOST_BYTES)
def test_a_page_allows_its_own_style_and_script_alone(report, name):
    text = report[name].decode()
    assert len(text.encode()) <= MOST_BYTES[name]
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1].replace("&#39;", "'")
    closed = dict.fromkeys(("default-src", "form-action", "base-uri"), "'none'")
    # The first page and the sheets of groups have no script; others draw pictures into files.
    allowed = closed if name in WITHOUT_SCRIPT else {**closed, "img-src": "data:"}
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        allowed[rule] = f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'"
    assert dict(part.strip().split(" ", 1) for part in policy.split(";")) == allowed
    assert not re.search(r"https?:|url\(|@import|\bstyle=|\bon\w+=", text)


def test_the_chapters_have_every_study_its_finding_and_all_claims_of_four_players(trees):
    elsewhere = ("openings", "robustness")  # a page of its own, and a list of claims
    assert sorted(STUDIES) == [name for name in own_studies() if name not in elsewhere]
    articles = trees[pages.CHAPTERS].findall(".//article")
    assert [each.get("id") for each in articles if "id" in each.attrib] == STUDIES
    listed = [unmarked(words).partition(" (")[0] for side in chapters.claims().values() for words in side]
    asked = [judged.claim.words for key, (judged, _) in chapters.project_answers().items() if key[2] == 4]
    assert sorted(listed) == sorted(asked)
    assert listed


def test_the_page_to_print_has_all_counties_sayings_and_bids_in_reach(trees):
    firsts = [row[0] for row in cells_of(trees[pages.TONIGHT]) if row]
    for name in load_board().counties:
        assert firsts.count(name) == 1
    assert sum(firsts.count(name) for name in TIPS.values()) == MOST_ROWS
    bids = [cell for _, *row in cells_of(trees[pages.TONIGHT], ".//table[@class='bids']/tbody/tr") for cell in row]
    assert len(bids) == 5 * 6
    assert {each for cell in bids for each in cell.split(" / ")} <= {"–", *map(str, range(LARGEST_BID + 1))}


PLAYS = {"casual": "/casual/", "master": "/strong/", "scholar": "/second-strong/"}


def test_figures_of_the_pages_to_print_and_of_counties_are_those_of_their_row_and_column(trees):
    """Rows of counties and pairs of them, of tiles and of bots; columns of bots and of rounds."""
    names = (*load_board().counties, *TILES)
    of_row = {name.replace("_", " "): f".{slug(name)}" for name in names} | PLAYS
    of_column = {name: f"@{slug(name)}" for name in ROUND_NAMES} | PLAYS
    seen = {**dict.fromkeys(of_row, 0), **dict.fromkeys(of_column, 0)}
    for table in (each for name in (pages.TONIGHT, pages.COUNTIES) for each in trees[name].iter("table")):
        heads = [text_of(head).removesuffix(" bots, VP") for head in next(table.iter("tr"))]
        for row in table.findall("tbody/tr"):
            label = text_of(row[0])
            for head, cell in zip(heads if len(heads) > 1 else heads * len(row), row, strict=True):
                expected = {label: of_row.get(label.partition(" and ")[0]), head: of_column.get(head)}
                for key, (name, part) in product(ids_in(cell), expected.items()):
                    assert ".4p." in key, (label, head)
                    assert part is None or part in key, (label, head)
                    seen |= {name: 1} if part else {}
    assert [name for name, times in seen.items() if not times] == []


def worths_on(page):
    """The worths in the table of a page of counties, in words, by county."""
    found = {row.get("data-name"): cells_of(row, ".")[0][2:5] for row in tree_of(page).findall(".//tr[@data-name]")}
    assert len(found) == 45
    return found


def test_every_county_shows_its_worths_as_the_register_has_them_and_changed_ones_otherwise(found, report, trees):
    draft, page = found["draft"].figures, report[pages.COUNTIES].decode()
    shown = worths_on(page)
    for card in counties.cards(found["draft"]):
        worths = [draft.of(BY_PLAY, card["name"], players=4, play=play) for play in counties.PLAYS]
        words = [unmarked(in_words(each.value, each.ends, 2, "+")) for each in worths]
        rows = cells_of(trees[pages.COUNTIES].find(f".//article[@id='{card['code']}']"), ".//tbody/tr")
        assert shown[card["name"]] == [row[1] for row in rows[:3]] == words
    old, rows = draft.of(BY_PLAY, "Bremen", players=4, play="casual"), read_register("draft").values()
    changed = [replace(each, value=7.25, low=7.0, high=7.5) if each.id == old.id else each for each in rows]
    after = worths_on(counties.page({**found, "draft": replace(found["draft"], figures=Figures("draft", changed))}))
    assert after == {**shown, "Bremen": ["+7.25 ± 0.25", *shown["Bremen"][1:]]} != shown


@pytest.mark.parametrize("size", pages.SIZES)
def test_line_ups_of_every_cell_share_all_wins_and_what_makes_them_fairest_is_what_the_study_finds(found, trees, size):
    of, tree = found["lineups"].figures, trees[pages.CHAPTERS].find(f".//div[@data-players='{size}']")
    shown, cells = tree.findall("details[@class='cell']"), found["lineups"].design.cells
    assert len(shown) == len(cells) == 11
    for cell, here in zip(cells, map(text_of, shown), strict=True):
        shares = pages.shares_of(of, size, cell)
        assert sum(share.value for share in shares.values()) == pytest.approx(100, abs=1e-6)
        assert all(unmarked(pages.share_words(share)) in here for share in shares.values())
        assert f"Imbalance: {unmarked(pages.spread_of(of, size, cell))}" in here
        if cell.play in FIXED_PLAYS:
            fixed = [of.of("imbalance", kind, players=size, cell=cell) for kind in KINDS]
            assert all(unmarked(pages.with_ends(1)(each)) in text_of(tree) for each in fixed)
            assert unmarked(advice(of, size, cell.play)) in here
            assert all(fix.in_words(load_board()) in text_of(tree) for fix in fixes_of(size, cell.play).values())


def test_data_are_the_register(report):
    table = figures()
    assert pl.read_parquet(io.BytesIO(report["data/figures.parquet"])).equals(table)
    assert pl.read_csv(report["data/figures.csv"], schema=table.schema).equals(table)
    finite = table.with_columns(pl.when(cs.float().is_finite()).then(cs.float()).name.keep())  # JSON has no infinity
    columns = json.loads(report["data/figures.json"])
    assert pl.DataFrame(columns, schema=table.schema).equals(finite)
    assert len(report["data/figures.json"]) < 0.7 * len(table.write_json())
    price = pl.read_csv(report["data/price.csv"], schema=table.schema)
    assert price.equals(table.filter(pl.col("id").str.starts_with("price.")))


def test_the_map_has_a_link_and_a_short_code_of_its_own_in_every_county():
    short = codes(load_board().counties)
    assert len(set(short.values())) == 45
    assert all(3 <= len(code) <= 4 for code in short.values())
    named = ("Bm. Lüttich", "Hessen-Kassel", "Hessen-Darmstadt", "Oberpfalz", "Oberösterreich")
    assert [short[name] for name in named] == ["Lüt", "HKas", "HDar", "OPfa", "OÖst"]
    links = {name: f"#{code}" for name, code in short.items()}
    text = map_of_counties(load_map(), short, dict.fromkeys(short, "level"), links, "m")
    assert len(text.encode()) < 70_000
    for name, code in short.items():
        assert f'href="#{code}" data-county="{name}"' in text
        assert f">{code}</text>" in text


def test_shades_are_symmetric_and_dots_lie_in_the_order_of_their_values():
    assert [shade(value, 2.0) for value in (-2, -1, -0.1, 0, 0.1, 1, 2)] == [
        "below-4", "below-2", "level", "level", "level", "above-2", "above-4",
    ]  # fmt: skip
    assert shade(0.0, 0.0) == "level"
    text = dots({"A": Dot(30, 28, 32, "30 ± 2"), "B": Dot(20, 19, 21, "20 ± 1")}, 25, "wins", "%")
    first, second = map(float, re.findall(r'cx="([\d.]+)"', text))
    fair = float(re.search(r'class="fair" d="M([\d.]+)', text)[1])
    assert second < fair < first
    assert text.count("± ") == 2


def test_links_of_studies_lead_to_chapters_or_nowhere():
    text = as_html("[draft](draft-tables.md#x) and [others](../trust.md), `a<b`.", frozenset({"draft"}))
    assert text.strip() == '<p><a href="#draft">draft</a> and others, <code>a&lt;b</code>.</p>'


@pytest.mark.slow
def test_the_command_writes_the_same_bytes_again(tmp_path, report, found, monkeypatch):
    monkeypatch.setattr(pages, "report_files", lambda *_, **__: report)
    assert "index.html" in command("report", "--out", str(tmp_path / "out")).output
    assert {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*")} == set(report)
    assert pages.index(found).encode() == report[pages.INDEX]


def test_what_cannot_be_written_is_refused(tmp_path, found, monkeypatch):
    (tmp_path / "file").write_text("mine")
    assert str(tmp_path / "file") in refusal("report", "--out", str(tmp_path / "file"))
    rows = list(read_register("play").values())
    monkeypatch.setattr(pages, "results", lambda: {"play": replace(found["play"], figures=Figures("play", rows[:9]))})
    with refused("data/figures/play.csv", "has no 'play."):
        pages.write_report(tmp_path / "out")
    monkeypatch.setattr(pages, "results", chapters.results)
    monkeypatch.setattr(chapters, "published_studies", lambda: ("draft",))
    with refused("lacks play, lineups"):
        pages.write_report(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["--lang", "fr"], ["--lang", "'fr'", "de, en"]), (["--url", "x.org"], ["--url", "'x.org'"]),
        *(([".", *option], [option[0], "strategy report"])
          for option in (["--lang", "de"], ["--cards"], ["--url", "https://x.org"])),
    ],
)  # fmt: skip
def test_options_of_the_report_that_cannot_be_are_refused(tmp_path, given, names):
    assert_names(refusal("report", *given, "--out", str(tmp_path / "x")), *names)
    assert not (tmp_path / "x").exists()


def test_the_page_to_print_is_whole_in_german(tonight):
    german = translated(tonight, "de", whole=True)
    assert german.startswith('<!doctype html>\n<html lang="de">')
    assert "heute Abend</title>" in german
    values, fixed = r'<data value="([^"]+)" data-id="([^"]+)"', r"(?s)<(?:style|script)>.*?<"
    assert sorted(re.findall(values, german)) == sorted(re.findall(values, tonight))
    assert re.findall(fixed, german) == re.findall(fixed, tonight)
    firsts = [row[0] for row in cells_of(tree_of(german)) if row]
    assert all(firsts.count(name) == 1 for name in load_board().counties)
    assert not re.search(r">[^<]*\d\.\d[^<]*</data>", german)
    assert re.search(r">\+\d,\d</data>", german)


def test_texts_without_german_stop_a_whole_page_and_figures_keep_their_places():
    page = '<html lang="en"><p>A new &amp; long sentence of 1.5 VP.</p><p>attack</p><code>attack</code><td>1.5</td>'
    with refused("de.toml", "'A new & long", "sentence of {} VP.'"):
        translated(page, "de", whole=True)
    assert translated(page, "de", whole=False) == page.replace("<p>attack", '<p><span lang="de">Angriff</span>')
    first, last = "in the first spring", "in the last fall"
    page = f'<p>A Thaler brings <data value="1">1.25 ± 0.5</data> VP {first} and 1,000.5 {last}.</p>'
    german = translated(page, "de", whole=True)
    assert_names(german, "Taler", '<data value="1">1,25 ± 0,5</data> SP', "1.000,5", "Frühling", "Herbst")
    for english, other in messages("de").items():
        assert english.count("{}") == other.count("{}"), english
        assert other.strip()


def test_the_numbers_are_those_of_the_register_and_best_responses_those_of_their_file(found, report, trees):
    known = {key: figure for result in found.values() for key, figure in result.figures.items()}
    responses = {
        chapters.response_id(policy, way): 100 * each.share
        for (policy, size), ways in load_ways().items() if size == 4 for way, each in ways.items()
    }  # fmt: skip
    numbers, best = [each for name in (pages.INDEX, pages.CHAPTERS) for each in trees[name].findall(".//data")], 0
    assert len(numbers) > 700
    for each in numbers:
        value, (first, *others) = abs(float(each.get("value"))), each.get("data-id").split()
        if first in responses:
            best += 1
            assert value == pytest.approx(responses[first])
        elif not others:
            figure = known[first]
            assert each.get("data-unit") == figure.unit
            shown = [abs(end) for end in (figure.value, figure.low, figure.high, (figure.high - figure.low) / 2)]
            assert any(value in (pytest.approx(float(end)), pytest.approx(float(100 * end))) for end in shown), first
        assert {first, *others} <= known.keys() | responses.keys()
    assert best
    assert f"data/{chapters.EXPLOITED}.csv" in report


def test_marks_change_no_word_of_the_pages_to_print_and_of_counties(found, report):
    plain = {name: as_published(found[name].study) for name in ("draft", "play", "events", *LONGEST)}
    for name, make in ((pages.TONIGHT, pages.tonight), (pages.COUNTIES, counties.page)):
        assert "data-id" in report[name].decode()
        assert re.sub(r"</?(?:data|tspan)\b[^>]*>", "", report[name].decode()) == make(plain)


def test_each_question_of_the_first_page_has_one_number_an_answer_of_few_words_and_a_chart(trees):
    articles = trees[pages.INDEX].findall(".//article")
    assert len(articles) == 6
    for each in articles:
        answer = each.find("div[@class='answer']")
        assert len(answer.findall(".//strong")) == 1
        assert len(ids_in(answer)) >= ("or" not in text_of(answer.find(".//strong")).split())
        assert len(text_of(answer).split()) <= 25
        assert each.findall(".//svg")
        assert each.find("div[@class='note']") is not None


def told():
    """Texts with numbers that are no figures: changes of line-ups, and what policies are."""
    board = load_board()
    tables = product(pages.SIZES, FIXED_PLAYS)
    changes = [part for table in tables for fix in fixes_of(*table).values() for part in fix.parts(board)]
    begun = [f"{part[0].upper()}{part[1:]}" for part in changes]
    return [*changes, *begun, *(description for _, _, description, _ in chapters.players())]


def test_every_number_of_the_pages_has_its_id_or_is_declared_to_be_no_figure(report, tonight):
    for name in (pages.INDEX, pages.CHAPTERS, pages.TONIGHT, pages.COUNTIES):
        assert undeclared(report[name].decode(), *told()) == []
    german = undeclared(translated(tonight, "de", whole=True))
    changes = [message for message in messages("de").values() if "Armee" in message or "SP mehr" in message]
    fitting = [re.escape(message).replace(r"\{\}", ".*?") for message in changes]
    assert [text for text in german if not any(re.search(message, text) for message in fitting)] == []
    page = '<p>A wins <data data-id="x">41</data> % of 24 games.</p><p id="b">{}</p>'
    [wrong] = undeclared(page.format(without := "It wins 41.5 % with 4 players."))
    assert wrong == f"b: {without}"


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_number_of_the_first_screen_of_a_study_has_its_id(found, name):
    page, _, _ = chapters.study_page(found[name]).partition('<section id="tables">')
    assert undeclared(f"<html>{page.partition('<main>')[2]}</html>", *told()) == []


def test_every_chapter_has_its_frame(found, trees):
    for name, result in found.items():
        article = trees[pages.CHAPTERS].find(f".//article[@id='{name}']")
        links = [each.get("href") for each in article.iter("a")]
        assert {f"#{name}", f"data/{name}.csv"} <= set(links)
        assert re.search(rf"wallsim [\d.]+, study {name}, engine version \d+, seed \d+", text_of(article))
        keys = {key for ids in ids_in(article) for key in ids.split()} & set(result.figures)
        assert {chapters.question_of(key) for key in keys} <= {text_of(each) for each in article.iter("code")}


def test_a_sample_is_in_words_and_a_title_is_cited_without_marks(found):
    one = next(figure for figure in found["price"].figures.values() if figure.n)
    few, many = (replace(one, n=n, n_unit="blocks") for n in (200, 1_000))
    assert chapters.sample_of([few, few]) == "200 blocks"
    assert_names(chapters.sample_of([many, few, replace(few, n_unit="casts")]), "200 to 1,000 blocks", "200 casts")
    assert chapters.sample_of([replace(few, n=0)]) == ""
    chapter = chapters.chapter_of(found["price"], {})
    assert chapter["sample"]
    assert chapter["citation"] == unmarked(chapter["citation"])
    assert chapter["sample"] in chapter["citation"]


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in LONGEST else pytest.mark.slow) for each in STUDIES]
)
def test_the_text_of_a_card_lies_inside(found, name):
    finding = chapters.finding_of(found[name])
    lines = [f"Casual bots: {finding.casual}", f"Strong bots: {finding.experienced}"]
    picture = drawn_card(finding.title, lines)
    picture.canvas.draw()
    *texts, footer = [text.get_window_extent() for text in picture.texts]
    assert all(box.x0 > 0 and box.x1 < SIZE[0] and box.y0 > footer.y1 for box in texts)
    assert footer.y0 > 0


def test_every_chapter_and_the_first_page_have_a_card_of_the_same_bytes_each_time(found):
    data = share_card(f"A wins {Traced(41.0, ('a.b',)):.0f} %", ["Casual bots: often."])
    assert Image.open(io.BytesIO(data)).size == (1200, 630)
    assert share_card("A wins 41 %", ["Casual bots: often."]) == data
    assert share_card("A wins 42 %", ["Casual bots: often."]) != data
    files = pages.card_files({"price": found["price"]}, "Title", "Text")
    assert sorted(files) == ["cards/index.png", "cards/price.png"]
