"""The strategy report: pages that hold together, work offline, and show what the register says."""

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import polars as pl
import polars.selectors as cs
import pytest
from markupsafe import escape

from tests.cli.test_games import refusal
from tests.cli.test_games import wallsim as command
from wallsim.analyses.draft.figures import BY_PLAY
from wallsim.analyses.lineups.finding import NAMES, nearest
from wallsim.analyses.lineups.games import PRINTED
from wallsim.analyses.play.habits import HABITS
from wallsim.analyses.strategy_report import chapters, files, pages, run_page
from wallsim.analyses.strategy_report.counties import PLAYS, county_cards
from wallsim.analyses.strategy_report.html import as_html
from wallsim.analyses.strategy_report.lineups import lineups
from wallsim.analyses.tiles.bids import LARGEST_BID
from wallsim.analysis.games.summary import summarise
from wallsim.errors import InputError
from wallsim.report.html.svg import Dot, dots, map_of_counties, shade
from wallsim.report.map.board_map import load_map
from wallsim.report.tables.traced import unmarked
from wallsim.rules.board import load_board
from wallsim.rules.county_codes import codes
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Figures
from wallsim.studies.published import figures
from wallsim.studies.publishing import as_published
from wallsim.studies.scope import CASUAL_TABLE

PAGES = (pages.INDEX, pages.TONIGHT, pages.COUNTIES, pages.OPENINGS)
MOST_BYTES = {pages.INDEX: 400_000, pages.TONIGHT: 80_000, pages.COUNTIES: 400_000, pages.OPENINGS: 400_000}


