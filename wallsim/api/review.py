"""A look at a game that people played: points, ties, chances, battles and the start."""

from __future__ import annotations

from pathlib import Path

from wallsim.analysis.advice.options import BOUNDS, check_number
from wallsim.api.game_review.chances import chances_of, why_without_chances
from wallsim.api.game_review.findings import Findings, gaps_of
from wallsim.api.game_review.luck import battle_chances, luck_of, tower_of_game
from wallsim.api.game_review.plans import compared_plans
from wallsim.api.game_review.standing import standing_of, winners_of
from wallsim.api.game_review.start import start_of
from wallsim.api.outlook import equal_strength
from wallsim.api.trace import record_game
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import MAX_SEED, number_key
from wallsim.trace.game_text.checks import check_game
from wallsim.trace.game_text.from_trace import game_of_trace
from wallsim.trace.game_text.model import GameText, Spot
from wallsim.trace.game_text.points import fill_points, scored_boards
from wallsim.trace.game_text.position import read_file
from wallsim.trace.game_text.reading import read_text
from wallsim.trace.game_text.writing import text_of

SAMPLES = 200
_BOUNDS = {"samples": number_key(200, 10_000, None), "seed": number_key(0, MAX_SEED, None)}


class Review(Findings):
    """What is said of a game that people played.

    `game` is the game as the text has it; `points` has for each winter whose board is noted the points of each seat by
    source; `winners` the seats that won, empty if that is unknown; `chances` the win probabilities after each season
    from fall 1 on whose table is noted, and `without_chances` why there are none; `battles` the odds of the battles
    whose armies are noted, and `luck` what they add up to for each seat; `start` what the register says of the start
    and of named counties; `standing` where scores, margin and leader stand among games of this size; `gaps` what is not
    noted; `plans` how the noted plans compare with those that a search prefers, empty if no time was given for it.
    """

    def page(self) -> str:
        """The page of the review: one file of HTML, which works offline; the same review gives the same bytes."""
        from wallsim.api.game_review.page import review_page

        return review_page(self)


def review(game: str | Path, *, samples: int = SAMPLES, seed: int = 1, minutes: float | None = None) -> Review:
    """Read the text of a game that people played, and say what games of bots tell about it.

    Whatever the text has is enough: the number of players, or final scores. What nobody remembers, `?` in the text, is
    drawn from simulated casual games of the same season and number of players; win probabilities then come with a band
    that holds 95 % of the draws.

    Parameters
    ----------
    game
        The file with the game, in the format of the page on reviews.
    samples
        How often what nobody remembers is drawn.
    seed
        Repeats the draws.
    minutes
        Compare noted plans with those that a search prefers in the same position, in so many minutes for all. By
        default they are not compared. With more time the intervals are narrower.

    Returns
    -------
    Review
        Scores among other games, points by source, win probabilities, odds of battles, the value of the start and of
        plans, and what is not noted; `page()` is the page.

    Raises
    ------
    InputError
        If something in the text cannot be; each error names file, line and column. If a number is out of range.

    Examples
    --------
    >>> found = review("docs/examples/evening.txt")
    >>> [found.game.name_of(seat) for seat in found.winners]
    ['A (Red)']
    """
    check_number("samples", _BOUNDS["samples"], samples)
    check_number("seed", _BOUNDS["seed"], seed)
    if minutes is not None:
        check_number("minutes", BOUNDS["minutes"], minutes)
    read = read_game(Path(game))
    points = scored_boards(read)
    fill_points(read)
    battles, chances = battle_chances(read), chances_of(read, samples, seed)
    start, standing = start_of(read), standing_of(read)
    return Review(
        read, points, winners_of(read), chances, why_without_chances(read), battles, luck_of(read, battles), start,
        standing, gaps_of(read, standing, start, points, chances),
        compared_plans(read, minutes, seed) if minutes else [], samples, seed,
    )  # fmt: skip


def read_game(path: Path) -> GameText:
    """The game of a file. InputError with everything that cannot be, each with file, line and column."""
    game = read_text(read_file(path), str(path))
    check_game(game)
    if game.tower:
        try:
            tower_of_game(game)
        except InputError as error:
            spot = game.spots.get("tower", Spot(1, 1))
            game.refuse(spot, str(error).splitlines()[0])
    if game.problems:
        raise InputError(game.problems)
    return game


def text_of_game(experiment: Experiment, number: int) -> str:
    """A simulated game as the text that people who remember everything would have typed."""
    events = record_game(experiment, number)
    game = game_of_trace(events.match, events)
    game.unequal = not equal_strength(events.match.policies, game.players)
    return text_of(game)
