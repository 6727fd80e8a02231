//! Sets of positions of our own making, so that nothing has to be taken from anybody's collection: from games that our own search plays
//! against itself. The same seed makes the same set, on every machine, as long as search, evaluation and book stay as they are.

pub mod quiet;
