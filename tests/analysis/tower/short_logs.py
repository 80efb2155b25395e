"""Logs of a few casts, which tell hardly anything of a tower."""

from wallsim.analysis.tower.casts import CastLog


def one_colour(*casts, event="bench"):
    """A log of one colour from (thrown, fallen) a cast."""
    thrown, fallen = zip(*casts, strict=True)
    return CastLog.of(("all",), ["s"] * len(casts), [event] * len(casts), thrown, fallen)


ALL_PASSES = "all that is thrown passes"
ONE_SIZE = "casts of one size"
SHORT = {
    "nothing need have come loose": one_colour((31, 21), (8, 3), (6, 4)),
    "two casts": one_colour((12, 8), (6, 4)),
    "nothing ever falls": one_colour((8, 0), (5, 0), (3, 0)),
    ALL_PASSES: one_colour((8, 5), (4, 4), (6, 6), (2, 2)),
    "a cast empties the tower": one_colour((8, 5), (4, 7), (6, 6), (2, 2)),
    "single cubes": one_colour((1, 0), (1, 1), (1, 1)),
    "more falls than is thrown": one_colour((4, 1), (9, 12)),
    ONE_SIZE: one_colour((20, 12), (6, 6), (6, 5), (6, 8), (6, 7), (6, 4)),
}
