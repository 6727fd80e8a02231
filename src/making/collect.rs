//! Collects a set: one game after the other, from each at most one position, until there are enough of every group and colour.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::contrast::{self, Contrast, Reference, THOROUGH};
use super::criterion::{Criterion, color_index};
use super::games::{self, OPENING};
use super::player::Player;
use super::{Recipe, board, epd, nth_seed};
use crate::book::Book;
use crate::position::Position;
use crate::suite::blunders::Thinker;

/// The reference looks at no more positions of one game: if so many are nothing, the next game is more likely to help.
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

/// Makes a set. Each position is from a game of its own, White and Black move in as many, and groups have the same size, as far as the
/// count can be divided. The set is in the order of groups, and in these in that of the games. `tell` hears of each position that was found.
///
/// # Errors
/// The reference has no answer, or what is asked for was not found in many games.
pub fn collect(
    criterion: &dyn Criterion,
    recipe: Recipe,
    reference: &mut Reference<'_>,
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
        let seed = nth_seed(recipe.seed, number);
        let game = games::play(&mut player, &book, criterion.rules(), seed);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let order = criterion.order(&game, &mut random);
        let mut maker = Maker {
            criterion,
            player: &mut player,
            reference,
            set: &set,
            count,
        };
        let candidates = order.into_iter().map(|index| &game.positions[index]);
        if let Some(found) = maker.first(candidates)? {
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
struct Maker<'m, 'r> {
    criterion: &'m dyn Criterion,
    player: &'m mut Player,
    reference: &'m mut Reference<'r>,
    /// What there is already.
    set: &'m [Found],
    /// How much there is to be.
    count: usize,
}

impl Maker<'_, '_> {
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
            is_new.then(|| Found {
                fen,
                contrast,
                group,
                color: color_index(position),
            })
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
    let best = contrast::best(reference, position)?;
    if !criterion.suits(player, position, &best) {
        return Ok(None);
    }
    let contrast = contrast::with_second(reference, position, best)?;
    Ok(Some(contrast).filter(|contrast| criterion.is_unique(position, contrast)))
}

/// The set as EPD lines, with a head that says how it was made. Names count from 1: `mates30.01`. `command` is the command that makes it again.
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
        text.push_str(&epd::line(&found.fen, &operations, &epd::id(name, index, count)));
    }
    text
}
