"""A map or a line-up that breaks the rules is named by file, line and column."""

from wallsim.rules.board import load_board

# --- counties (B0.1) --------------------------------------------------------------------------------------


def test_44_counties_are_an_error_and_so_is_the_region_of_eight(folder):  # B0.1
    folder.drop("counties.csv", "Vogtland")
    errors = [error for error in folder.errors() if error.file == "counties.csv"]
    assert {error.column for error in errors} == {"county", "region"}
    assert any("44 rows" in error.text and "exactly 45" in error.text for error in errors)
    assert any("'Sachsen' has 8 counties" in error.text for error in errors)
    assert any("unknown county 'Vogtland'" in error.text for error in folder.errors())


def test_a_46th_county_is_named_by_its_line(folder):  # B0.1
    line = folder.add("counties.csv", "Mailand,Kurpfalz,3,3,1,3")
    assert {("counties.csv", line, "county"), ("counties.csv", line, "region")} <= folder.places()


def test_a_county_listed_twice_is_an_error(folder):  # B0.1
    line = folder.replace("counties.csv", "Anhalt,", "Altmark,")
    errors = folder.errors()
    assert ("counties.csv", line, "county") in folder.places()
    assert any("'Altmark' duplicates line 2" in error.text for error in errors)


def test_a_sixth_region_is_named_where_it_begins(folder):  # B0.1
    line = folder.replace("counties.csv", "Strassburg,Kurpfalz", "Strassburg,Elsass")
    errors = folder.errors()
    assert ("counties.csv", line, "region") in folder.places()
    assert any("6 regions" in error.text for error in errors)


def test_four_regions_are_an_error(folder):  # B0.1
    lines = [line.replace(",Sachsen,", ",Bayern,") for line in folder.lines("counties.csv")]
    folder.write("counties.csv", lines)
    errors = folder.errors()
    assert {error.column for error in errors} == {"region"}
    assert any("4 regions" in error.text for error in errors)
    assert any("'Bayern' has 18 counties" in error.text for error in errors)


def test_seven_counties_out_with_three_players_are_an_error(folder):  # B0.1
    folder.replace("counties.csv", "Bremen,Brandenburg,4,4,2,4", "Bremen,Brandenburg,4,4,2,3")
    errors = folder.errors()
    assert ("counties.csv", 1, "min_players") in folder.places()
    assert any("7 counties" in error.text and "exactly 8" in error.text for error in errors)


def test_the_ninth_county_out_with_three_players_is_named(folder):  # B0.1
    folder.replace("counties.csv", "Bm. Zweibrücken,Kurpfalz,4,4,2,3", "Bm. Zweibrücken,Kurpfalz,4,4,2,4")
    line = folder.line_of("counties.csv", "Burgund")
    assert folder.only_error()[:3] == ("counties.csv", line, "min_players")


# --- borders ----------------------------------------------------------------------------------------------


def test_an_unknown_county_in_a_border_is_named(folder):
    line = folder.replace("borders.csv", "Altmark,Anhalt", "Altmark,Anhalter")
    error = folder.only_error()
    assert error[:3] == ("borders.csv", line, "county_b")
    assert "unknown county 'Anhalter'" in error.text
    line = folder.replace("borders.csv", "Altmark,Lüneburg", "Altmarck,Lüneburg")
    assert ("borders.csv", line, "county_a") in folder.places()


def test_a_county_that_borders_itself_is_an_error(folder):
    line = folder.add("borders.csv", "Altmark,Altmark")
    error = folder.only_error()
    assert error[:3] == ("borders.csv", line, "county_b")
    assert "borders itself" in error.text


def test_a_border_listed_twice_is_an_error(folder):
    line = folder.add("borders.csv", "Altmark,Anhalt")
    error = folder.only_error()
    assert error[:3] == ("borders.csv", line, "county_b")
    assert "duplicates line 2" in error.text


def test_a_single_border_listed_the_other_way_round_too_is_an_error(folder):
    line = folder.add("borders.csv", "Anhalt,Altmark")
    error = folder.only_error()
    assert error[:3] == ("borders.csv", line, "county_b")
    assert "duplicates line 2 in the other direction" in error.text


def symmetric(folder):
    header, *lines = folder.lines("borders.csv")
    folder.write("borders.csv", [header, *lines, *(",".join(reversed(line.split(","))) for line in lines)])


def test_an_asymmetric_border_is_named_where_its_reverse_is_missing(folder):
    symmetric(folder)
    assert folder.errors() == []
    folder.drop("borders.csv", "Bremen,Holstein")
    error = folder.only_error()
    line = folder.line_of("borders.csv", "Holstein,Bremen")
    assert error[:3] == ("borders.csv", line, "county_b")
    assert "asymmetric border 'Holstein' to 'Bremen'" in error.text
    assert "add Bremen,Holstein" in error.text


