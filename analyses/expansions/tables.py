"""The tables of the study `expansions`: subsets and effects, tournaments, cards, other favors, and groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from wallsim.analysis.claims.cells import named
from wallsim.experiment.file import load_experiment
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.rules.provenance import FAVOR, assumed_cards
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import BENEFITS, EXPANSIONS, ROUND_NAMES
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.grids import Grid, Line, estimate, lines, sure_of, towers_by_plays, value
from wallsim.studies.outcomes import LEADER as LEADER_CHANGE
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.scope import BASELINE, CASUAL_TABLE, EXPERIENCED_TABLE, PLAYERS, THREE_TABLES, Scope, sizes_of
from wallsim.studies.table_captions import LINE_NAMES, few, limits, scope_words

from ..editions.study import LIMITS, TAUGHT, in_cells, side
from ..robustness.answers import claims_table
from . import effects, skill
from .boards import variants
from .cards import CARDS, MOVED
from .effects import CLAIMS, LEADER, OUTCOMES, SEATS, name_of, name_of_effect

ASSUMED = "With the court, and in effects, this rests on the assumed figures of the favors."
NAMES = tuple(map(name_of, effects.SUBSETS))
SHORT = {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins",
         **{wins: f"line-up {letter}" for wins, letter in zip(SEATS, LETTERS, strict=False)}}  # fmt: skip
AMONG = {CASUAL_TABLE: "a master bot among casual bots, line-ups",
         EXPERIENCED_TABLE: "a master bot among middling bots, draft"}  # fmt: skip
SIGNED, PLAIN, TENTHS, SIGNED_TENTHS = estimate(2, "+"), estimate(2), estimate(1), estimate(1, "+")
IN_ALL = "In games with all three expansions"
AT: dict[str, Any] = {"players": PLAYERS}
HOME: dict[str, Any] = {**AT, "cell": BASELINE}


def below(text: str, blocks: int, after: str = "") -> Callable[[Sequence[Figure]], str]:
    """What stands under a table: what was played, the intervals, and on what they rest.

    {blocks} in the text are the blocks, {where} is the table of the baseline cell, {home} the same with its play.
    """
    where = f"tower {BASELINE.tower}, line-ups, seeds made of {load_experiment(effects.EXPERIMENT).seed}"
    home = f"`{TAUGHT}` where no other play is named, {where}"
    start = text.format(blocks=f"{blocks:,}", where=where, home=home)

    def written(used: Sequence[Figure]) -> str:
        sure = sure_of(used)
        held = f"the ± are half-widths of {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals"
        return f"{start}; {held}.{few(sure, blocks)} {ASSUMED}{after}"

    return written


def with_changes(
    names: Iterable[str], level: object, changed: Iterable[str], change: object, head: str = "effect of {}"
) -> tuple[Line, ...]:
    """A line for each level of a quantity, such as wins with a subset, and for each change of it, with its quantity."""
    return (*lines("item", names, quantity=level, show=TENTHS),
            *lines("item", changed, head.format, quantity=change))  # fmt: skip


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What was played and found in words, the factorial, its claims, the tournaments, the cards, and the groups."""
    yield _played_words(figures, scope)
    yield _summary_words(figures, scope)
    yield from _factorial(scope)
    yield claims_table(figures, CLAIMS, scope.plays, decimals=2)
    cells = len(scope.cells())
    judged = limits(Confidence(LEVEL, len(CLAIMS) * cells), scope.others, cells)
    yield f"There is one line of strong play with expansions, so no claim is judged against two. {judged} {ASSUMED}"
    yield from _tournaments(scope)
    yield from _cards(scope)
    yield _favors(figures, scope)
    yield from _groups(figures, scope)


