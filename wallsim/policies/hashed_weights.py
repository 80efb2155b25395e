"""The weights that every policy's identity names, whatever their values: those declared up to version 0.7.

Any weight declared later counts only where it differs from its default, so that a new weight leaves the hash of every
experiment as it was. Nothing is ever added here.
"""

HASHED_WEIGHTS = frozenset(
    [
        "hold",
        "majority",
        "deny",
        "income",
        "site",
        "thaler",
        "spending",
        "last_taxes",
        "grain",
        "harvest",
        "marker",
        "army",
        "threat",
        "attack",
        "caution",
        "home",
        "place",
        "rivals_bid",
        "draft_border",
        "favor",
        "courtier",
        "tray",
        "regions",
        "statue",
        "leader",
        "aside",
        "neutral",
        "rival",
        "tile",
        "patience",
        "spare_grain",
        "one_army",
        "five_armies",
        "ready",
        "march",
        "credit",
        "tower",
        "crowd",
        "standing",
        "contest",
        "temperature",
        "noise",
    ]
)
