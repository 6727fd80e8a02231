"""Drives the engine through python-chess's UCI client.

Usage: drive_uci.py ENGINE. Fails with a traceback at the first thing that is not as it should be; whatever python-chess warns of counts.
"""

import logging
import sys

import chess
import chess.engine

from driving import BACKENDS, NoWarnings, analysis, check


def options(engine):
    known = engine.options
    check(known["Backend"].type == "combo" and known["Backend"].var == BACKENDS, known["Backend"])
    check(known["OwnBook"].type == "check" and known["OwnBook"].default is True, known["OwnBook"])
    check(known["BookFile"].type == "string" and known["BookFile"].default in ("", "<empty>"), known["BookFile"])
    check((known["Threads"].min, known["Threads"].max) == (1, 256), known["Threads"])
    check("MultiPV" in known and "Resign" not in known and "Population" not in known, list(known))
    engine.configure({"OwnBook": False, "Move Overhead": 32, "Hash": 16, "Threads": 1, "Backend": "alphabeta"})
    engine.ping()


def lichess_bot(engine):
    """What lichess-bot sets if nobody changes its example, and what it reads."""
    engine.configure(
        {"Move Overhead": 100, "Threads": 4, "Hash": 512, "SyzygyPath": "./syzygy/", "UCI_ShowWDL": True}
    )
    result = engine.play(chess.Board(), chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
    chances = result.info["wdl"].relative
    check(sum([chances.wins, chances.draws, chances.losses]) == 1000, chances)
    engine.configure({"Threads": 1, "Hash": 16, "SyzygyPath": "", "UCI_ShowWDL": False, "Clear Hash": None})
    engine.ping()


def limits(engine):
    board = chess.Board()
    for game, limit in enumerate(
        [
            chess.engine.Limit(time=0.3),
            chess.engine.Limit(depth=3),
            chess.engine.Limit(depth=3, time=1),
            chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1),
            chess.engine.Limit(white_clock=1, black_clock=1, remaining_moves=5),
            chess.engine.Limit(nodes=2000),
        ]
    ):
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        check(result.move in board.legal_moves, limit, result)
        info = result.info
        check("score" in info and info["pv"] and info["pv"][0] == result.move, limit, info)
        if limit.depth:
            check(info["depth"] <= limit.depth, limit, info)
        if limit.nodes:
            check(info["nodes"] <= limit.nodes, limit, info)


def whole_game(engine, ponder):
    """Both sides, so that every search after a pondered move is a hit or a miss."""
    board = chess.Board()
    clocks = 3.0
    guesses = 0
    while not board.is_game_over(claim_draw=True) and board.ply() < 40:
        limit = chess.engine.Limit(white_clock=clocks, black_clock=clocks, white_inc=0.02, black_inc=0.02)
        result = engine.play(board, limit, game="whole", ponder=ponder)
        check(result.move in board.legal_moves, board.fen(), result)
        board.push(result.move)
        if result.ponder is not None:
            check(result.ponder in board.legal_moves, board.fen(), result)
            guesses += 1
            # Every other time the opponent does what was expected: a hit.
            if ponder and guesses % 2:
                board.push(result.ponder)
    check(guesses > 0, "no ponder move at all")


def positions(engine):
    mate = chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    result = engine.play(mate, chess.engine.Limit(time=0.2), info=chess.engine.INFO_SCORE)
    check(result.info["score"].relative == chess.engine.Mate(1), result)
    mate.push(result.move)
    check(mate.is_checkmate(), result)
    two = chess.Board("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1")
    result = engine.play(two, chess.engine.Limit(mate=2), info=chess.engine.INFO_SCORE)
    check(result.info["score"].relative == chess.engine.Mate(2) and result.move.uci() == "d2h6", result)
    for fen, moves in [
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", ["e5f6"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "e8c8"]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7a8n"]),
        (chess.STARTING_FEN, ["g1f3", "g8f6", "f3g1", "f6g8"] * 2),
    ]:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        check(engine.play(board, chess.engine.Limit(time=0.05)).move in board.legal_moves, fen)
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.play(chess.Board(), chess.engine.Limit(time=0.3), root_moves=only)
    check(result.move in only, result)


def several(engine):
    lines = engine.analyse(chess.Board(), chess.engine.Limit(nodes=20000), multipv=3)
    check([line["multipv"] for line in lines] == [1, 2, 3], lines)
    check(len({line["pv"][0] for line in lines}) == 3, lines)


def main():
    warnings = NoWarnings()
    logging.getLogger("chess.engine").addHandler(warnings)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60) as engine:
        check(engine.id["name"].startswith("Kashan ") and engine.id["author"], engine.id)
        options(engine)
        lichess_bot(engine)
        for backend in BACKENDS:
            engine.configure({"Backend": backend})
            engine.ping()
            limits(engine)
            positions(engine)
            analysis(engine)
            several(engine)
            whole_game(engine, ponder=False)
            whole_game(engine, ponder=True)
            print(f"{backend}: limits, positions, analysis, two games")
        engine.quit()
    # lichess-bot's example names a folder that is not there: that is said, and nothing else.
    others = [record for record in warnings.records if "./syzygy/" not in str(record)]
    check(not others, *others)
    print("all well")


main()