def _factorial(scope: Scope) -> Iterator[Grid]:
    blocks, outcomes = "{home}; {blocks} blocks", lines("item", OUTCOMES)
    note = (
        " A main effect is the mean of the four subsets with an expansion less that of the four without; an "
        "interaction of two is half the difference of one's effect with and without the other."
    )
    yield Grid("expansions", lines("item", NAMES), outcomes, {**HOME, "quantity": "subset"}, PLAIN,
               below(blocks, scope.baseline))  # fmt: skip
    yield Grid("effect of", lines("item", map(name_of_effect, effects.EFFECTS)), outcomes,
               {**HOME, "quantity": "effect"}, SIGNED, below(blocks, scope.baseline, note))  # fmt: skip
    yield Grid("main effect of",
               [Line(f"{name}: {each}", {"item": f"{name} {each}"}) for name in EXPANSIONS for each in OUTCOMES],
               [Line(f"{play.name} ({named(play.policy)})", {"play": play.name}) for play in scope.plays],
               {**HOME, "quantity": "effect-by-play"}, SIGNED,
               below("{home}; at least {blocks} blocks", scope.others))  # fmt: skip
    seats = [Line(f"{'draft' if cell.setup == 'draft' else f'line-up {letter}'}, seat {seat}",
                  {"item": wins_of(seat), "cell": cell})
             for cell in effects.SEATED for seat, letter in enumerate("ABCD")]  # fmt: skip
    draft = scope.blocks(effects.SEATED[1])
    yield Grid("wins, %", with_changes(NAMES, "seat-wins", EXPANSIONS, "effect-on-seat-wins"), seats, AT,
               SIGNED_TENTHS, below(f"{blocks}; in the draft {draft:,}", scope.baseline))  # fmt: skip


def _tournaments(scope: Scope) -> Iterator[Grid]:
    at = {**HOME, "play": ""}
    under = {
        field: below(f"A tournament of the {field} in each subset: {', '.join(map(named, policies))}; {{blocks}} "
                     "blocks, {where}", min(effects.most_blocks(scope), skill.BLOCKS[field]))
        for field, policies in skill.FIELDS.items()
    }  # fmt: skip
    shares = [Line(f"{ladder}: {part}, of {'VP' if result == 'vp' else 'wins'}",
                   {"item": f"{ladder} {part}", "quantity": quantity}) for ladder, (result, quantity), part
              in product(skill.LADDERS, skill.SHARE.items(), skill.PARTS)]  # fmt: skip
    yield Grid("share of the variance, %",
               with_changes(NAMES, "{}".format, EXPANSIONS, "effect-on-{}".format), shares, at, SIGNED_TENTHS,
               under[skill.LADDER], turned=True)  # fmt: skip
    for field, policies in skill.FIELDS.items():
        yield Grid(f"wins on the {field}, %", lines("item", policies, named),
                   with_changes(map(name_of, skill.ENDS), "wins", EXPANSIONS, "effect-on-wins"),
                   {**at, "item": field}, SIGNED_TENTHS, under[field])  # fmt: skip


def _cards(scope: Scope) -> Iterator[Grid]:
    cells, board = effects.card_cells(scope), load_board()
    assumed = assumed_cards(board, effects.all_three(BASELINE).ruleset())[FAVOR]
    favors = {"any": "any"}
    for card, kind, amount in sorted((each["number"], each["kind"], each["value"] or "") for each in board.favors):
        favors[str(card)] = f"{card} {kind} {amount}".replace("_", " ").strip() + " *" * (card in assumed)
    games, rest = (effects.favor_blocks(scope, cell) * block_size(PLAYERS) for cell in cells[:2])
    yield Grid(
        "favor (* assumed)", lines("item", favors, favors.__getitem__),
        (*lines("cell", cells, lambda cell: f"{cell.play}, VP a favor", quantity="favor", show=SIGNED_TENTHS),
         Line("strong: chosen in % of games", {"quantity": "favor-chosen-games", "cell": BASELINE}, value(0)),
         Line("strong: given beyond choice, VP a favor", {"quantity": "favor-given", "cell": BASELINE}, SIGNED_TENTHS),
         Line("strong: taken where given, %", {"quantity": "favor-given-games", "cell": BASELINE}, value(0))),
        AT, under=below(
            f"{IN_ALL} one seat in turn never takes the favor in turn, takes it as its policy "
            f"chooses, or whenever it can: {games:,} games each of strong play and {rest:,} of the other plays, on "
            "each favor one of 21. A favor's worth is after its courtiers and against the seat's next choice. {home}; "
            "{blocks} blocks", games // 84,
        ),
    )  # fmt: skip
    yield Grid(
        "a statue, VP of its seat", lines("cell", cells, lambda cell: cell.play),
        (*lines("moment", ROUND_NAMES, quantity="statue"),
         Line("statues left a game", {"quantity": "statues-left", "moment": ROUND_NAMES[0]}, value(1))),
        AT, SIGNED, below(f"{IN_ALL} one seat in turn leaves no statue in the round in turn. {{home}}; at least "
                          "{blocks} blocks", scope.others),
    )  # fmt: skip
    brings = [", ".join(f"{kind} {card[kind]}" for kind in BENEFITS if card[kind]) for card in board.landsknechte]
    whose = {"card-own-seat": "its seat", "card-mean-of-table": "mean of the table"}
    yield Grid(
        "card turned, VP", lines("item", CARDS, lambda card: f"{card}: one of {brings[card - 1].replace('_', ' ')}"),
        (*(Line(f"{cell.play}: {words}", {"cell": cell, "quantity": quantity}) for cell in cells
           for quantity, words in whose.items()),
         Line("strong: turned a seat and game", {"cell": BASELINE, "quantity": "cards-turned"}, value(2))),
        AT, SIGNED, below(f"{IN_ALL}. Its seat: the card brings nothing to one seat in turn. Mean of the table: "
                          "the card is blank for all, divided by the cards turned. {home}; at least {blocks} blocks",
                          scope.others),
    )  # fmt: skip


