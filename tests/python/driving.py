"""What the drivers of both protocols share."""

import logging

import chess
import chess.engine

BACKENDS = ["genetic", "alphabeta", "minimax", "action"]


class NoWarnings(logging.Handler):
    """Unexpected output of the engine is only logged by python-chess; here it is an error, unless one of the words `harmless` is in it."""

    def __init__(self, harmless=()):
        super().__init__(logging.WARNING)
        self.harmless = harmless
        self.records = []

    def emit(self, record):
        if not any(word in record.getMessage() for word in self.harmless):
            self.records.append(record.getMessage())


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


def analysis(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    with engine.analysis(board) as running:
        for number, info in enumerate(running):
            if info.get("pv"):
                line = board.copy()
                for move in info["pv"]:
                    check(move in line.legal_moves, info)
                    line.push(move)
            if number >= 3:
                break
    info = engine.analyse(board, chess.engine.Limit(time=0.2), root_moves=[chess.Move.from_uci("a7a6")])
    check(info["pv"][0] == chess.Move.from_uci("a7a6"), info)
    info = engine.analyse(chess.Board("k7/8/1K6/8/8/8/8/7R w - - 0 1"), chess.engine.Limit(time=0.3))
    check(info["score"].relative == chess.engine.Mate(1), info)
