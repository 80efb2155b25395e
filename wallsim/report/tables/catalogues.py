"""The rules, policies and towers to choose from, as rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, get_args, get_type_hints

from wallsim.policies.catalogue import DEFAULT_POLICY, listed_names, load_policy
from wallsim.report.tables.columns import Column
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.tower import DEFAULT_TOWER, load_tower, tower_presets

if TYPE_CHECKING:
    from wallsim.rules.board import Board

FREE, OUT_OF_PLAY = "free", "out"  # in place of a line-up's letter

RULES = ("mark", "rules", "name", "default", "else", "meaning")
AMOUNTS_HEADS = ("rules", "name", "printed", "bounds", "meaning")
POLICIES = ("policy", "kind", "weights", "description")
TOWERS = ("tower", "model", "through", "loose", "source")
CODEBOOK = ("column", "type", "unit", "meaning")


class LineupRow(NamedTuple):
    """A county of a line-up, or one that is free or out of play, with its numbers."""

    lineup: str
    county: str
    armies: int | None
    region: str
    thalers: int
    grain: int
    sites: int
    source: str


LINEUPS = (
    Column("lineup", "line-up"), Column("county", "county"),
    Column("armies", "armies", text=lambda row: "" if row.armies is None else str(row.armies)),
    Column("region", "region"), Column("thalers", "Thalers"), Column("grain", "grain"), Column("sites", "sites"),
    Column("source", "source"),
)  # fmt: skip
LINEUP_FOOT = """
In an experiment file lineup.A.exchange = { COUNTY = "OTHER" } changes counties. Names with letters other than A to Z,
with blanks or dots need quotes: "Lüneburg", "Hm. Paderborn"."""
# The choices besides the switches: mark, rules, name, default, other allowed values, and meaning.
_CHOICES = (
    ("B", "B0.1", "players", "4", "3, 5", "how many play"),
    (
        "B",
        "B1.3, B1.4",
        "setup",
        "lineup",
        "draft, deal",
        "lineup: the rulebooks' line-ups for beginners; draft: their normal set-up, counties drafted one by one; deal: "
        "counties dealt at random, as no rulebook has it",
    ),
    (
        "V",
        "V1–V8",
        "edition",
        "2e",
        "1e",
        "the first edition: no auction and no tiles, blank cards, armies standing aside; its own events are not known",
    ),
    ("E", "E1–E6", "court", "out", "in", "expansion: the Emperor's Court, with courtiers and favors"),
    ("L", "L1–L2", "landsknechte", "out", "in", "expansion: the Landsknechte, for counties in four regions"),
    ("M", "M1–M5", "leaders", "out", "in", "expansion: the military leaders, with statues and trophies"),
)
_MARKS = f"{SWITCHES[0].mark} to {SWITCHES[-1].mark}"
RULES_FOOT = f"""
players, setup and edition are flags and keys of an experiment file; so are the expansions, by name:
  --edition 1e --expansions court,leaders        edition = "1e"   expansions = ["court", "leaders"]
all names the three. {_MARKS} are switches, --switch NAME=VALUE, or keys of the table [rules].

The numbers of the game, keys of the table [amounts] of an experiment file, with their bounds:"""


def rule_rows() -> list[tuple[str, ...]]:
    """Mark, rules, name, default, other allowed values, and meaning: the game's choices, then its switches."""
    hints, default = get_type_hints(Ruleset), Ruleset()
    rows: list[tuple[str, ...]] = list(_CHOICES)
    for switch in SWITCHES:
        value = getattr(default, switch.field)
        others = [str(choice) for choice in get_args(hints[switch.field]) if choice != value]
        if switch.field == "bank":
            others = ["100 or more"]
        meaning = switch.meaning.replace("`", "")
        rows.append((switch.mark, switch.rule, switch.field, str(value), ", ".join(others) or "–", meaning))
    return rows


def amount_rows() -> list[tuple[str, ...]]:
    """The numbers of the game in the same columns, the bounds in place of other allowed values (N)."""
    return [
        ("N", each.rule, each.name, str(each.printed), f"{each.low} to {each.high}", each.meaning.replace("`", ""))
        for each in AMOUNTS
    ]


def lineup_rows(board: Board, players: int) -> list[LineupRow]:
    """The counties of the line-ups, then free counties and those out of play."""

    def row(lineup: str, county: int, armies: int | None, source: str) -> LineupRow:
        tax, grain, sites = (int(each[county]) for each in (board.tax, board.grain, board.sites))
        name, region = board.counties[county], board.regions[board.region[county]]
        return LineupRow(lineup, name, armies, region, tax, grain, sites, source)

    rows: list[LineupRow] = []
    dealt: set[int] = set()
    for (number, letter), groups in sorted(board.lineups.items()):
        for county, armies, assumed in groups if number == players else ():
            dealt.add(county)
            rows.append(row(letter, county, int(armies), "assumed" if assumed else "printed"))
    for word, wanted in ((FREE, True), (OUT_OF_PLAY, False)):
        for county in range(len(board.counties)):
            if county not in dealt and (board.min_players[county] <= players) == wanted:
                rows.append(row(word, county, None, ""))
    return rows


def policy_rows() -> list[tuple[str, ...]]:
    """Name, kind, number of weights and description of each policy; the default is marked."""
    rows: list[tuple[str, ...]] = []
    for name in listed_names():
        policy = load_policy(name)
        marked = f"{name} (default)" if name == DEFAULT_POLICY else name
        rows.append((marked, policy.kind, str(len(policy.weights)), policy.description))
    return rows


def tower_rows() -> list[tuple[str, ...]]:
    """Name, model, both mean probabilities in casts of eight cubes, source of each preset; the default is marked."""
    from wallsim.rules.mean_rates import mean_rates

    rows: list[tuple[str, ...]] = []
    for name in tower_presets():
        tower = load_tower(name)
        marked = f"{name} (default)" if name == DEFAULT_TOWER else name
        passing, loose = mean_rates(tower.parameters)
        rows.append((marked, tower.model, f"{passing:.3f}", f"{loose:.3f}", tower.source))
    return rows
