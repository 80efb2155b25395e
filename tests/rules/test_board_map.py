"""A map or a line-up that breaks the rules is named by file, line and column."""

from wallsim.rules.board import load_board

# --- counties (B0.1) --------------------------------------------------------------------------------------


def test_44_counties_are_a_fault_and_so_is_the_region_of_eight(folder):  # B0.1
    folder.drop("counties.csv", "Vogtland")
    faults = [fault for fault in folder.faults() if fault.file == "counties.csv"]
    assert {fault.column for fault in faults} == {"county", "region"}
    assert any("44 rows" in fault.text and "exactly 45" in fault.text for fault in faults)
    assert any("'Sachsen' has 8 counties" in fault.text for fault in faults)
    assert any("unknown county 'Vogtland'" in fault.text for fault in folder.faults())


def test_a_46th_county_is_named_by_its_line(folder):  # B0.1
    line = folder.add("counties.csv", "Mailand,Kurpfalz,3,3,1,3")
    assert {("counties.csv", line, "county"), ("counties.csv", line, "region")} <= folder.places()


def test_a_county_listed_twice_is_a_fault(folder):  # B0.1
    line = folder.replace("counties.csv", "Anhalt,", "Altmark,")
    faults = folder.faults()
    assert ("counties.csv", line, "county") in folder.places()
    assert any("'Altmark' duplicates line 2" in fault.text for fault in faults)


def test_a_sixth_region_is_named_where_it_begins(folder):  # B0.1
    line = folder.replace("counties.csv", "Strassburg,Kurpfalz", "Strassburg,Elsass")
    faults = folder.faults()
    assert ("counties.csv", line, "region") in folder.places()
    assert any("6 regions" in fault.text for fault in faults)


def test_four_regions_are_a_fault(folder):  # B0.1
    lines = [line.replace(",Sachsen,", ",Bayern,") for line in folder.lines("counties.csv")]
    folder.write("counties.csv", lines)
    faults = folder.faults()
    assert {fault.column for fault in faults} == {"region"}
    assert any("4 regions" in fault.text for fault in faults)
    assert any("'Bayern' has 18 counties" in fault.text for fault in faults)


def test_seven_counties_out_with_three_players_are_a_fault(folder):  # B0.1
    folder.replace("counties.csv", "Bremen,Brandenburg,4,4,2,4", "Bremen,Brandenburg,4,4,2,3")
    faults = folder.faults()
    assert ("counties.csv", 1, "min_players") in folder.places()
    assert any("7 counties" in fault.text and "exactly 8" in fault.text for fault in faults)


def test_the_ninth_county_out_with_three_players_is_named(folder):  # B0.1
    folder.replace("counties.csv", "Bm. Zweibrücken,Kurpfalz,4,4,2,3", "Bm. Zweibrücken,Kurpfalz,4,4,2,4")
    line = folder.line_of("counties.csv", "Burgund")
    assert folder.only_fault()[:3] == ("counties.csv", line, "min_players")


# --- borders ----------------------------------------------------------------------------------------------


def test_an_unknown_county_in_a_border_is_named(folder):
    line = folder.replace("borders.csv", "Altmark,Anhalt", "Altmark,Anhalter")
    fault = folder.only_fault()
    assert fault[:3] == ("borders.csv", line, "county_b")
    assert "unknown county 'Anhalter'" in fault.text
    line = folder.replace("borders.csv", "Altmark,Lüneburg", "Altmarck,Lüneburg")
    assert ("borders.csv", line, "county_a") in folder.places()


def test_a_county_that_borders_itself_is_a_fault(folder):
    line = folder.add("borders.csv", "Altmark,Altmark")
    fault = folder.only_fault()
    assert fault[:3] == ("borders.csv", line, "county_b")
    assert "borders itself" in fault.text


def test_a_border_listed_twice_is_a_fault(folder):
    line = folder.add("borders.csv", "Altmark,Anhalt")
    fault = folder.only_fault()
    assert fault[:3] == ("borders.csv", line, "county_b")
    assert "duplicates line 2" in fault.text


def test_a_single_border_listed_the_other_way_round_too_is_a_fault(folder):
    line = folder.add("borders.csv", "Anhalt,Altmark")
    fault = folder.only_fault()
    assert fault[:3] == ("borders.csv", line, "county_b")
    assert "duplicates line 2 in the other direction" in fault.text


def symmetric(folder):
    header, *lines = folder.lines("borders.csv")
    folder.write("borders.csv", [header, *lines, *(",".join(reversed(line.split(","))) for line in lines)])


def test_an_asymmetric_border_is_named_where_its_reverse_is_missing(folder):
    symmetric(folder)
    assert folder.faults() == []
    folder.drop("borders.csv", "Bremen,Holstein")
    fault = folder.only_fault()
    line = folder.line_of("borders.csv", "Holstein,Bremen")
    assert fault[:3] == ("borders.csv", line, "county_b")
    assert "asymmetric border 'Holstein' to 'Bremen'" in fault.text
    assert "add Bremen,Holstein" in fault.text


