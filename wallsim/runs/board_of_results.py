"""The board of a folder of results: that of the game, or the copy in the folder."""

from __future__ import annotations

from wallsim.errors import InputError, RunError
from wallsim.rules.board import Board, load_board, printed_board
from wallsim.runs.folder.layout import BOARD
from wallsim.runs.folder.result_folder import ResultFolder, readable


def board_of(results: ResultFolder) -> Board:
    """The board that results were played on. RunError if the folder has no sound copy of a custom one."""
    if results.identity["board"] == printed_board().digest:
        return printed_board()
    names = [name for name in results.manifest["papers"] if name.startswith(f"{BOARD}/")]
    try:
        with readable(results.place):
            board = load_board(results.place.on_disk(iter(names)) / BOARD)
    except InputError as error:
        raise RunError(f"{results.folder}: {error}") from None
    if board.digest != results.identity["board"]:
        raise RunError(f"{results.folder}/{BOARD}: its bytes have changed; {results.repair_hint(results.place)}")
    return board


def printed_lineup(board: Board, players: int, letter: str) -> dict[str, int]:
    """The counties of a printed line-up with their armies, in their order; empty if the board has no such line-up."""
    return {board.counties[county]: armies for county, armies, _ in board.lineups.get((players, letter), ())}
