"""The named weights of the heuristic policies: unit, bounds and meaning. Values live in `data/policies`."""

from typing import NamedTuple


class Weight(NamedTuple):
    """One weight: its name, its unit, its bounds and what it is for."""

    name: str
    unit: str
    low: float
    high: float
    meaning: str


WEIGHTS = (
    Weight("hold", "chance", 0.0, 1.0, "chance that what is owned now still stands at the next winter"),
    Weight("majority", "VP per VP", 0.0, 3.0, "worth of a majority point against a sure point"),
    Weight("deny", "VP per VP", 0.0, 3.0, "worth of a point that the strongest rival does not get"),
    Weight("income", "VP per unit", 0.0, 1.0, "worth of a county's printed tax and grain for each round to come"),
    Weight("site", "VP per site", 0.0, 3.0, "worth of a free building site"),
    Weight("thaler", "VP per Thaler", 0.0, 2.0, "worth of a Thaler when none is held and much can be bought"),
    Weight("spending", "Thalers", 1.0, 20.0, "Thalers that can be spent well in a round"),
    Weight("last_taxes", "share", 0.0, 1.0, "share of their worth that taxes keep in the last round of the game"),
    Weight("grain", "VP per grain", 0.0, 3.0, "worth of grain that winter will ask for"),
    Weight("harvest", "grain", 0.0, 8.0, "grain counted on from each later round of the year"),
    Weight("marker", "VP per round", 0.0, 3.0, "cost of a revolt marker for each round left in the year"),
    Weight("army", "VP per army", 0.0, 1.0, "worth of an army on the board as such"),
    Weight("threat", "chance", 0.0, 1.0, "chance that a neighbour who could attack does"),
    Weight("attack", "share", 0.0, 2.0, "share of a good attack's worth that a plan counts on"),
    Weight("caution", "VP", -2.0, 3.0, "what an attack must promise to be made"),
    Weight("home", "share", 0.0, 2.0, "weight of the danger to the county that attackers leave"),
    Weight("place", "VP per place", -1.0, 2.0, "worth of acting one place earlier"),
    Weight("rivals_bid", "share", 0.0, 1.0, "how eagerly the others are expected to bid"),
    Weight("draft_border", "VP per border", -1.0, 2.0, "worth of an own neighbour when drafting"),
    Weight("favor", "share", 0.0, 2.0, "share of a favor's worth that planning counts on (E)"),
    Weight("courtier", "VP per courtier", 0.0, 2.0, "worth of a courtier kept for later rounds (E)"),
    Weight("tray", "share", 0.0, 3.0, "worth of an army in the tray against one on the board (E, L)"),
    Weight("regions", "share", 0.0, 2.0, "share of the Landsknechte cards to come that a fourth region counts on (L)"),
    Weight("statue", "share", 0.0, 2.0, "share of the winters left that a statue is counted on to stand (M)"),
    Weight("leader", "VP per round", 0.0, 2.0, "worth of having the leader on the board for each round to come (M)"),
    Weight("aside", "share", 0.0, 2.0, "share of its worth that an army saves by standing aside in a battle (V)"),
    Weight("neutral", "share", 0.0, 3.0, "weight of what a neutral county is worth as a target"),
    Weight("rival", "share", 0.0, 3.0, "weight of what a rival's county is worth as a target"),
    Weight("tile", "share", 0.0, 5.0, "weight of what bonus tiles bring"),
    Weight("patience", "share", 0.0, 1.0, "share of a building's worth that only the last round sees"),
    Weight("spare_grain", "share", 0.0, 1.0, "share of its worth that grain beyond the need keeps"),
    Weight("one_army", "share", 0.0, 1.0, "worth of deploying one army against deploying three"),
    Weight("five_armies", "share", 1.0, 3.0, "worth of deploying five armies against deploying three"),
    Weight("ready", "share", 0.0, 2.0, "share of a better attack's worth that armies deployed for it get"),
    Weight("march", "share", 0.0, 2.0, "share of a march's worth that a plan counts on"),
    Weight("credit", "chance", 0.0, 1.0, "chance that hidden taxes come before money is needed for a building"),
    Weight("noise", "VP", 0.0, 20.0, "standard deviation of the error with which every option is judged"),
)

(
    HOLD,
    MAJORITY,
    DENY,
    INCOME,
    SITE,
    THALER,
    SPENDING,
    LAST_TAXES,
    GRAIN_NEED,
    HARVEST,
    MARKER,
    ARMY,
    THREAT,
    ATTACK,
    CAUTION,
    HOME,
    PLACE,
    RIVALS_BID,
    DRAFT_BORDER,
    FAVOR,
    COURTIER,
    TRAY,
    REGIONS_HELD,
    STATUE,
    LEADER,
    ASIDE,
    NEUTRALS,
    RIVALS,
    TILE,
    PATIENCE,
    SPARE_GRAIN,
    ONE_ARMY,
    FIVE_ARMIES,
    READY,
    MARCHING,
    CREDIT,
    NOISE,
) = range(len(WEIGHTS))
