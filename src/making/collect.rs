//! Collects a set: one game after the other, from each at most one position, until there are enough of every
//! group and colour.

use super::criterion::{self, Contrast, Criterion, Reference, THOROUGH, color_index};
use super::games::{self, OPENING, Player};
use super::{Recipe, board, nth_seed};
use crate::arena::journal::Numbered;
use crate::book::Book;
use crate::position::Position;
use crate::score::Score;
use crate::suite::blunders::Thinker;
use anyhow::Context as _;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;

/// The reference looks at no more positions of one game: if so many are nothing, the next game is more likely
/// to help.
const ASKED: usize = 6;
/// After so many games a position the search is given up: the criterion cannot be met.
const GAMES: u64 = 400;
/// The memory of our own search, in megabytes.
const MEMORY: u32 = 2;

/// A position of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub fen: String,
    /// By the thorough reference.
    pub contrast: Contrast,
    /// Of [`Criterion::groups`].
    group: usize,
    color: usize,
}

/// A position as a journal keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    fen: String,
    best: String,
    score: i32,
    second: String,
    second_score: i32,
    group: usize,
}

impl From<&Found> for Kept {
    fn from(found: &Found) -> Kept {
        let contrast = &found.contrast;
        Kept {
            fen: found.fen.clone(),
            best: contrast.san.clone(),
            score: contrast.score.0,
            second: contrast.second.clone(),
            second_score: contrast.second_score.0,
            group: found.group,
        }
    }
}

impl Kept {
    fn found(&self) -> anyhow::Result<Found> {
        let position = Position::from_fen(&self.fen)?;
        Ok(Found {
            fen: self.fen.clone(),
            contrast: Contrast {
                best: position.parse_move(&self.best)?,
                san: self.best.clone(),
                score: Score(self.score),
                second: self.second.clone(),
                second_score: Score(self.second_score),
            },
            group: self.group,
            color: color_index(&position),
        })
    }
}

/// What was made of each game so far, from a journal if one is to be kept. `command` is the command that
/// makes the set.
///
/// # Errors
/// The journal is of another command, or cannot be read or written.
pub fn begun(
    journal: Option<&Path>,
    recipe: Recipe,
    reference: &Reference<'_>,
    command: &str,
) -> anyhow::Result<Numbered<Option<Kept>>> {
    let settings = json!({
        "work": "positions make",
        "command": command,
        "reference": reference.name,
        "version": env!("CARGO_PKG_VERSION"),
    });
    let games = usize::try_from(GAMES * u64::from(recipe.count))?;
    let begun = Numbered::<Option<Kept>>::open(journal, &settings, games, |torn| log::warn!("{torn}"))?;
    for (item, kept) in (0..).zip(begun.results()) {
        let Some(kept) = kept.as_ref().and_then(Option::as_ref) else { continue };
        let place = || format!("journal {}, item {item}", journal.unwrap_or(Path::new("")).display());
        kept.found().with_context(place)?;
    }
    Ok(begun)
}

/// Makes a set. Each position is from a game of its own, White and Black move in as many, and groups have the
/// same size, as far as the count can be divided. The set is in the order of groups, and in these in that of
/// the games. `tell` hears of each position that was found; games that `begun` knows are not played again.
///
/// # Errors
/// The reference has no answer, or what is asked for was not found in many games; the journal cannot be
/// written.
pub fn collect(
    criterion: &dyn Criterion,
    recipe: Recipe,
    reference: &mut Reference<'_>,
    begun: &mut Numbered<Option<Kept>>,
    tell: &mut dyn FnMut(&Found),
) -> anyhow::Result<Vec<Found>> {
    let mut player = Player::new(MEMORY)?;
    let book = Book::built_in();
    let mut set: Vec<Found> = Vec::new();
    let count = usize::try_from(recipe.count)?;
    for number in 0..GAMES * u64::from(recipe.count) {
        if set.len() == count {
            break;
        }
        let item = usize::try_from(number)?;
        let found = match &begun.results()[item] {
            Some(kept) => kept.as_ref().map(Kept::found).transpose()?,
            None => {
                let seed = nth_seed(recipe.seed, number);
                let game = games::play(&mut player, &book, criterion.rules(), seed);
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let order = criterion.order(&game, &mut random);
                let mut collector = Collector { criterion, player: &mut player, reference, set: &set, count };
                let found = collector.first(order.into_iter().map(|index| &game.positions[index]))?;
                begun.add(item, found.as_ref().map(Kept::from))?;
                found
            }
        };
        if let Some(found) = found {
            tell(&found);
            set.push(found);
        }
    }
    anyhow::ensure!(
        set.len() == count,
        "only {} of {count} {} positions were found in {} games",
        set.len(),
        criterion.name(),
        GAMES * u64::from(recipe.count)
    );
    set.sort_by_key(|found| found.group);
    Ok(set)
}

/// Looks through one game.
struct Collector<'m, 'r> {
    criterion: &'m dyn Criterion,
    player: &'m mut Player,
    reference: &'m mut Reference<'r>,
    /// What there is already.
    set: &'m [Found],
    /// How much there is to be.
    count: usize,
}