class Reader(HTMLParser):
    """The links, the anchors and the elements of a page that nothing closes."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.links += [named[name] for name in ("href", "src") if name in named]
        self.anchors += [named["id"]] if "id" in named else []
        if tag not in ("meta", "br", "line", "path", "circle"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report():
    return pages.report_files()


@pytest.fixture(scope="module")
def draft():
    return as_published(load_study("draft"))


def text_of(report, name):
    """A page without the elements that have the ids of figures."""
    return re.sub(r"</?(?:data|tspan)\b[^>]*>", "", report[name].decode())


def test_every_link_leads_to_a_page_a_file_or_a_place_of_the_report(report):
    read = {name: Reader(report[name].decode()) for name in PAGES}
    for name, page in read.items():
        assert page.open == []
        assert len(set(page.anchors)) == len(page.anchors)
        assert page.links
        for link in page.links:
            file, _, anchor = link.partition("#")
            assert not file or file in report, link
            assert not anchor or anchor in read[file or name].anchors, link


@pytest.mark.parametrize("name", PAGES)
def test_a_page_allows_its_own_style_and_script_alone(report, name):
    text = report[name].decode()
    assert len(text.encode()) <= MOST_BYTES[name]
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1].replace("&#39;", "'")
    closed = dict.fromkeys(("default-src", "form-action", "base-uri"), "'none'")
    allowed = {**closed, "img-src": "data:"}  # for a picture that the page draws into a file
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        allowed[rule] = f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'"
    assert dict(part.strip().split(" ", 1) for part in policy.split(";")) == allowed
    assert not re.search(r"https?:|url\(|@import|\bstyle=|\bon\w+=", text)


def test_the_first_page_has_every_study_and_its_finding(report):
    text = text_of(report, pages.INDEX)
    names = [name for group in chapters.GROUPS.values() for name in group]
    elsewhere = ("openings", "robustness")  # a page of its own, and a list of claims
    assert sorted(names) == [name for name in own_studies() if name not in elsewhere]
    for name in names:
        assert f'<article id="{name}">' in text
    assert text.count('class="takeaway"') == 6


def test_all_claims_of_four_players_stand_in_one_list():
    listed = [unmarked(words) for side in chapters.claims() for words in side]
    asked = [judged.claim.words for key, judged in chapters.published_claims().items() if key[2] == 4]
    assert sorted(listed) == sorted(asked)
    assert listed


def test_the_page_to_print_has_all_counties_and_bids_in_reach(report):
    text = text_of(report, pages.TONIGHT)
    for name in load_board().counties:
        assert text.count(f"<td>{name}</td>") == 1
    for name in HABITS:
        assert text.count(f"<td>{name}</td>") == 1
    bids = re.search(r'<table class="bids">(.*?)</table>', text, re.S)[1]
    cells = re.findall(r"<td>([^<\s]+) / ([^<\s]+)</td>", bids)
    assert len(cells) == 5 * 6
    assert {each for cell in cells for each in cell} <= {"–", *map(str, range(LARGEST_BID + 1))}


def test_every_county_shows_its_worths_as_the_register_has_them(report, draft):
    text = text_of(report, pages.COUNTIES)
    for card in county_cards(draft):
        row = re.search(rf'<tr data-name="{re.escape(card.name)}".*?</tr>', text, re.S)[0]
        its_card = re.search(rf'<article class="card" id="{re.escape(card.code)}".*?</article>', text, re.S)[0]
        for play in PLAYS:
            value = draft.figures.of(BY_PLAY, card.name, players=4, play=play).value
            assert f'data-value="{value:.4f}"' in row
            assert card.worths[play].text in row
            assert card.worths[play].text in its_card


def test_a_changed_figure_changes_the_page(draft):
    play = next(iter(PLAYS))
    old = draft.figures.of(BY_PLAY, "Bremen", players=4, play=play)
    rows = [replace(row, value=7.25, low=7.0, high=7.5) if row.id == old.id else row for row in draft.figures.values()]
    changed = replace(draft, figures=Figures("draft", rows))
    before, after = ({card.name: card for card in county_cards(each)}["Bremen"] for each in (draft, changed))
    assert after.worths[play].text == "+7.25 ± 0.25"
    assert before.worths[play].text != after.worths[play].text
    assert {name: each for name, each in before.worths.items() if name != play} == {
        name: each for name, each in after.worths.items() if name != play
    }


def test_line_ups_of_every_cell_share_all_wins(report):
    sizes = lineups(as_published(load_study("lineups")))
    assert [size.players for size in sizes] == [3, 4, 5]
    for size in sizes:
        assert len(size.tables) == 3
        assert len(size.rows) == len(size.plays) * len(size.towers) == 15
        assert (size.plays[0], size.towers[0]) == (CASUAL_TABLE.play, CASUAL_TABLE.tower)
        for row in size.rows:
            assert sum(share.value for share in row.shares) == pytest.approx(100, abs=1e-6)
            assert all(share.text in text_of(report, pages.INDEX) for share in row.shares)


def test_what_makes_a_table_fairest_is_what_the_study_finds_there(report):
    result = as_published(load_study("lineups"))
    for size in lineups(result):
        for row in size.rows:
            fairest = {NAMES[kind] for kind in nearest(result.figures, [row.cell], size.players)}
            assert {change.name for change in row.changes if change.fairest} == fairest
            assert row.changes[-1].name == NAMES[PRINTED]
            assert ("No change that was tried" in row.advice) == (NAMES[PRINTED] in fairest)
            for change in row.changes:
                assert str(escape(change.change)) in text_of(report, pages.INDEX)
                if NAMES[PRINTED] not in fairest:
                    assert (change.name in row.advice) == change.fairest


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


def test_codes_are_short_and_tell_all_counties_apart():
    board = load_board()
    short = codes(board.counties)
    assert len(set(short.values())) == 45
    assert all(3 <= len(code) <= 4 for code in short.values())
    assert short["Bm. Lüttich"] == "Lüt"
    assert [short[f"Hessen-{end}"] for end in ("Kassel", "Darmstadt")] == ["HKas", "HDar"]
    assert (short["Oberpfalz"], short["Oberösterreich"]) == ("OPfa", "OÖst")


def test_shades_are_symmetric_and_strongest_at_the_ends():
    assert [shade(value, 2.0) for value in (-2, -1, -0.1, 0, 0.1, 1, 2)] == [
        "below-4", "below-2", "level", "level", "level", "above-2", "above-4",
    ]  # fmt: skip
    assert shade(0.0, 0.0) == "level"


def test_the_map_has_a_link_and_a_code_in_every_county():
    board = load_map()
    short = codes(tuple(board.counties))
    text = map_of_counties(
        board, short, dict.fromkeys(short, "level"), {name: f"#{short[name]}" for name in short}, "m"
    )
    assert len(text.encode()) < 70_000
    for name, code in short.items():
        assert f'href="#{code}" data-county="{name}"' in text
        assert f">{code}</text>" in text


def test_dots_lie_in_the_order_of_their_values():
    text = dots({"A": Dot(30, 28, 32, "30 ± 2"), "B": Dot(20, 19, 21, "20 ± 1")}, 25, "wins", "%")
    first, second = map(float, re.findall(r'cx="([\d.]+)"', text))
    fair = float(re.search(r'class="fair" d="M([\d.]+)', text)[1])
    assert second < fair < first
    assert text.count("± ") == 2


def test_links_of_studies_lead_to_chapters_or_nowhere():
    text = as_html("See [the draft](draft-tables.md#x) and [others](../trust.md), `a<b`.", frozenset({"draft"}))
    assert text.strip() == '<p>See <a href="#draft">the draft</a> and others, <code>a&lt;b</code>.</p>'


@pytest.mark.slow
def test_the_command_writes_the_same_bytes_again(tmp_path, report, monkeypatch):
    monkeypatch.setattr(files, "report_files", lambda *_, **__: report)
    assert "index.html" in command("report", "--out", str(tmp_path / "out")).output
    assert {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*")} == set(report)
    found = chapters.results()
    index = pages.index(found, county_cards(found["draft"]), lineups(found["lineups"]))
    assert index.encode() == report["index.html"]


def test_what_cannot_be_written_is_refused(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    assert "is a file" in refusal("report", "--out", str(tmp_path / "file"))
    monkeypatch.setattr(chapters, "published_studies", lambda: ("draft",))
    with pytest.raises(InputError, match="lacks play, lineups"):
        files.write_report(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run in which one policy sits with the printed line-ups."""
    return play_run(Experiment(games=1_200, seed=4), tmp_path_factory.mktemp("run") / "mine")


