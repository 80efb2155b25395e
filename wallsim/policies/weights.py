"""The weights of the heuristic policies: each is declared once, with its unit, bounds, default and meaning.

A declaration returns the weight's place in `mind.weight`, where kernels read it. A file in `data/policies` gives other
values; a weight that it leaves out has its default. The defaults are the weights of the policy `balanced`.
"""

from collections.abc import Callable
from typing import NamedTuple

from wallsim.errors import refuse_twice
from wallsim.rules.ruleset import Ruleset


class Need(NamedTuple):
    """What a game must have for a weight to matter: in words, and as a test of the ruleset."""

    words: str
    is_met: Callable[[Ruleset], bool]


class Weight(NamedTuple):
    """One weight: its name, unit, bounds, default and meaning, and what games must have for it to matter."""

    name: str
    unit: str
    low: float
    high: float
    default: float
    meaning: str
    needs: Need


_ANY_GAME = Need("any game", lambda rules: True)
FIRST_EDITION = Need("the first edition", lambda rules: rules.edition == "1e")
SECOND_EDITION = Need("the second edition", lambda rules: rules.edition != "1e")
DRAFT = Need("a draft", lambda rules: rules.setup == "draft")
COURT = Need("the expansion court", lambda rules: "court" in rules.expansions)
LANDSKNECHTE = Need("the expansion landsknechte", lambda rules: "landsknechte" in rules.expansions)
LEADERS = Need("the expansion leaders", lambda rules: "leaders" in rules.expansions)
TRAY_USED = Need("the expansion court or landsknechte", lambda rules: COURT.is_met(rules) or LANDSKNECHTE.is_met(rules))

_declared: list[Weight] = []


def _weight(
    name: str, unit: str, low: float, high: float, default: float, meaning: str, needs: Need = _ANY_GAME
) -> int:
    _declared.append(Weight(name, unit, low, high, default, meaning, needs))
    return len(_declared) - 1


# The base game. The defaults come from a search in self-play; `data/policies/balanced.toml` says how it was made.
HOLD = _weight("hold", "share", 0.0, 1.5, 0.718, "share of what is owned now that is counted on at the next winter")
MAJORITY = _weight("majority", "VP per VP", -1.0, 5.0, 0.596, "worth of a majority point against a sure point")
DENY = _weight("deny", "VP per VP", -1.0, 5.0, 0.495, "worth of a point that the strongest rival does not get")
INCOME = _weight(
    "income", "VP per unit", -0.5, 1.0, 0.034, "worth of a county's printed tax and grain for each round to come"
)
SITE = _weight("site", "VP per site", -1.0, 3.0, 0.168, "worth of a free building site")
THALER = _weight(
    "thaler", "VP per Thaler", -0.5, 4.0, 0.52, "worth of a Thaler when none is held and much can be bought"
)
SPENDING = _weight("spending", "Thalers", 0.2, 60.0, 8.0, "Thalers that can be spent well in a round")
LAST_TAXES = _weight(
    "last_taxes", "share", -1.0, 3.0, 0.6, "share of their worth that taxes keep in the last round of the game"
)
GRAIN_NEED = _weight("grain", "VP per grain", -0.5, 4.0, 0.649, "worth of grain that winter will ask for")
HARVEST = _weight("harvest", "grain", -6.0, 12.0, 3.104, "grain counted on from each later round of the year")
MARKER = _weight("marker", "VP per round", -1.0, 3.0, 0.196, "cost of a revolt marker for each round left in the year")
ARMY = _weight("army", "VP per army", -1.0, 3.0, 0.692, "worth of an army on the board as such")
THREAT = _weight(
    "threat",
    "share",
    -0.5,
    3.0,
    0.487,
    "how likely a neighbour who could attack does; above 1 dangers count more than their mean",
)
ATTACK = _weight("attack", "share", -0.5, 3.0, 0.88, "share of a good attack's worth that a plan counts on")
CAUTION = _weight("caution", "VP", -5.0, 5.0, 0.3, "what an attack must promise to be made")
HOME = _weight("home", "share", -1.0, 3.0, 0.7, "weight of the danger to the county that attackers leave")
PLACE = _weight("place", "VP per place", -3.0, 3.0, 0.035, "worth of acting one place earlier", SECOND_EDITION)
RIVALS_BID = _weight(
    "rivals_bid", "share", -0.5, 3.0, 0.7, "how eagerly the others are expected to bid", SECOND_EDITION
)
DRAFT_BORDER = _weight(
    "draft_border", "VP per border", -2.0, 3.0, 0.3, "worth of an own neighbour when drafting", DRAFT
)

