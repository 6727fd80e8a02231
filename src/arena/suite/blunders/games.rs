//! Games for judgement: PGN read, and written again with everything kept and the blunders marked.

use std::path::Path;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _};

use super::case::NamedGame;
use super::judge::Finding;
use super::report::from_white;
use crate::arena::suite::{Bands, Grade, Loss};
use crate::rules::pgn::{self, Movetext, Reader, Rules, Strict, tag_pair};

/// The games of a PGN file's bytes, and the faults of unreadable ones, each in order. `path` is the
/// file's name.
pub fn read(path: &Path, bytes: &[u8]) -> (Vec<NamedGame>, Vec<String>) {
    let mut games = Vec::new();
    let mut errors = Vec::new();
    let rules = Rules {
        strict: Strict::All,
        ..Rules::default()
    };
    let mut reader = Reader::new(bytes);
    let error = |line: u64, number: u32, reason: &str| {
        format!("{}, line {line}: game {number}: {reason}", path.display())
    };
    // A source in memory can always be read.
    while let Ok(Some(text)) = reader.next_game() {
        match pgn::PgnGame::read(&text, &rules) {
            Ok(pgn) => games.push(NamedGame {
                name: text.number.to_string(),
                pgn,
            }),
            Err(fault) => errors.push(error(text.line, text.number, &fault.to_string())),
        }
    }
    if games.is_empty() && errors.is_empty() {
        errors.push(error(1, 1, "there is none"));
    }
    (games, errors)
}

/// The beginning of our name among the annotators.
const ANNOTATOR: &str = "Kashan, by ";

/// The number of half-moves shown of the better line.
const VARIATION: usize = 10;

/// A game as PGN, an empty line at its end. `findings` has each half-move's finding, `None` if not
/// judged.
///
/// A move that is not fine has its glyph (`$4` for `??`, `$2` for `?`, `$6` for `?!`), a comment
/// with the reference's values from White's point of view, the loss in pawns and the reason, and
/// the better line as a variation. Comments and variations of others are kept, earlier ones of ours
/// are not; `judge` stands before other annotators.
pub fn write(
    game: &NamedGame,
    findings: &[Option<&Finding>],
    bands: &Bands,
    judge: &str,
) -> String {
    let mut text = String::new();
    for (name, value) in &game.pgn.tags.0 {
        if name != "Annotator" {
            text += &tag_pair(name, value);
        }
    }
    let mut annotators = vec![format!("{ANNOTATOR}{judge}")];
    let others = game.tag("Annotator").split("; ");
    annotators.extend(
        others
            .filter(|name| !name.starts_with(ANNOTATOR) && *name != "?")
            .map(str::to_owned),
    );
    text += &tag_pair("Annotator", &annotators.join("; "));
    text + "\n" + &movetext(game, findings, bands)
}

fn movetext(
    NamedGame { pgn: game, .. }: &NamedGame,
    findings: &[Option<&Finding>],
    bands: &Bands,
) -> String {
    let mut text = Movetext::new(game.start.fullmoves().get(), game.start.turn());
    for comment in &game.comments {
        text.comment(comment);
    }
    for (ply, (position, mv)) in game.positions().enumerate() {
        let remark = match findings.get(ply) {
            Some(Some(finding)) => remark(finding, bands, &position),
            _ => None,
        };
        text.mv(&SanPlus::from_move(position, mv.mv).to_string());
        if let Some((grade, comment, _)) = &remark {
            if let Some(glyph) = grade.glyph() {
                text.word(glyph);
            }
            text.comment(comment);
        }
        let (ours, others): (Vec<_>, Vec<_>) = mv.comments.iter().partition(|text| is_ours(text));
        for comment in others {
            text.comment(comment);
        }
        if let Some((.., line)) = remark {
            text.variation(line.iter().take(VARIATION).map(String::as_str));
        }
        // Each of our comments was followed by a variation.
        for variation in mv.variations.iter().skip(ours.len()) {
            text.verbatim(variation);
        }
    }
    match game.result {
        Some(result) => text.finish(result.as_str()),
        None => text.finish(game.tags.get("Result").unwrap_or("*")),
    }
}

/// The remark on a move below fine: its grade, a comment, and the better line.
fn remark<'f>(
    finding: &'f Finding,
    bands: &Bands,
    position: &Chess,
) -> Option<(Grade, String, &'f [String])> {
    let Finding::Judged { played, best } = finding else {
        return None;
    };
    let loss = Loss::new(best.score, played.score);
    let grade = bands.grade(loss);
    if grade == Grade::Fine {
        return None;
    }
    let was = from_white(position.turn(), played.score);
    let could_be = from_white(position.turn(), best.score);
    let pawns = format!("loses {:.2}", loss.pawns());
    let why = match finding.reason(position) {
        // So many pawns are only what a mate counts.
        Some(reason) if was.is_mate() || could_be.is_mate() => reason,
        Some(reason) => format!("{pawns}; {reason}"),
        None => pawns,
    };
    let comment = format!("{was}, {could_be}{POSSIBLE}{why}");
    Some((grade, comment, &best.line))
}

/// The mark of our comments, between values and words.
const POSSIBLE: &str = " was possible: ";

