"""Reads PGN files with python-chess and checks that every move is legal and every result fits the final position.

Usage: check_pgn.py GAMES FILE... where GAMES is the number of games that there should be in all.
"""

import sys

import chess.pgn


def main():
    games = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                games += 1
                assert not game.errors, (path, game.headers, game.errors)
                board = game.end().board()
                result = game.headers["Result"]
                assert result in ("1-0", "0-1", "1/2-1/2"), (path, result)
                outcome = board.outcome(claim_draw=False)
                if outcome is not None:
                    assert outcome.result() == result, (path, outcome, result)
                elif result != "1/2-1/2" and "wins on time" not in game.end().comment:
                    # xboard calls flags, and adjudicates nothing else unless told to.
                    raise AssertionError(f"{path}: {result} without mate: {game.end().comment}")
                print(f"{game.headers['White']} - {game.headers['Black']}: {result} in {board.ply()} half-moves")
    assert games == int(sys.argv[1]), f"{games} games instead of {sys.argv[1]}"


main()