def test_several_asymmetric_borders_are_all_named(folder):
    symmetric(folder)
    folder.drop("borders.csv", "Bremen,Holstein")
    folder.drop("borders.csv", "Tirol,Salzburg")
    errors = folder.errors()
    assert [error.line for error in errors] == [
        folder.line_of("borders.csv", "Salzburg,Tirol"),
        folder.line_of("borders.csv", "Holstein,Bremen"),
    ]
    assert all("asymmetric" in error.text for error in errors)


def test_a_county_without_neighbours_is_named(folder):
    folder.drop("borders.csv", "Bremen,Holstein")
    folder.drop("borders.csv", "Bremen,Osnabrück")
    error = folder.only_error()
    line = folder.line_of("counties.csv", "Bremen")
    assert error[:3] == ("counties.csv", line, "county")
    assert "'Bremen' has no neighbour" in error.text


def test_a_map_in_two_pieces_is_an_error(folder):
    lines = folder.lines("borders.csv")
    island = {"Kärnten", "Steiermark"}
    lines_left = [line for line in lines if len(set(line.split(",")) & island) != 1]
    folder.write("borders.csv", lines_left)
    error = folder.only_error()
    assert error[:3] == ("counties.csv", folder.line_of("counties.csv", "Kärnten"), "county")
    assert "no way to Kärnten, Steiermark" in error.text


def test_a_map_that_only_falls_apart_with_three_players_is_an_error(folder):  # B0.1
    lines = folder.lines("borders.csv")
    lines_left = [line for line in lines if "Kärnten" not in line or line == "Kärnten,Steiermark"]
    folder.write("borders.csv", lines_left)
    error = folder.only_error()
    assert "no way to Kärnten on the map of 3 players" in error.text


def test_no_borders_at_all_are_one_error(folder):
    folder.write("borders.csv", ["county_a,county_b"])
    assert folder.only_error()[:3] == ("borders.csv", 1, "county_a")


# --- line-ups (B1.2, B1.3) --------------------------------------------------------------------------------


def test_a_missing_line_up_is_an_error(folder):  # B1.3
    lines = [line for line in folder.lines("lineups.csv") if not line.startswith("4,C,")]
    folder.write("lineups.csv", lines)
    error = folder.only_error()
    assert error[:3] == ("lineups.csv", 1, "lineup")
    assert "line-up 'C' for 4 players is missing" in error.text


def test_a_line_up_without_a_player_is_an_error(folder):  # B1.3
    line = folder.add("lineups.csv", "3,D,Altmark,5,rulebook")
    error = folder.only_error()
    assert error[:3] == ("lineups.csv", line, "lineup")
    assert "allowed are A, B, C" in error.text


def test_wrong_army_groups_name_the_one_too_many(folder):  # B1.2
    line = folder.replace("lineups.csv", "4,A,Baden,2", "4,A,Baden,4")
    error = folder.only_error()
    assert error[:3] == ("lineups.csv", line, "armies")
    assert "5,4,4,4,3,3,2,2" in error.text
    assert "exactly 5,4,4,3,3,2,2,2" in error.text


def test_a_lost_army_group_is_an_error_of_its_line_up(folder):  # B1.2
    folder.drop("lineups.csv", "5,B,Regensburg,2")
    line = folder.line_of("lineups.csv", "5,B,Holstein")
    assert folder.only_error()[:3] == ("lineups.csv", line, "armies")


def test_a_county_in_two_line_ups_of_one_player_number_is_an_error(folder):  # B1.3
    line = folder.replace("lineups.csv", "4,D,Vogtland", "4,D,Baden")
    error = folder.only_error()
    assert error[:3] == ("lineups.csv", line, "county")
    assert "'Baden' duplicates line" in error.text


def test_a_county_out_of_the_game_in_a_line_up_is_an_error(folder):  # B0.1
    line = folder.replace("lineups.csv", "3,A,Anhalt", "3,A,Tirol")
    error = folder.only_error()
    assert error[:3] == ("lineups.csv", line, "county")
    assert "out of the game with 3 players" in error.text


def test_an_unknown_county_in_a_line_up_is_an_error(folder):
    line = folder.replace("lineups.csv", "3,A,Anhalt", "3,A,Mailand")
    error = folder.only_error()
    assert error[:3] == ("lineups.csv", line, "county")
    assert "unknown county 'Mailand'" in error.text


def test_another_assumed_county_is_allowed_and_reported(folder):  # B1.3
    folder.replace("lineups.csv", "5,E,Passau,2,rulebook", "5,E,Passau,2,assumed")
    assert "lineups.csv: 5 players, line-up E, Passau" in load_board(folder.path).assumed


def test_a_file_without_line_ups_is_one_of_a_board_that_has_none(folder):  # B1.3
    folder.write("lineups.csv", folder.lines("lineups.csv")[:1])
    assert folder.errors() == []