# The expansions and the first edition, searched in the same way.
FAVOR = _weight("favor", "share", 0.0, 2.0, 1.4, "share of a favor's worth that planning counts on (E)", COURT)
COURTIER = _weight(
    "courtier", "VP per courtier", 0.0, 2.0, 1.05, "worth of a courtier kept for later rounds (E)", COURT
)
TRAY = _weight(
    "tray", "share", 0.0, 3.0, 1.25, "worth of an army in the tray against one on the board (E, L)", TRAY_USED
)
REGIONS_HELD = _weight(
    "regions",
    "share",
    0.0,
    2.0,
    0.25,
    "share of the Landsknechte cards to come that a fourth region counts on (L)",
    LANDSKNECHTE,
)
STATUE = _weight(
    "statue", "share", 0.0, 2.0, 0.8, "share of the winters left that a statue is counted on to stand (M)", LEADERS
)
LEADER = _weight(
    "leader",
    "VP per round",
    0.0,
    2.0,
    0.1,
    "worth of having the leader on the board for each round to come (M)",
    LEADERS,
)
ASIDE = _weight(
    "aside",
    "share",
    0.0,
    2.0,
    0.1,
    "share of its worth that an army saves by standing aside in a battle (V)",
    FIRST_EDITION,
)

# Rules of thumb, and preferences that `balanced` does without; set by hand.
NEUTRALS = _weight("neutral", "share", -0.5, 4.0, 1.0, "weight of what a neutral county is worth as a target")
RIVALS = _weight("rival", "share", -0.5, 12.0, 1.0, "weight of what a rival's county is worth as a target")
TILE = _weight("tile", "share", -1.0, 8.0, 1.0, "weight of what the bonus tile for defence brings", SECOND_EDITION)
PATIENCE = _weight("patience", "share", -1.5, 1.5, 0.0, "share of a building's worth that only the last round sees")
SPARE_GRAIN = _weight("spare_grain", "share", -1.0, 2.0, 0.1, "share of its worth that grain beyond the need keeps")
ONE_ARMY = _weight("one_army", "share", -1.0, 2.0, 0.4, "worth of deploying one army against deploying three")
FIVE_ARMIES = _weight("five_armies", "share", 0.0, 8.0, 1.4, "worth of deploying five armies against deploying three")
READY = _weight("ready", "share", -1.0, 3.0, 0.5, "share of a better attack's worth that armies deployed for it get")
MARCHING = _weight("march", "share", -1.0, 3.0, 0.7, "share of a march's worth that a plan counts on")
CREDIT = _weight("credit", "chance", -0.5, 1.5, 0.3, "chance that taxes not yet shown come before money is needed")

# What a policy knows only if its weight says so; the default leaves it out.
TOWER = _weight(
    "tower", "share", -2.0, 3.0, 0.0, "worth of an own cube in the tower against an army; else losses are guessed"
)
CROWD = _weight("crowd", "share", -1.0, 2.0, 0.0, "what each further neighbour who could attack adds to a danger")
STANDING = _weight(
    "standing",
    "VP per VP per VP",
    -0.5,
    0.5,
    0.0,
    "how much more a rival's point counts for each point by which it is ahead of the rivals' mean",
)
CONTEST = _weight(
    "contest", "VP per VP", -1.0, 3.0, 0.0, "worth of a building that comes close to a majority or secures one"
)
TARGET_OWN = _weight(
    "target_own", "VP per border", -2.0, 3.0, 0.0, "worth of each further own county beside the target of an attack"
)
TARGET_ARMIES = _weight(
    "target_armies", "VP per army", -1.0, 1.0, 0.0, "worth of a third seat's army that could take the target back"
)
EARLY_COMBAT = _weight(
    "early_combat",
    "share",
    -1.0,
    2.0,
    0.0,
    "how much more an attack counts on the first open card than on a hidden one",
)
LOST_EARLY = _weight(
    "lost_early",
    "share",
    -1.0,
    3.0,
    0.0,
    "share of a county's danger that counts as the chance to lose it before its taxes, grain or building, by the cards",
)
COUNTY_BID = _weight(
    "county_bid", "VP", -2.0, 3.0, 0.0, "worth of bidding a county card beyond the box it wins", SECOND_EDITION
)
SECOND_ATTACK = _weight(
    "second_attack", "share", 0.0, 1.0, 1.0, "share of its worth that a second attack on the same county keeps"
)

