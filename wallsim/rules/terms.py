"""The game's words as numbers: actions, cards, tiles, events, colours and the limits of the components.

Kernels read these as compile-time constants. The order of each tuple is its numbering everywhere: in the
records, in the result tables and in traces.
"""

# B0: components -------------------------------------------------------------------------------------------
COUNTIES = 45
COUNTY_LANES = 64  # counties, padded to whole vectors of any width
REGIONS = 5
MIN_PLAYERS, MAX_PLAYERS = 3, 5
ARMIES_PER_PLAYER = 62  # B0.2
PEASANT_ARMIES = 20  # B0.2

# Colours of cubes: the seats 0..4, then the peasants, who also "own" every neutral county.
PEASANTS = 5
NEUTRAL = 5
COLOURS = 6
CUBES = MAX_PLAYERS * ARMIES_PER_PLAYER + PEASANT_ARMIES  # B0.2, of all colours

# Which game is played: edition and expansions -----------------------------------------------------------------
EXPANSIONS = ("court", "landsknechte", "leaders")

# B2.6: the action cards, and with auction and court the boxes of a player's mat ---------------------------------
ACTIONS = (
    "palace",
    "church",
    "trading_post",
    "grain",
    "taxes",
    "deploy5",
    "deploy3",
    "deploy1",
    "combat_a",
    "combat_b",
)
PALACE, CHURCH, TRADING_POST, GRAIN, TAXES, DEPLOY5, DEPLOY3, DEPLOY1, COMBAT_A, COMBAT_B = range(10)
AUCTION = 10
COURT_3, COURT_2, COURT_1 = 11, 12, 13  # E1: the boxes of the court's extra board, by their courtiers
BASE_BOXES = 11
BOXES = 14
ACTION_CARDS = 10
SHOWN_ACTIONS = 5  # B2.1: known while planning; after each of the first five actions one more

# B0.3, B5.3: buildings carry the numbers of the actions that build them; a county holds a bit mask of them.
BUILDINGS = ("palace", "church", "trading_post")

# Cards: a county's number, MONEY + value of a money card, or a dice-tower card. The first edition's blank cards
# are numbered like the money cards, whose place they take (V1).
MONEY = COUNTIES
MONEY_CARDS = 5
FEW_COUNTIES = ACTION_CARDS - MONEY_CARDS  # B3.2: with so many or fewer, the cards do not cover all boxes
TOWER_CARD = MONEY + MONEY_CARDS
TOWER_CARDS = 3  # E1
CARDS = COUNTIES + MONEY_CARDS + TOWER_CARDS
NO_CARD = -1
NOWHERE = -1  # no county

# B4.4: bonus tiles ------------------------------------------------------------------------------------------
TILES = ("thaler", "grain", "six_armies", "attack", "defence")
TILE_THALER, TILE_GRAIN, TILE_SIX_ARMIES, TILE_ATTACK, TILE_DEFENCE = range(5)
NO_TILE = -1

# Events: what the twelve cards do (`data/board/events.csv`, column `effect`) ------------------------------------
EVENT_CARDS = 12
EVENTS_PER_YEAR = 4
EFFECTS = (
    "none",
    "trading_post_calms",
    "palace_guard",
    "tax_max_5",
    "tax_min_6",
    "grain_min_4",
    "grain_max_3",
    "neutral_guard",
    "church_peace",
    "small_levies",
)
(
    NO_EFFECT,
    TRADING_POST_CALMS,
    PALACE_GUARD,
    TAX_MAX_5,
    TAX_MIN_6,
    GRAIN_MIN_4,
    GRAIN_MAX_3,
    NEUTRAL_GUARD,
    CHURCH_PEACE,
    SMALL_LEVIES,
) = range(10)

