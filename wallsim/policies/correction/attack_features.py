"""The features of a choice in combat/movement: what a correction of attacks sees of one choice and of the table.

A choice is to stay, to march to an own county, or to attack another one, with so many armies (B5.8). A feature is
declared here once, with its unit and meaning, and filled by `wallsim.policies.balanced.attacks`. The seat may know all
of them when it chooses (B2.5, B2.6, B3.5).
"""

from __future__ import annotations

from wallsim.policies.models_file import FeatureList

MAX_CHOICES = 48
MOST_NUMBERS = 6  # numbers of armies that are weighed against one county

_feature = FeatureList("features of choices")
WORTH = _feature("worth", "VP", "what the weights say of the choice")
MARCHES = _feature("marches", "counties", "1 for a march to an own county")
ON_RIVAL = _feature("on_rival", "counties", "1 for an attack on a rival")
ON_NEUTRAL = _feature("on_neutral", "counties", "1 for an attack on a neutral county")
SENT = _feature("sent", "armies", "armies that go")
KEPT = _feature("kept", "armies", "armies that stay")
CHANCE = _feature("chance", "share", "chance to win")
FALLEN = _feature("fallen", "armies", "own armies that the battle costs on average")
HARM = _feature("harm", "VP", "how much greater the danger to the county becomes")
ORIGIN_WORTH = _feature("origin_worth", "VP", "what the weights say of owning the county that the armies leave")
ORIGIN_DANGER = _feature("origin_danger", "VP", "the danger to it before")
ORIGIN_FOES = _feature("origin_foes", "armies", "that its most dangerous neighbour could send")
ORIGIN_BUILDINGS = _feature("origin_buildings", "buildings", "buildings there")
TARGET_WORTH = _feature("target_worth", "VP", "what the weights say of owning the county that they go to")
TARGET_PRIZE = _feature("target_prize", "VP", "the same with its owner's loss, as attacks count it")
TARGET_ARMIES = _feature("target_armies", "armies", "armies there")
TARGET_DEFENCE = _feature("target_defence", "cubes", "its defenders, over the events that may come")
TARGET_BUILDINGS = _feature("target_buildings", "buildings", "buildings there")
TARGET_SITES = _feature("target_sites", "sites", "free building sites there")
TARGET_MARKERS = _feature("target_markers", "markers", "revolt markers there")
TARGET_TAX = _feature("target_tax", "Thalers", "its printed taxes")
TARGET_LEAD = _feature("target_lead", "VP", "how far its owner is ahead of this seat, as the board stands")
TARGET_PLAYED = _feature(
    "target_played", "cards", "1 if its owner's card of it was turned up in this round, but at court"
)
OWN_BESIDE = _feature("own_beside", "counties", "own counties beside it")
HELP = _feature("help", "armies", "own armies in other counties beside it that could go there")
REVENGE = _feature("revenge", "armies", "its owner's armies in other counties beside it that could go there")
THIRD = _feature("third", "armies", "armies of third seats beside it that could go there")
BEYOND = _feature("beyond", "counties", "counties beside it that are not the seat's own")
CHOICE_FEATURES = _feature.all()

_feature = FeatureList("features of situations")
LEFT = _feature("left", "share", "share of the dangers of this round and of later ones that is still to come")
TO_COME = _feature("to_come", "cards", "1 if the other card of combat/movement is still to come")
DONE = _feature("done", "cards", "action cards carried out")
SUPPLY = _feature("supply", "armies", "armies in the supply")
THALERS = _feature("thalers", "Thalers", "Thalers held")
COUNTIES_HELD = _feature("counties", "counties", "own counties")
ARMIES_HELD = _feature("armies", "armies", "own armies on the board")
LEAD = _feature("lead", "VP", "points ahead of the best other seat, as the board stands")
MEAN_LEAD = _feature("mean_lead", "VP", "points ahead of the others' mean, as the board stands")
PASSING = _feature("passing", "share", "chance of a cube that is thrown to pass the tower as it is now (B6.1)")
RELEASE = _feature("release", "share", "chance of a cube inside the tower to fall out with the next cast")
OWN_INSIDE = _feature("own_inside", "cubes", "own cubes in the tower")
OWN_TRAY = _feature("own_tray", "cubes", "own cubes in the tray")
PEASANTS_NEAR = _feature("peasants", "cubes", "peasants in tower and tray")
INSIDE = _feature("inside", "cubes", "cubes in the tower, of all colours")
HELPERS = _feature("helpers", "armies", "armies that a bonus tile sends into the attack (B4.4)")
SITUATION_FEATURES = _feature.all()

# What a model gets for a choice: its features, the situation's, and a one.
OF_THE_SITUATION, SITUATION = len(CHOICE_FEATURES), len(SITUATION_FEATURES)
CONSTANT = OF_THE_SITUATION + SITUATION
INPUTS = CONSTANT + 1
INPUT_NAMES = (
    *(feature.name for feature in CHOICE_FEATURES),
    *(f"table_{feature.name}" for feature in SITUATION_FEATURES),
    "one",
)
SHARED = 12  # from this feature on, all numbers of armies that go to one county have the same
WIDTH = 16  # units and the output: whole vectors of any machine
MAX_UNITS = WIDTH - 1