# Not always the same: all are left out by 0.
TEMPERATURE = _weight(
    "temperature", "VP", 0.0, 20.0, 0.0, "how much worse a whole plan may be to be chosen e times less often"
)
NOISE = _weight("noise", "VP", 0.0, 20.0, 0.0, "standard deviation of the error with which every option is judged")
BID_NOISE = _weight(
    "bid_noise",
    "VP",
    0.0,
    20.0,
    0.0,
    "standard deviation of the error with which every bid is judged, a county card's included",
    SECOND_EDITION,
)

# The draft in detail. The defaults leave out the new terms of a claim, and garrison as `balanced` always did. Here
# rivals are all other seats.
DRAFT_COUNTIES = _weight(
    "draft_counties", "share", -1.0, 3.0, 1.0, "share of the policy's table of counties that a claim counts on", DRAFT
)
DRAFT_TAX = _weight("draft_tax", "VP per Thaler", -1.0, 1.0, 0.0, "worth of a Thaler printed on a claim", DRAFT)
DRAFT_GRAIN = _weight("draft_grain", "VP per grain", -1.0, 1.0, 0.0, "worth of a grain printed on a claim", DRAFT)
DRAFT_SITES = _weight("draft_sites", "VP per site", -2.0, 2.0, 0.0, "worth of a building site of a claim", DRAFT)
DRAFT_RIVALS = _weight(
    "draft_rivals", "VP per border", -3.0, 3.0, 0.0, "worth of a rival's county beside a claim", DRAFT
)
DRAFT_NEUTRAL = _weight(
    "draft_neutral", "VP per border", -3.0, 3.0, 0.0, "worth of a neutral county beside a claim", DRAFT
)
DRAFT_ARMIES = _weight("draft_armies", "VP per army", -1.0, 1.0, -0.05, "worth of a rival's army beside a claim", DRAFT)
DRAFT_OWN_ARMIES = _weight(
    "draft_own_armies", "VP per army", -1.0, 1.0, 0.0, "worth of an own army beside a claim", DRAFT
)
DRAFT_REGION = _weight(
    "draft_region", "VP per county", -2.0, 2.0, 0.0, "worth of an own county in the region of a claim", DRAFT
)
DRAFT_RIVALS_REGION = _weight(
    "draft_rivals_region", "VP per county", -2.0, 2.0, 0.0, "worth of a rival's county in the region of a claim", DRAFT
)
DRAFT_LATER = _weight(
    "draft_later",
    "share",
    -1.0,
    3.0,
    0.0,
    "share of the neutral counties beside a claim and in its region that counts as drafted later, by seat or rivals",
    DRAFT,
)
DRAFT_DECK = _weight(
    "draft_deck", "VP", -3.0, 3.0, 0.0, "worth of the deck's top card beyond the mean of the hidden counties", DRAFT
)
GARRISON = _weight("garrison", "armies", -10.0, 12.0, 2.0, "armies wanted in any drafted county", DRAFT)
GARRISON_BORDERS = _weight(
    "garrison_borders", "armies per border", -2.0, 2.0, 0.25, "armies wanted for a border with no own county", DRAFT
)
GARRISON_RIVALS = _weight(
    "garrison_rivals", "armies per border", -2.0, 2.0, 0.0, "armies wanted for a border with a rival's county", DRAFT
)
GARRISON_ARMIES = _weight(
    "garrison_armies", "armies per army", -2.0, 2.0, 0.25, "armies wanted for a rival's army beside the county", DRAFT
)
GARRISON_OWN_ARMIES = _weight(
    "garrison_own_armies", "armies per army", -2.0, 2.0, 0.0, "armies wanted for an own army beside the county", DRAFT
)
GARRISON_WORTH = _weight(
    "garrison_worth", "armies per VP", -3.0, 3.0, 0.0, "armies wanted for a point that the claim is worth", DRAFT
)
GARRISON_TURN = _weight(
    "garrison_turn",
    "armies per turn",
    -3.0,
    3.0,
    0.0,
    "armies wanted for an own turn of the draft that is done; below 0 the big groups come first",
    DRAFT,
)

WEIGHTS = tuple(_declared)
refuse_twice("weights", (weight.name for weight in WEIGHTS))
DEFAULTS = {weight.name: weight.default for weight in WEIGHTS}