def test_several_asymmetric_borders_are_all_named(folder):
    symmetric(folder)
    folder.drop("borders.csv", "Bremen,Holstein")
    folder.drop("borders.csv", "Tirol,Salzburg")
    faults = folder.faults()
    assert [fault.line for fault in faults] == [
        folder.line_of("borders.csv", "Salzburg,Tirol"),
        folder.line_of("borders.csv", "Holstein,Bremen"),
    ]
    assert all("asymmetric" in fault.text for fault in faults)


def test_a_county_without_neighbours_is_named(folder):
    folder.drop("borders.csv", "Bremen,Holstein")
    folder.drop("borders.csv", "Bremen,Osnabrück")
    fault = folder.only_fault()
    line = folder.line_of("counties.csv", "Bremen")
    assert fault[:3] == ("counties.csv", line, "county")
    assert "'Bremen' has no neighbour" in fault.text


def test_a_map_in_two_pieces_is_a_fault(folder):
    lines = folder.lines("borders.csv")
    island = {"Kärnten", "Steiermark"}
    kept = [line for line in lines if len(set(line.split(",")) & island) != 1]
    folder.write("borders.csv", kept)
    fault = folder.only_fault()
    assert fault[:3] == ("counties.csv", folder.line_of("counties.csv", "Kärnten"), "county")
    assert "no way to Kärnten, Steiermark" in fault.text


def test_a_map_that_only_falls_apart_with_three_players_is_a_fault(folder):  # B0.1
    lines = folder.lines("borders.csv")
    kept = [line for line in lines if "Kärnten" not in line or line == "Kärnten,Steiermark"]
    folder.write("borders.csv", kept)
    fault = folder.only_fault()
    assert "no way to Kärnten on the map of 3 players" in fault.text


def test_no_borders_at_all_are_one_fault(folder):
    folder.write("borders.csv", ["county_a,county_b"])
    assert folder.only_fault()[:3] == ("borders.csv", 1, "county_a")


# --- line-ups (B1.2, B1.3) --------------------------------------------------------------------------------


def test_a_missing_line_up_is_a_fault(folder):  # B1.3
    lines = [line for line in folder.lines("lineups.csv") if not line.startswith("4,C,")]
    folder.write("lineups.csv", lines)
    fault = folder.only_fault()
    assert fault[:3] == ("lineups.csv", 1, "lineup")
    assert "line-up 'C' for 4 players is missing" in fault.text


def test_a_line_up_without_a_player_is_a_fault(folder):  # B1.3
    line = folder.add("lineups.csv", "3,D,Altmark,5,rulebook")
    fault = folder.only_fault()
    assert fault[:3] == ("lineups.csv", line, "lineup")
    assert "allowed are A, B, C" in fault.text


def test_wrong_army_groups_name_the_one_too_many(folder):  # B1.2
    line = folder.replace("lineups.csv", "4,A,Baden,2", "4,A,Baden,4")
    fault = folder.only_fault()
    assert fault[:3] == ("lineups.csv", line, "armies")
    assert "5,4,4,4,3,3,2,2" in fault.text
    assert "exactly 5,4,4,3,3,2,2,2" in fault.text


def test_a_lost_army_group_is_a_fault_of_its_line_up(folder):  # B1.2
    folder.drop("lineups.csv", "5,B,Regensburg,2")
    line = folder.line_of("lineups.csv", "5,B,Holstein")
    assert folder.only_fault()[:3] == ("lineups.csv", line, "armies")


def test_a_county_in_two_line_ups_of_one_player_number_is_a_fault(folder):  # B1.3
    line = folder.replace("lineups.csv", "4,D,Vogtland", "4,D,Baden")
    fault = folder.only_fault()
    assert fault[:3] == ("lineups.csv", line, "county")
    assert "'Baden' duplicates line" in fault.text


def test_a_county_out_of_the_game_in_a_line_up_is_a_fault(folder):  # B0.1
    line = folder.replace("lineups.csv", "3,A,Anhalt", "3,A,Tirol")
    fault = folder.only_fault()
    assert fault[:3] == ("lineups.csv", line, "county")
    assert "out of the game with 3 players" in fault.text


def test_an_unknown_county_in_a_line_up_is_a_fault(folder):
    line = folder.replace("lineups.csv", "3,A,Anhalt", "3,A,Mailand")
    fault = folder.only_fault()
    assert fault[:3] == ("lineups.csv", line, "county")
    assert "unknown county 'Mailand'" in fault.text


def test_another_assumed_county_is_allowed_and_reported(folder):  # B1.3
    folder.replace("lineups.csv", "5,E,Passau,2,rulebook", "5,E,Passau,2,assumed")
    assert "lineups.csv: 5 players, line-up E, Passau" in load_board(folder.path).assumed


def test_a_file_without_line_ups_lacks_all_twelve(folder):  # B1.3
    folder.write("lineups.csv", folder.lines("lineups.csv")[:1])
    faults = folder.faults()
    assert len(faults) == 3 + 4 + 5
    assert folder.places() == {("lineups.csv", 1, "lineup")}