def _favors(figures: Figures, scope: Scope) -> Grid:
    cells, verdicts = effects.card_cells(scope), []
    used: list[Figure] = []
    for name in variants():
        sides = {}
        for outcome in MOVED:
            found = figures.cells("favors-varied-by-play", f"{name} {outcome}", **AT)
            used += found.values()
            sides[SHORT[outcome]] = [side(found[cell], LIMITS.get(outcome, LIMITS[LEADER_CHANGE])) for cell in cells]
        parts = zip(("moves", "not known"), in_cells(sides), strict=True)
        verdicts.append("; ".join(f"{word}: {named}" for word, named in parts if named))
    varied = [figures.of("court-worth-varied", name, **HOME).value for name in variants()]
    text = (
        f"{IN_ALL}, the same on every board. Beside the other two expansions the court brings "
        f"{SIGNED(figures.of('court-worth', **HOME))} VP a seat as assumed, and between "
        f"{number(min(varied), 2, '+')} and {number(max(varied), 2, '+')} under these variants. An outcome moves where "
        f"the interval of its change excludes 0 and reaches beyond {LIMITS[POINTS]:g} in VP and in spread, "
        f"{LIMITS[LEADER_CHANGE]:g} percentage points in wins; in all plays {used[0].family:,} simultaneous intervals. "
        "{home}; at least {blocks} blocks"
    )
    return Grid(
        "favors changed", lines("item", variants()),
        (*(Line(f"wins of {SHORT[each]}, %" if each in SEATS else each, {"item": each},
                SIGNED if each in LIMITS else SIGNED_TENTHS) for each in MOVED),
         Line(f"in {len(cells)} plays", texts=[each or f"nothing matters in {len(cells)}" for each in verdicts])),
        {**HOME, "quantity": "favors-varied"},
        under=below(text, min(effects.board_blocks(scope, cell) for cell in cells))(used),
    )  # fmt: skip