def test_the_page_on_a_run_has_its_wins_points_and_assumptions(played, tmp_path):
    file = tmp_path / "new" / "mine.html"
    assert "name a file that ends with .html" in refusal("report", str(played.folder), "--out", str(file.parent))
    assert "contains no run" in refusal("report", str(tmp_path), "--out", str(file))
    assert not file.parent.exists()
    assert str(file) in command("report", str(played.folder), "--out", str(file)).output
    text = file.read_text("utf-8")
    assert Reader(text).open == []
    summary = summarise(played)
    for seat in summary.seats:
        assert f"Line-up {seat.lineup} in seat {seat.seat} (balanced)" in text
        assert f"{100 * seat.share:.1f} ± " in text
        assert f"{seat.vp:.2f} ± " in text
    assert all(str(escape(line)) in text for line in summary.assumptions)
    assert "1,200 games" in text
    known = [seat for seat in summary.seats if seat.against(summary.fair)]
    assert known
    assert text.count("than its share") == len(known)
    assert "The spread of wins between line-ups" in text


@pytest.mark.parametrize("expansions", [(), "all"])
def test_points_by_source_add_up(expansions, tmp_path):
    run = play_run(Experiment(games=60, expansions=expansions), tmp_path / "run")
    summary = summarise(run)
    sources = run_page.sources_of(run)
    for seat in summary.seats:
        each = [float(points[seat.seat].partition(" ")[0].replace("−", "-")) for points in sources.values()]
        assert sum(each) == pytest.approx(seat.vp, abs=0.05 * len(each))  # each is rounded
    assert all(name in run_page.run_page(run) for name in sources)


def test_a_run_of_few_games_makes_no_claim(tmp_path):
    few = play_run(Experiment(games=8, seed=4), tmp_path / "few")
    [line] = run_page.takeaways(summarise(few))
    assert line.startswith("No seat is known to win more or less")
    assert "needed for intervals" in line
    assert run_page.chart(summarise(few)) == ""
    assert "±" not in run_page.run_page(few).split("<main>")[1].split("</main>")[0]