impl Collector<'_, '_> {
    fn first<'p>(&mut self, positions: impl Iterator<Item = &'p Position>) -> anyhow::Result<Option<Found>> {
        let mut asked = 0;
        for position in positions {
            // Without the game's history: there will be none in the set.
            let position = Position::from_fen(&position.to_fen())?;
            if !self.wants_color(&position) || !self.criterion.is_candidate(self.player, &position) {
                continue;
            }
            if let Some(found) = self.examine(&position)? {
                return Ok(Some(found));
            }
            asked += 1;
            if asked == ASKED {
                break;
            }
        }
        Ok(None)
    }

    /// Both references have to agree about the move, and that it stands out.
    fn examine(&mut self, position: &Position) -> anyhow::Result<Option<Found>> {
        let criterion = self.criterion;
        let Some(quick) = judge(criterion, self.player, &mut *self.reference.quick, position)? else {
            return Ok(None);
        };
        let group = criterion.group(&quick);
        if !self.wants_group(group) {
            return Ok(None);
        }
        let thorough = judge(criterion, self.player, &mut *self.reference.thorough, position)?;
        let agrees = |contrast: &Contrast| contrast.best == quick.best && criterion.group(contrast) == group;
        Ok(thorough.filter(agrees).and_then(|contrast| {
            let fen = position.to_fen();
            let is_new = self.set.iter().all(|other| board(&other.fen) != board(&fen));
            is_new.then(|| Found { fen, contrast, group, color: color_index(position) })
        }))
    }

    fn wants_color(&self, position: &Position) -> bool {
        let color = color_index(position);
        let same = self.set.iter().filter(|found| found.color == color).count();
        same < self.count.div_ceil(2)
    }

    fn wants_group(&self, group: usize) -> bool {
        let same = self.set.iter().filter(|found| found.group == group).count();
        same < self.count.div_ceil(self.criterion.groups())
    }
}

/// What one reference says, if it fits. The second search is made only where the first one's move suits.
fn judge(
    criterion: &dyn Criterion,
    player: &mut Player,
    reference: &mut dyn Thinker,
    position: &Position,
) -> anyhow::Result<Option<Contrast>> {
    let best = criterion::best(reference, position)?;
    if !criterion.suits(player, position, &best) {
        return Ok(None);
    }
    let contrast = criterion::with_second(reference, position, best)?;
    Ok(Some(contrast).filter(|contrast| criterion.is_unique(position, contrast)))
}

/// The set as EPD lines, with a head that says how it was made. Names count from 1: `mates30.01`. `command`
/// is the command that makes it again.
pub fn epd(criterion: &dyn Criterion, set: &[Found], reference: &Reference<'_>, command: &str) -> String {
    let (count, name, rules) = (set.len(), criterion.name(), criterion.rules());
    let end = match rules.resign {
        Some(ahead) => format!("ends when somebody is {ahead} centipawns ahead"),
        None => "goes on to the mate".to_owned(),
    };
    let mut text = format!(
        "# {count} {kind}, made by Kashan {version} with {reference} as the reference:\n\
         #     {command}\n\
         # Each is from a game of its own, played by Kashan's alpha-beta search against itself: {OPENING} half-moves of its book, some of them random, then\n\
         # one side has {strong} nodes a move and the other {weak}, and the game {end}. No position is from anybody's games.\n\
         # The reference searched all moves, and then all but its best one, with {nodes} nodes each, and both again with {more}; the move and the\n\
         # criterion are the same both times, and the numbers are those of the second time. White and Black move in as many positions.\n",
        kind = criterion.title(),
        version = env!("CARGO_PKG_VERSION"),
        reference = reference.name,
        strong = rules.strong,
        weak = rules.weak,
        nodes = reference.nodes,
        more = THOROUGH * reference.nodes,
    );
    for line in criterion.about() {
        text.push_str(&format!("# {line}\n"));
    }
    text.push_str("# c0 has the second best move and its value, from the side to move.\n");
    for (index, found) in set.iter().enumerate() {
        let contrast = &found.contrast;
        let second = format!("\"second {} {}\"", contrast.second, contrast.second_score);
        let mut operations = vec![("bm", contrast.san.clone()), ("c0", second)];
        operations.extend(criterion.operations(contrast));
        text.push_str(&line(&found.fen, &operations, &id(name, index, count)));
    }
    text
}

/// A line: the position, `operations` (opcode and operands, as they are to be written), the clocks and the
/// name. Operations are in alphabetical order if the caller's are, and come before `fmvn`.
pub fn line(fen: &str, operations: &[(&'static str, String)], id: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let (board, clocks) = fields.split_at(fields.len().min(4));
    let (half, full) = (clocks.first().unwrap_or(&"0"), clocks.get(1).unwrap_or(&"1"));
    let operations: String =
        operations.iter().map(|(opcode, operands)| format!("{opcode} {operands}; ")).collect();
    format!("{} {operations}fmvn {full}; hmvc {half}; id \"{id}\";\n", board.join(" "))
}

/// The name of the position at `index` (from 0) of a set of `count`: `quiet29.01`, so that names sort as
/// their numbers do.
pub fn id(set: &str, index: usize, count: usize) -> String {
    let width = count.to_string().len();
    format!("{set}{count}.{:0width$}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_clocks_and_names() {
        let operations = [("bm", "Kd2".to_owned()), ("ce", "-3".to_owned())];
        assert_eq!(
            line("4k3/8/8/8/8/8/8/4K3 w - - 7 61", &operations, &id("quiet", 8, 100)),
            "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; ce -3; fmvn 61; hmvc 7; id \"quiet100.009\";\n"
        );
        assert_eq!(id("mates", 29, 30), "mates30.30");
    }
}
