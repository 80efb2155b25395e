"""A study without games, for tests of the frame."""

from matplotlib.figure import Figure as Picture

from wallsim.errors import InputError
from wallsim.stats.intervals import Confidence
from wallsim.studies.finding import Finding
from wallsim.studies.study import Option, Page, Study

DOC = "Asked: who wins?\n\nMethod."
LINE = Option("line", "first", "which line of strong play")


def asked(folder, play=None, **changes):
    """The study `asked` in a folder, with a mark of its own and one option; `play` may fail in its place."""
    home = folder / "asked"
    home.mkdir(exist_ok=True)
    (home / "experiment.toml").write_text('name = "asked"\npolicies = "random"\ngames = 7\nseed = 11\n', "utf-8")

    def design(choices):
        if choices.options.get("line") not in (None, "first", "second"):
            raise InputError(f"line: {choices.options['line']} is not one of first, second")
        return {"games": choices.games or 7, "line": choices.option(LINE)}

    def figures(result, rows):
        rows.number("games", "", result, words="games played", unit="games")
        rows.number("wins", "A", 25.5, (24.0, 27.0), words="wins of A", unit="%", n=result, n_unit="games",
                    sure=Confidence())  # fmt: skip

    def page(figures, design):
        text = f"{figures.of('games').value:g} games, {figures.of('wins', 'A').value} % of wins"
        finding = Finding(f"A wins in {text}", "", "", "Who else wins.", "Wins of A")
        return Page(finding, "One table.", text, {"short": "few"}, f"{text}\n\nall")

    parts = {
        "design": design,
        "identity": lambda design: design,
        "play": play or (lambda design, storage: design["games"]),
        "figures": figures,
        "page": page,
        "picture": lambda figures, design: Picture(),
        "marks": ("short",),
        "options": (LINE,),
        **changes,
    }
    return Study(str(home / "study.py"), DOC, **parts)
