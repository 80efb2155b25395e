"""A study without games, for tests of the frame."""

from matplotlib.figure import Figure as Picture

from wallsim.errors import InputError
from wallsim.studies.finding import Finding
from wallsim.studies.quantities import Key, Number, Quantity
from wallsim.studies.study import Option, Study

DOC = "Asked: who wins?\n\nMethod."
QUANTITIES = (
    Quantity("games", "games played", "games"),
    Quantity("wins", "wins of {item}", "%", n_unit="games"),
)
LINE = Option("line", "first", "which line of strong play")


def asked(folder, play=None, **changes):
    """The study `asked` in a folder, with one option; `play` may play in its place."""
    home = folder / "asked"
    home.mkdir(exist_ok=True)
    (home / "experiment.toml").write_text('name = "asked"\npolicies = "random"\ngames = 7\nseed = 11\n', "utf-8")

    def design(choices):
        if choices.options.get("line") not in (None, "first", "second"):
            raise InputError(f"line: {choices.options['line']} is not one of first, second")
        return {"games": choices.games or 7, "line": choices.option(LINE)}

    def played(design, storage):
        games = design["games"]
        return {Key("games"): Number(games), Key("wins", "A"): Number(25.5, (24.0, 27.0), games)}

    def text_of(figures):
        return f"{figures.of('games').value:g} games, {figures.of('wins', 'A').value} % of wins"

    parts = {
        "design": design,
        "identity": lambda design: design,
        "play": play or played,
        "quantities": QUANTITIES,
        "finding": lambda figures, _: Finding(f"A wins in {text_of(figures)}", "", "", "Who else wins.", "Wins of A"),
        "first": lambda figures, design: "One table.",
        "tables": lambda figures, design: [text_of(figures)],
        "printed": lambda figures, design: ["all"],
        "picture": lambda figures, design: Picture(),
        "options": (LINE,),
        **changes,
    }
    return Study(str(home / "study.py"), DOC, **parts)
