//! The evaluation over the game, in signs.

use crate::rules::score::Score;

/// Returns the pawns at the graph's top; its bottom is as far below zero.
pub fn top(scores: &[Score]) -> i32 {
    let most = scores.iter().map(|score| score.0.abs()).max().unwrap_or(0);
    [1, 2, 5]
        .into_iter()
        .find(|pawns| most <= pawns * 100)
        .unwrap_or(10)
}

/// Columns grow up from the middle where White is better, and down where Black is. The newest is on
/// the right. Half a sign is the least that is seen.
pub fn rows(scores: &[Score], top: i32, width: usize, height: usize, unicode: bool) -> Vec<String> {
    let half = (height / 2).max(1);
    let columns = columns(scores, width);
    let signs = if unicode {
        ['▄', '█', '▀', '▁']
    } else {
        ['.', '#', '\'', '_']
    };
    let sign = |score: &Option<Score>, row: usize| -> char {
        let Some(score) = score else {
            return ' ';
        };
        let most = top * 100;
        let steps = score.0.clamp(-most, most) * 2 * half as i32;
        let steps = (f64::from(steps) / f64::from(most)).round() as i32;
        let is_upper = row < half;
        let from_middle = if is_upper { half - 1 - row } else { row - half } as i32;
        let own = if is_upper { steps } else { -steps };
        match (own - 2 * from_middle, is_upper) {
            (2.., _) => signs[1],
            (1, true) => signs[0],
            (1, false) => signs[2],
            // There was a score, and it is next to nothing.
            (0, true) if steps == 0 && from_middle == 0 => signs[3],
            _ => ' ',
        }
    };
    (0..2 * half)
        .map(|row| columns.iter().map(|score| sign(score, row)).collect())
        .collect()
}

/// Returns one score a column: of many some are left out, of few each has a few columns.
fn columns(scores: &[Score], width: usize) -> Vec<Option<Score>> {
    if scores.is_empty() || width == 0 {
        return vec![None; width];
    }
    let each = (width / scores.len()).clamp(1, 3);
    let shown = scores.len().min(width);
    (0..width)
        .map(|column| {
            (column / each < shown).then(|| scores[(column / each) * scores.len() / shown])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_grow_from_the_middle() {
        let scores = [0, 125, 250, 900, -125, -500].map(Score);
        assert_eq!(
            rows(&scores, 5, 6, 4, true),
            ["   █  ", "▁▄██  ", "    ▀█", "     █"]
        );
        assert_eq!(
            rows(&scores, 5, 6, 4, false),
            ["   #  ", "_.##  ", "    '#", "     #"]
        );
        assert_eq!(rows(&[], 1, 3, 2, true), ["   ", "   "]);
    }

    #[test]
    fn the_scale_fits_the_scores() {
        let pawns = [0, 100, -101, 499, -3000].map(|score| top(&[Score(10), Score(score)]));
        assert_eq!(pawns, [1, 1, 2, 5, 10]);
    }

    #[test]
    fn a_long_game_is_seen_from_its_beginning_to_its_end() {
        let long: Vec<Score> = (0..200)
            .map(|number| Score(if number < 100 { 500 } else { -500 }))
            .collect();
        assert_eq!(rows(&long, 5, 10, 2, true), ["█████     ", "     █████"]);
        let short = [Score(500), Score(-500)];
        assert_eq!(rows(&short, 5, 8, 2, true), ["███     ", "   ███  "]);
    }
}