# Time: moment 0 is the set-up, then 1 + 4 * year + season; at each the random streams are keyed ---------------
SEASONS = ("spring", "summer", "fall", "winter")
WINTER = 3  # the rounds before it are spring 0, summer 1 and fall 2
MAX_REVOLTS = 3  # B7.2: counties that revolt after one shortage, at most
YEARS = 2
ROUNDS = YEARS * WINTER
SEASON_NAMES = tuple(f"{season} {year + 1}" for year in range(YEARS) for season in SEASONS)  # "spring 1" ... "winter 2"
ROUND_NAMES = tuple(name for place, name in enumerate(SEASON_NAMES) if place % len(SEASONS) != WINTER)

# Army groups by number of players (B1.2)
ARMY_GROUPS = {3: (5, 4, 4, 3, 3, 2, 2, 2, 2), 4: (5, 4, 4, 3, 3, 2, 2, 2), 5: (5, 4, 4, 3, 3, 2, 2)}
MAX_GROUPS = 9

# What became of a county card on an action box (B5.1, B5.2); the words are for traces ---------------------------
OUTCOMES = (
    "done",
    "the county left its owner's hands after planning",
    "no free building site",
    "no building tile left",
    "not enough Thalers",
    "not enough armies in the supply",
    "no armies to move",
    "no county to move to or attack",
    "the player did not move",
)
DONE, COUNTY_LOST, NO_SITE, NO_TILE_LEFT, NO_MONEY, NO_ARMIES, NO_FORCE, NO_TARGET, STAYED = range(9)
# The same as names, for tables.
OUTCOME_NAMES = (
    "done",
    "county_lost",
    "no_site",
    "no_tile_left",
    "no_money",
    "no_armies",
    "no_force",
    "no_target",
    "stayed",
)

# How a battle ended (B6.7 to B6.10): for a revolt the attacker is the peasants
RESULTS = ("attacker", "defender", "tie")
ATTACKER_WINS, DEFENDER_WINS, TIE = range(3)
BATTLE_KINDS = ("player", "neutral", "revolt", "winter")
BATTLE_PLAYER, BATTLE_NEUTRAL, BATTLE_REVOLT, BATTLE_WINTER = range(4)

# E: the Emperor's Court -----------------------------------------------------------------------------------------
COURTIERS = 7  # E1, per player
FAVORS = 21  # E2
SHOWN_FAVORS = 3  # E2, per round at most
FAVOR_KINDS = (
    "cancel_event",
    "thalers",
    "tray_armies",
    "calm",
    "grain",
    "victory_points",
    "free_building",
    "no_attack",
    "free_armies",
)
(
    CANCEL_EVENT,
    FAVOR_THALERS,
    FAVOR_TRAY_ARMIES,
    CALM,
    FAVOR_GRAIN,
    FAVOR_POINTS,
    FREE_BUILDING,
    NO_ATTACK,
    FREE_ARMIES,
) = range(9)
PROTECTIONS = ("", "A", "B", "A or B")  # E6: what `no_attack` wards off; bit 0 combat A, bit 1 combat B

# L: the Landsknechte --------------------------------------------------------------------------------------------
LANDSKNECHT_CARDS = 4  # L1, per player
BENEFITS = ("thalers", "tray_armies", "grain", "victory_points")
BENEFIT_THALERS, BENEFIT_TRAY_ARMIES, BENEFIT_GRAIN, BENEFIT_POINTS = range(4)
NO_BENEFIT = -1
FAVOR_BENEFIT = tuple(BENEFITS.index(kind) if kind in BENEFITS else NO_BENEFIT for kind in FAVOR_KINDS)  # E6

# M: the military leaders ----------------------------------------------------------------------------------------
STATUES = 6  # M1, per player

# V: the first edition -------------------------------------------------------------------------------------------
LOYAL_BELOW = {"2e": 1, "1e": 2}  # B6.6, V6: peasants defend a county with fewer revolt markers than this
RECRUIT, MARCH, BOTH = 1, 2, 3  # V3: the ways to "recruit and/or move"