def _groups(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    wins = [f"{TENTHS(figures.of('line-with-expansions', cell=table, **AT))} % ({LINE_NAMES[table]})"
            for table in THREE_TABLES[1:]]  # fmt: skip
    yield (
        "Groups. Masters are taught with expansions here; scholars have the weights that only expansions ask for of a "
        "policy that was tuned with all three. With all three, one seat of these among seats of its line that know "
        f"no expansion wins {', '.join(wins)}."
    )
    played, sizes = tuple(map(name_of, effects.IN_GROUPS)), sizes_of(scope)
    blocks, better = (effects.group_blocks(scope, most) for most in (effects.GROUP_BLOCKS, effects.BETTER_BLOCKS))
    under = {players: below(f"{{blocks}} blocks of {block_size(players)} games", blocks) for players in sizes}
    rows = [Line(f"{name}: {each}", {"item": f"{name} {each}"}, SIGNED_TENTHS if each == LEADER else SIGNED)
            for name in played[1:] for each in effects.OF_GROUPS]  # fmt: skip
    for players in sizes:
        yield Grid(f"against no expansions, {players} players", rows,
                   lines("cell", THREE_TABLES, LINE_NAMES.__getitem__),
                   {"quantity": "group-change", "players": players}, under=under[players])  # fmt: skip
    for players in sizes:
        yield Grid(f"wins, %, {players} casual bots",
                   with_changes(played, "group-lineup", played[1:], "group-change-of-lineup", "change by {}"),
                   lines("item", LETTERS[:players], lambda letter: f"line-up {letter}"),
                   {"players": players, "cell": CASUAL_TABLE}, SIGNED_TENTHS, under[players])  # fmt: skip
    for players in sizes:
        yield Grid(f"wins of the better player of {players}, %",
                   with_changes(played, "better-player", played[1:], "change-of-better-player", "change by {}"),
                   lines("cell", AMONG, AMONG.__getitem__), {"players": players}, SIGNED_TENTHS,
                   below("The better player, a master bot, sits in every seat in turn. {blocks} blocks of "
                         "games for each seat", better))  # fmt: skip
    for setup in scope.setups:
        plays = dict.fromkeys(cell.play for cell in scope.cells() if cell.setup == setup)
        yield towers_by_plays(
            f"effect of the Landsknechte on a seat's VP, {SETUP_WORDS[setup]}", scope.towers, plays, PLAIN,
            quantity="effect-by-cell", item=f"{effects.LANDSKNECHTE} {POINTS}", players=PLAYERS, setup=setup,
        )  # fmt: skip


def _played_words(figures: Figures, scope: Scope) -> str:
    experiment = effects.all_three(BASELINE)
    assumed = ", ".join(map(str, assumed_cards(load_board(), experiment.ruleset())[FAVOR]))
    without = " and ".join(named(play.policy) for play in scope.plays if play.name in effects.WITHOUT)
    if without:
        without += " were taught without any expansion, and are strong play in the subset `none` alone. "
    return (
        f"{scope_words(figures, scope, load_experiment(effects.EXPERIMENT), len(NAMES))} The scenarios are the "
        f"subsets of {', '.join(EXPANSIONS)}, each on games of its own, whose seed is made of this one and the names. "
        f"Strong play is `{TAUGHT}`, which was taught with all three expansions. {without}"
        f"Assumed in the board's data, and used where the court is: the figures of favors {assumed}. Not stated by the "
        f"rulebook: {'; '.join(experiment.components().sources())}. No figure of the line-ups of four is assumed."
    )


def _summary_words(figures: Figures, scope: Scope) -> str:
    at = {**AT, "cell": BASELINE._replace(play="")}  # of tournaments
    parts = []
    for name in EXPANSIONS:
        each = []
        for outcome, decimals, unit in ((POINTS, 2, "VP a seat"), (SPREAD, 2, "in spread"),
                                        (LEADER, 1, "% points in the wins of year one's leader")):  # fmt: skip
            found = [figure.value for figure in figures.cells("effect-by-cell", f"{name} {outcome}", **AT).values()]
            effect = estimate(decimals, "+")(figures.of("effect", f"{name} {outcome}", **HOME))
            each.append(f"{effect} ({' to '.join(number(end(found), decimals, '+') for end in (min, max))}) {unit}")
        parts.append(f"{name} {', '.join(each)}")
    (none, every), (none_without, every_without) = (
        [value(0)(figures.of("share-of-points", f"{ladder} policy {name_of(subset)}", **at)) for subset in skill.ENDS]
        for ladder in skill.LADDERS
    )
    gains = [(figures.of("wins-gained", f"{skill.ZOO} {style}", **at).value, style)
             for style in skill.FIELDS[skill.ZOO]]  # fmt: skip
    (least, worst), *_, (most, best) = sorted(gains)
    return (
        "By strong play, in the mean over the other expansions, and in brackets from least to most over all "
        f"{len(scope.cells())} cells: {'; '.join(parts)}. On a ladder from weak to strong the policy brings {none} % "
        f"of the variance of points without expansions and {every} % with all three; without the policy that "
        f"knows no expansion {none_without} and {every_without} %. Of the zoo `{best}` gains most in wins with "
        f"all three, {number(most, 1, '+')} percentage points, and `{worst}` loses most, {number(least, 1)}."
    )
