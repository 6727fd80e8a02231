"""Drives the engine through python-chess, whose xboard client is stricter than any front end.

Usage: drive.py ENGINE. Fails with a traceback at the first thing that is not as it should be; whatever python-chess warns of counts.
"""

import logging
import sys

import chess
import chess.engine

from driving import BACKENDS, NoWarnings, analysis, check


def options(engine):
    known = engine.options
    check(known["Backend"].type == "combo" and known["Backend"].var == BACKENDS, known["Backend"])
    check((known["MultiPV"].min, known["MultiPV"].max) == (1, 218), known["MultiPV"])
    check("Population" not in known and "Hash" not in known, list(known))
    check(known["OwnBook"].type == "check" and known["OwnBook"].default, known["OwnBook"])
    check(known["BookFile"].type == "file")
    # What python-chess adds by itself, for other commands of the protocol.
    added = ("engine_rating", "opponent_rating", "egtpath syzygy")
    check(all(name.replace("_", "").isalnum() for name in known if name not in added), list(known))
    engine.configure({"OwnBook": False, "MoveOverhead": 32, "memory": 16, "Backend": "alphabeta"})
    engine.ping()


def limits(engine):
    board = chess.Board()
    game = 0
    for limit in [
        chess.engine.Limit(time=0.3),
        chess.engine.Limit(depth=3, time=1),
        chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1),
        chess.engine.Limit(white_clock=1, black_clock=1, remaining_moves=5),
        chess.engine.Limit(nodes=2000),
    ]:
        game += 1
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        check(result.move in board.legal_moves, limit, result)
        info = result.info
        check("score" in info and info["pv"] and info["pv"][0] in board.legal_moves, limit, info)
        if limit.depth:
            check(info["depth"] <= limit.depth, limit, info)
        if limit.nodes:
            check(info["nodes"] <= limit.nodes, limit, info)


def whole_game(engine, ponder):
    """Both sides, so that every move is a correction of what the engine expected, or a ponder hit."""
    board = chess.Board()
    clocks = {chess.WHITE: 3.0, chess.BLACK: 3.0}
    hits = 0
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=0.02, black_inc=0.02
        )
        result = engine.play(board, limit, game="whole", ponder=ponder)
        check(result.move in board.legal_moves, board.fen(), result)
        board.push(result.move)
        if ponder and result.ponder is not None:
            check(result.ponder in board.legal_moves, board.fen(), result)
            hits += 1
    check(hits > 0 or not ponder, "no ponder move at all")
    engine.send_game_result(board)


def positions(engine):
    mate = chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    result = engine.play(mate, chess.engine.Limit(time=0.2), info=chess.engine.INFO_SCORE)
    mate.push(result.move)
    check(mate.is_checkmate(), result)
    # En passant, castling, promotion are sent and taken in the client's own notation.
    for fen, moves in [
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", ["e5f6"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "e8c8"]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7a8n"]),
    ]:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        check(engine.play(board, chess.engine.Limit(time=0.05)).move in board.legal_moves, fen)
    # A position that occurred three times: the engine may claim, but has to move all the same.
    board = chess.Board()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(move)
    result = engine.play(board, chess.engine.Limit(time=0.05))
    check(result.move in board.legal_moves, result)
    # Forth and back in one game: undo and remove.
    board = chess.Board()
    for move in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]:
        board.push_uci(move)
    for plies in [5, 2, 4, 1, 0, 3]:
        shorter = chess.Board()
        for move in board.move_stack[:plies]:
            shorter.push(move)
        result = engine.play(shorter, chess.engine.Limit(time=0.02), game="forth and back")
        check(result.move in shorter.legal_moves, plies)
    result = engine.play(chess.Board(), chess.engine.Limit(time=0.3), game="draw", draw_offered=True)
    check(result.move is not None)


def main():
    # Of the protocol, but not of interest to python-chess: sigterm=0, and the answer to the "." that it sends itself.
    warnings = NoWarnings(harmless=("sigterm", "stat01:"))
    logging.getLogger("chess.engine").addHandler(warnings)
    with chess.engine.SimpleEngine.popen_xboard(sys.argv[1], timeout=60) as engine:
        check(engine.id["name"].startswith("Kashan "), engine.id)
        options(engine)
        for backend in BACKENDS:
            engine.configure({"Backend": backend})
            engine.ping()
            limits(engine)
            positions(engine)
            analysis(engine)
            whole_game(engine, ponder=False)
            print(f"{backend}: limits, positions, analysis, a game")
        engine.configure({"Backend": "alphabeta"})
        whole_game(engine, ponder=True)
        engine.quit()
    check(not warnings.records, *warnings.records)
    print("all well")


main()
