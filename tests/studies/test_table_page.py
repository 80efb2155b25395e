"""All tables of a study have headings and anchors of their own, the claims first and each cell last."""

from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import assert_names
from wallsim.studies.table_page import CLAIMS, sections_of

TABLES = """What was played.

| tower, VP | weak | strong |
| --- | --- | --- |
| `mid` | 1 | 2 |

Under the first.

With 3 players:

| claim | measured by | lowest | highest | answer |
| --- | --- | --- | --- | --- |
| It rains. | rain > 0 | 1 | 2 | holds |

| play | wins, % |
| --- | --- |
| weak | 3 |

Under the last."""


def test_claims_come_first_cells_last_and_sentences_stay_with_their_table():
    before, sections = sections_of(TABLES)
    assert before == "What was played."
    assert [each.heading for each in sections] == [f"{CLAIMS}, with 3 players", "Play: wins, %", "Tower, VP"]
    assert [each.text.splitlines()[-1] for each in sections][1:] == ["Under the last.", "Under the first."]
    assert sections[0].text.startswith("With 3 players:")


def test_tables_are_printed_from_the_register_and_nothing_is_played(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = command("study", "price", "--tables")
    assert printed.exit_code == 0, printed.output
    assert printed.stdout.splitlines()[0].endswith("all tables")
    assert f"## {CLAIMS}" in printed.stdout
    assert [*tmp_path.iterdir()] == []
    for words in (["price", "--tables", "--quick"], ["--tables"], ["price", "--tables", "--page"]):
        assert_names(refusal("study", *words), "--tables")
