"""`--json`: one document on standard output and nothing else there."""

import json

import pytest

from tests.cli.test_games import wallsim


def document(*words, status=0):
    result = wallsim(*words, "--json")
    assert result.exit_code == status, result.output
    assert result.stdout.isascii()
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json") / "run"
    document("run", "--policies", "random", "--games", "200", "--expansions", "court", "--out", str(folder))
    return folder


def test_run_and_summary_tell_each_seat_with_its_interval(folder):
    estimate = document("summary", str(folder))
    assert (estimate["games"], estimate["players"], estimate["fair_share"], estimate["level"]) == (200, 4, 0.25, 0.95)
    assert sum(seat["win_share"] for seat in estimate["seats"]) == pytest.approx(1)
    for seat in estimate["seats"]:
        low, high = seat["win_share_interval"]
        assert low <= seat["win_share"] <= high
        assert (seat["policy"], len(seat["vp_interval"])) == ("random", 2)
    assert {line["kind"] for line in estimate["breakdown"]} == {"victory points", "uses"}
    again = document("run", "--policies", "random", "--games", "200", "--expansions", "court", "--out", str(folder))
    assert again == estimate


def test_verify_tells_errors_and_ends_with_their_status(folder, tmp_path):
    estimate = document("verify", str(folder))
    assert estimate == {"folder": str(folder), "finished": True, "unchanged": True, "faults": []}
    run = tmp_path / "run"
    document("run", "--policies", "random", "--games", "5", "--out", str(run))
    (run / "codebook.md").write_text("other", "utf-8")
    (run / "manifest.json").unlink()
    estimate = document("verify", str(run), status=1)
    assert estimate["finished"] is False
    assert estimate["unchanged"] is False
    assert any("codebook.md" in error for error in estimate["faults"])


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("rules", {"mark", "rules", "name", "default", "else", "meaning"}),
        ("policies", {"policy", "kind", "weights", "description"}),
        ("towers", {"tower", "model", "through", "loose", "source"}),
    ],
)
def test_lists_have_an_object_a_row(command, keys):
    rows = document(command)[command]
    assert len(rows) > 5
    assert all(set(row) == keys for row in rows)


def test_the_codebook_has_every_table(folder):
    tables = document("codebook")["tables"]
    assert {"games", "seats", "seasons", "battles"} <= set(tables)
    assert all({"column", "type", "unit", "meaning"} == set(row) for rows in tables.values() for row in rows)
    assert {"games", "seats"} <= set(document("codebook", str(folder))["tables"])


def test_odds_are_reported_with_intervals_where_they_are_simulated():
    exact = document("battle", "odds")
    assert exact["battles"] is None
    assert exact["win"]["value"] + exact["tie"]["value"] + exact["lose"]["value"] == pytest.approx(1)
    assert exact["win"]["interval"] is None
    simulated = document("battle", "odds", "--tower", "mid-urn", "--battles", "2000")
    assert simulated["win"]["interval"][0] < simulated["win"]["value"] < simulated["win"]["interval"][1]
    cells = document("battle", "odds", "--attackers", "2-3", "--defenders", "1-2")["cells"]
    assert {(cell["attackers"], cell["defenders"]) for cell in cells} == {(2, 1), (2, 2), (3, 1), (3, 2)}


def test_a_board_without_errors_has_none(tmp_path):
    (tmp_path / "counties.csv").write_text("a;b\n", "utf-8")
    errors = document("board", "check", str(tmp_path), status=2)["faults"]
    assert {"file", "line", "column", "text"} == set(errors[0])
    assert any("semicolons" in error["text"] for error in errors)


def test_policies_are_reported_in_both_ways_of_measuring():
    estimate = document("policy", "compare", "random,builder", "--games", "30", "--against", "random")
    assert [policy["policy"] for policy in estimate["policies"]] == ["random", "builder"]
    names = {measure["name"] for measure in estimate["measures"]}
    for policy in estimate["policies"]:
        assert set(policy["among_its_like"]) == set(policy["alone_among_host"]) == names
