"""The first page of the report: a headline and six questions that players ask, each with a number and a chart.

People write the words, in `docs/report/front.md`. What they say beyond its figures and claims is bound to a condition
of `NEEDS`: where it holds no longer, no report is written until somebody has written the sentence anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from wallsim.analysis.claims.cells import CALIBRATIONS
from wallsim.report.html.charts import (
    WIDTH,
    Point,
    Scale,
    axis,
    bar,
    chart,
    line,
    lines,
    mark,
    marked,
    number_at,
    rows,
    words,
)
from wallsim.rules.board import load_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies import finding
from wallsim.studies.figure import Figure, figure_id, slug
from wallsim.studies.grids import sure_of
from wallsim.studies.scope import THREE_TABLES

from ..lineups.games import EXCHANGE, KINDS, VERSIONS
from ..lineups.study import is_fixed
from ..play.changes import HABITS, TIPS

Read = Callable[[str], Figure]  # the figure of an id; KeyError without one
BOTS = {slug(play): bots for play, bots in finding.BOTS.items()}  # the words of ids, and of pages
_TABLES = {slug(table.play): figure_id("", "", cell=table).removeprefix("/") for table in THREE_TABLES}  # as ids end
_LETTERS = LETTERS[:4]
_WHEN = ("start", *map(slug, ROUND_NAMES))
_FAIR = "fair: 25 %"
_BETTER = "expansions.better-player.4p.none/casual/spielbyweb"


def _wins(letter: str, play: str = "casual", fix: str = "") -> str:
    return f"lineups.wins.4p.{letter}{fix}/{play}/spielbyweb"


def _towers(read: Read, version: str) -> list[Figure]:
    return [read(f"lineups.imbalance.4p.{slug(version)}/casual/{tower}") for tower in CALIBRATIONS]


def _fix(read: Read) -> str:
    # The simplest version of the line-ups that is fair for four casual bots; empty without one.
    return next((version for version in VERSIONS if is_fixed(_towers(read, version))), "")


def _nearest(read: Read) -> str:
    # The same; without one the version with the least imbalance under the worst tower.
    return _fix(read) or min(KINDS, key=lambda version: max(each.value for each in _towers(read, version)))


def _habit(name: str, play: str) -> str:
    return f"play.habit.4p.{slug(name)}-VP/{_TABLES[play]}"


def _offers() -> dict[tuple[str, int, str], str]:
    return {(tile, place, when): f"tiles.offer-thalers.4p.{tile}-place-{place}/{_TABLES['casual']}@{slug(when)}"
            for tile, place, when in product(TILES, range(1, 5), ROUND_NAMES)}  # fmt: skip


def _best(read: Read, play: str) -> list[str]:
    # The county with the highest value, and those whose intervals meet its own.
    known = {county: read(f"draft.worth-by-play.4p.{slug(county)}/{play}/all") for county in load_board().counties}
    return finding.best_first(known, sure_of([*known.values()]), largest=True)


def _thaler(play: str, when: str) -> str:
    return f"price.thaler.4p/{_TABLES[play]}@{when}"


def _above_one(read: Read) -> set[tuple[str, str]]:
    return {(tile, when) for (tile, _, when), key in _offers().items() if read(key).low > 1}


# Conditions of sentences by name; `{need:NAME|words}` gives the words where it holds.
NEEDS: Mapping[str, Callable[[Read], bool]] = {
    "A wins more, D less": lambda read: all(
        read(_wins("A", play)).low > 25 > read(_wins("D", play)).high for play in BOTS),
    "no tip gains points for all": lambda read: not any(
        all(read(_habit(name, play)).low > 0 for play in BOTS) for name in HABITS),
    "acting first loses points for all": lambda read: all(read(_habit("Act first", play)).high < 0 for play in BOTS),
    "no offer is worth more than a Thaler": lambda read: not _above_one(read),
    "a Thaler brings a casual bot less in year two than at the start": lambda read: all(
        read(_thaler("casual", when)).value < read(_thaler("casual", "start")).value for when in _WHEN[4:]),
    "a Thaler brings a master bot less": lambda read: all(
        read(_thaler("strong", when)).value < read(_thaler("casual", when)).value for when in _WHEN),
    "one of four counties is worth most to master bots, perhaps Bremen": lambda read: (
        _best(read, "strong")[0] == "Bremen" and len(_best(read, "strong")) == 4),
    "one of seven others is worth most to casual bots": lambda read: (
        len(_best(read, "casual")) == 7 and "Bremen" not in _best(read, "casual")),
    "an exchange makes line-ups nearly fair for four casual bots": lambda read: (
        not _fix(read) and _nearest(read) == EXCHANGE),
    "a master bot wins more than its share among casual bots": lambda read: read(_BETTER).low > 25,
    "near equals: chance decides most, cards little": lambda read: (
        read("skill.share-of-wins.4p.zoo-chance").value > 80
        and max(read(f"skill.share-of-wins.4p.{field}-cards").value for field in ("zoo", "ladder")) < 5),
}  # fmt: skip


def point(read: Read, key: str, bots: str, what: str, unit: str = " %", digits: int = 1) -> Point:
    """The figure of an id as a point of a chart; its note has what it is of, value, interval and id."""
    figure = read(key)
    low, high = figure.ends or (figure.value, figure.value)
    low, high = float(low), float(high)
    ends = f" ({low:.{digits}f} to {high:.{digits}f})" if figure.ends else ""
    note = f"{what}: {float(figure.value):.{digits}f}{unit}{ends} · {key}".replace(" -", " −").replace("(-", "(−")
    return Point(bots, figure.value, low, high, note)


def wins_by_lineup(read: Read, play: str) -> str:
    """Wins of the printed line-ups of four players among bots of one kind."""
    bots = BOTS[play]
    shown = {f"Line-up {letter}": [point(read, _wins(letter, play), bots, f"line-up {letter}")] for letter in _LETTERS}
    said = ", ".join(f"{name} {row[0].value:.0f} %" for name, row in shown.items())
    return rows(shown, Scale(0, 56, 76, WIDTH), (10, 20, 30, 40), f"Wins among four {bots} bots: {said}", fair=25,
                fair_words=_FAIR, unit=" %")  # fmt: skip


def tips(read: Read) -> str:
    """What each tip changes in the points of a seat that follows it, for all kinds of bots."""
    shown = {
        TIPS[name].replace("in the first spring", "in spring 1").replace("in the last fall", "at the end")
        .replace("Win without a battle against players", "No battle against players"):
            [point(read, _habit(name, play), bots, f"{TIPS[name]}, {bots} bots", " VP") for play, bots in BOTS.items()]
        for name in HABITS
    }  # fmt: skip
    shown = dict(sorted(shown.items(), key=lambda each: -max(found.value for found in each[1])))
    title = "Change of one seat's victory points by each tip, for casual, master and scholar bots"
    least = min(found.low for row in shown.values() for found in row) - 0.2
    ticks = [tick for tick in range(-20, 3, 2) if tick > least and tick != 0]
    return rows(shown, Scale(least, 2.9, 176, WIDTH - 4), ticks, title, fair=0, fair_words="no change", step=27)


def bids(read: Read) -> str:
    """What every offer of a tile with a place in the order is worth to casual bots, in Thalers."""
    at, step = Scale(-2, 4.4, 86, WIDTH), 46.0
    bottom = 22 + step * len(TILES)
    parts = [*axis(at, (-2, -1, 0, 1, 2, 3, 4), 20, bottom), line(at(1), 16, at(1), bottom, "fair"),
             words(at(1) + 5, 12, "worth over 1 Thaler", "tick")]  # fmt: skip
    for row, tile in enumerate(TILES):
        parts.append(words(0, 22 + step * (row + 0.5) + 4, tile.replace("_", " ").capitalize()))
    offers = _offers()
    for (tile, place, when), key in offers.items():
        found = point(read, key, "casual", f"{tile.replace('_', ' ')}, place {place}, {when}", " Thalers")
        y = 22 + step * TILES.index(tile) + 9.5 * place
        sure = found.low > 1
        parts.append(marked(found, at, y) if sure else mark(found._replace(pale=True), at(found.value), y))
    return chart(bottom + 22, parts, f"What {len(offers)} offers are worth to casual bots, in Thalers")


def thalers(read: Read) -> str:
    """What one of four more Thalers brings by round, to casual and to master bots."""
    series = {
        f"{BOTS[play]} bots": [point(read, _thaler(play, when), BOTS[play], when, " VP", 2) for when in _WHEN]
        for play in ("casual", "strong")
    }  # fmt: skip
    labels = [when.replace("-", " ") for when in _WHEN]
    return lines(
        series, labels, Scale(0, 0.7, 232, 20), (0, 0.2, 0.4, 0.6), "Victory points that a Thaler brings, by round"
    )


def fixes(read: Read) -> str:
    """Wins of the line-ups among casual bots, as printed and with the fix that makes them fair, or the nearest."""
    at, step, fix = Scale(10, 50, 96, WIDTH), 54.0, _nearest(read)
    bottom = 22 + step * len(_LETTERS)
    parts = [
        *axis(at, (20, 30, 40), 18, bottom, " %"),
        line(at(25), 16, at(25), bottom, "fair"),
        words(at(25), 12, _FAIR, "tick", "middle"),
    ]
    versions = [("", "before", -10.0), (f"-{slug(fix)}", "casual", 10.0)][: 2 if fix in KINDS else 1]
    for place, letter in enumerate(_LETTERS):
        y = 22 + step * (place + 0.5)
        parts.append(words(0, y + 4, f"Line-up {letter}"))
        for version, bots, shift in versions:
            found = point(read, _wins(letter, fix=version), bots, "changed" if version else "as printed")
            parts += [marked(found, at, y + shift), number_at(found, at, y + shift, " %", left=found.value < 25)]
    for x, bots, name in ((110.0, "before", "as printed"), (220.0, "casual", "changed")):
        parts += [mark(Point(bots, 0, 0, 0, name), x, bottom + 40), words(x + 10, bottom + 44.5, name)]
    return chart(bottom + 54, parts, "Wins of line-ups among four casual bots, as printed and changed")


def duels(read: Read) -> str:
    """Wins of one bot among three weaker or equal ones."""
    among = "ladder.wins-alone.4p.{}-4p-among-{}/all/spielbyweb"
    shown = {
        "master among casual": point(read, _BETTER, "master", "master"),
        "scholar among middling": point(read, among.format("scholar", "balanced"), "scholar", "scholar"),
        "master among middling": point(read, among.format("master", "balanced"), "master", "master"),
        "master among scholar": point(read, among.format("master", "scholar-4p"), "master", "master"),
    }  # fmt: skip
    return rows({name: [each] for name, each in shown.items()}, Scale(-20, 134, 148, WIDTH), (0, 50, 100),
                "Wins of one bot among three others", fair=25, fair_words=_FAIR, unit=" %")  # fmt: skip


def shares(read: Read) -> str:
    """What explains the differences in wins between the seats of a table, where bots differ much and where little."""
    parts, across = [], Scale(0, 100, 0, WIDTH)
    named = {"policy": "bot", "line-up": "line-up", "cards": "cards", "chance": "tower, chance"}
    for row, (field, head) in enumerate(
        (("ladder", "Weak bots meet strong ones"), ("zoo", "Near equals of different styles"))
    ):
        y, from_ = 34.0 + 84 * row, 0.0
        parts.append(words(0, y - 9, head))
        found = {
            part: point(read, f"skill.share-of-wins.4p.{field}-{part}", f"part {part}", name)
            for part, name in named.items()
        }
        for part, each in found.items():
            wide = across(each.value)
            parts.append(bar(each, from_, y, wide - 1.5, 26))
            if wide > 70:
                parts.append(words(from_ + 7, y + 18, f"{named[part]} {each.value:.0f} %", f"in-{part}"))
            from_ += wide
        small = ", ".join(
            f"{named[part]} {each.value:.1f} %" for part, each in found.items() if across(each.value) <= 70
        )
        parts.append(words(0, y + 42, small, "tick"))
    return chart(178, parts, "Shares of the differences in wins: bot, line-up, cards, and tower with all other chance")


def charts(read: Read) -> dict[str, list[str]]:
    """The charts of each question of `docs/report/front.md`, and under the empty name those of its headline."""
    return {
        "": [wins_by_lineup(read, play) for play in BOTS], "Which tips win points?": [tips(read)],
        "How much should I bid?": [bids(read)], "What is a Thaler worth?": [thalers(read)],
        "Can we make it fair?": [fixes(read)], "What decides who wins?": [duels(read), shares(read)],
    }  # fmt: skip