fn is_ours(comment: &str) -> bool {
    let values = comment.split_once(POSSIBLE);
    values.is_some_and(|(values, _)| !values.contains(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::blunders::judge::Valued;
    use crate::arena::suite::tests::{self, valued};
    use crate::rules::score::Score;

    #[test]
    fn blunders_have_glyph_values_and_the_better_line() {
        let text =
            "[White \"A \\\\ \\\"B\\\"\"]\n[Result \"0-1\"]\n\n{a} 1. f3 {why} e5 2. g4 Qh4# 0-1\n";
        let game = tests::game(text);
        let judged = |played: Valued, best: Valued| Finding::Judged { played, best };
        let findings = [
            judged(valued("f3", -80), valued("e4 e5 Nf3", 30)),
            judged(valued("e5", 80), valued("e5", 80)),
            judged(valued("g4", Score::mated_in(2).0), valued("e4", -80)),
        ];
        let findings: Vec<Option<&Finding>> = findings.iter().map(Some).chain([None]).collect();
        let bands = Bands {
            inaccuracy: Some(50),
            mistake: Some(100),
            ..Bands::default()
        };
        let pgn = write(&game, &findings, &bands, "Stockfish, nodes=5");
        let expected = "[White \"A \\\\ \\\"B\\\"\"]\n[Result \"0-1\"]\n[Annotator \"Kashan, by Stockfish, nodes=5\"]\n\n\
            {a} 1. f3 $2 {-0.80, +0.30 was possible: loses 1.10} {why} (1. e4 e5 2. Nf3)\n\
            1... e5 2. g4 $4 {#-1, -0.80 was possible: allows mate in 1} (2. e4) 2... Qh4#\n0-1\n\n";
        assert_eq!(pgn, expected);
        // It can be read again, and has the same moves.
        assert!(
            tests::game(&pgn).pgn.moves.iter().map(|mv| mv.mv).eq(game
                .pgn
                .moves
                .iter()
                .map(|mv| mv.mv))
        );
        // Black's losses are seen from White, too; without bands only blunders are marked.
        let black = judged(valued("Qh4#", 0), valued("Qf6", 200));
        let pgn = write(
            &game,
            &[None, None, None, Some(&black)],
            &Bands::default(),
            "me",
        )
        .replace('\n', " ");
        assert!(
            pgn.contains("Qh4# $4 {+0.00, -2.00 was possible: loses 2.00} (2... Qf6)"),
            "{pgn}"
        );
        assert!(!pgn.contains("$2"), "{pgn}");
    }

    #[test]
    fn a_game_that_begins_elsewhere_keeps_its_numbers_and_its_side_to_move() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n";
        let worse = Finding::Judged {
            played: valued("e4", -50),
            best: valued("Kd2", 200),
        };
        let pgn = write(
            &tests::game(text),
            &[None, Some(&worse)],
            &Bands::default(),
            "me",
        );
        let marked = "40... Kd7 41. e4 $4 {-0.50, +2.00 was possible: loses 2.50} (41. Kd2)";
        assert!(pgn.contains(marked), "{pgn}");
    }

    #[test]
    fn earlier_remarks_of_ours_are_replaced_and_those_of_others_are_kept() {
        let text = "[Annotator \"Ann; Kashan, by Fish\"]\n\n\
            1. f3 {why} $2 {-0.80, +0.30 was possible: loses 1.10} (1. d4) (1. e4 e5 {or\n; so)\n} (1... c5)) e5 *\n";
        let worse = Finding::Judged {
            played: valued("f3", -90),
            best: valued("c4", 200),
        };
        let mut pgn = text.to_owned();
        for (judge, findings) in [("Owl", vec![Some(&worse)]), ("Bat", Vec::new())] {
            pgn = write(&tests::game(&pgn), &findings, &Bands::default(), judge);
            assert!(
                pgn.contains(&format!("[Annotator \"Kashan, by {judge}; Ann\"]\n")),
                "{pgn}"
            );
            assert_eq!(
                pgn.matches("(1. e4 e5 {or\n; so)\n} (1... c5))").count(),
                1,
                "{pgn}"
            );
            assert_eq!(pgn.matches("{why}").count(), 1, "{pgn}");
            assert!(!pgn.contains("-0.80") && !pgn.contains("d4"), "{pgn}");
            assert_eq!(pgn.matches("(1. c4)").count(), findings.len(), "{pgn}");
        }
    }

    const GOOD: &str = "[White \"A\"]\n[Opening \"Réti\"]\n\n{before} 1. Nf3 {first} {second} d5 $1 (1... e5? 2. Nxe5) 2. c4!? 1-0\n\n";

    #[test]
    fn what_is_no_game_is_named_and_the_others_are_read() {
        let bad = "[White \"A\"]\n\n1. e4 e5 2. Nf9 Nf3 *\n\n";
        let (games, errors) = read(Path::new("my.pgn"), format!("{GOOD}{bad}{GOOD}").as_bytes());
        assert_eq!(
            (games[0].name.as_str(), games[1].name.as_str(), games.len()),
            ("1", "3", 2)
        );
        assert_eq!(errors.len(), 1);
        let start = "my.pgn, line 6: game 2: \"Nf9\" at move 2 is neither";
        assert!(errors[0].starts_with(start), "{}", errors[0]);
        let (games, errors) = read(Path::new("empty.pgn"), b"\n");
        assert!(
            games.is_empty() && errors[0].contains("empty.pgn"),
            "{errors:?}"
        );
    }
}
