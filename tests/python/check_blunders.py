"""Computes the losses of `kashan blunders --json` anew: python-chess drives the reference, and the arithmetic is done here.

check_blunders.py ANSWER.json REFERENCE NODES
"""

import json
import sys

import chess
import chess.engine


def value(engine, board, move, nodes):
    """The reference's value of one move, from the mover's point of view, from a game of its own: the last that is no bound."""
    limit = chess.engine.Limit(nodes=nodes)
    last = None
    with engine.analysis(board, limit, game=object(), root_moves=[move]) as analysis:
        for info in analysis:
            if "score" in info and "lowerbound" not in info and "upperbound" not in info:
                last = info["score"].pov(board.turn)
    return last


def centipawns(score):
    if score.is_mate():
        return 2000 if score > chess.engine.Cp(0) else -1500
    return max(-1500, min(1500, score.score()))


def chances(score, told):
    """A mate decides. The curve of other scores is our own, and the row tells its value."""
    if score.is_mate():
        return 100.0 if score > chess.engine.Cp(0) else 0.0
    assert (told["chances"] > 50) == (score.score() > 0) or abs(score.score()) < 5, told
    return told["chances"]


def check(row, engine, nodes):
    """The loss of a row in centipawns, which is the one that the program computed."""
    board = chess.Board(row["fen"])
    played, best = (chess.Move.from_uci(row[which]["uci"]) for which in ("played", "best"))
    assert board.san(played) == row["played"]["san"], row
    free = engine.play(board, chess.engine.Limit(nodes=nodes), game=object()).move
    assert free == best, (row["name"], free, best)
    loss, points = 0, 0.0
    if played != best:
        of_best, of_played = (value(engine, board, move, nodes) for move in (best, played))
        loss = max(0, centipawns(of_best) - centipawns(of_played))
        points = max(0.0, chances(of_best, row["best"]) - chances(of_played, row["played"]))
    assert row["loss"]["centipawns"] == loss, (row, loss)
    assert abs(row["loss"]["chances"] - points) < 1e-9, (row, points)
    grades = {"fine": 0, "inaccuracy": 5, "mistake": 10, "blunder": 15}
    assert row["grade"] == [grade for grade, limit in grades.items() if points > limit or not limit][-1], row
    return loss


def main(path, reference, nodes):
    with open(path) as file:
        answer = json.load(file)
    # Closed whatever happens, or the engine would keep this program from ending.
    with chess.engine.SimpleEngine.popen_uci(reference) as engine:
        losses = [check(row, engine, nodes) for row in answer["positions"] if row["result"] == "judged"]
    assert len(losses) >= 20, len(losses)
    assert sum(loss > 0 for loss in losses) >= 5, losses
    mean = sum(losses) / len(losses) / 100
    assert abs(answer["summary"]["mean"] - mean) < 1e-9, mean
    blunders = sum(row.get("grade") == "blunder" for row in answer["positions"])
    assert answer["summary"]["blunders"]["count"] == blunders, blunders
    print(f"{len(losses)} losses agree, {blunders} blunders, mean {mean:.2f}: {losses}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
