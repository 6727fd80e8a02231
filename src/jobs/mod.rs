//! Long work: what several threads do, what of it is kept on the disk, and how it is stopped.
//!
//! Matches, suites, blunder checks, experiments, tuning and the building of libraries all work this way: a
//! [`queue`] hands out the items, the [`journal`] keeps each result as soon as it is there, so that a program
//! that was killed goes on where it was, and a [`StopRequest`] ends it early. Of what is done on several
//! machines each does a [`Part`], and their journals are put together.

pub mod journal;
mod part;
pub mod queue;
mod stop;

use serde::Serialize;

pub use part::Part;
pub use stop::{StopRequest, StopSignal};

/// A number that tells settings apart: that of their JSON text.
pub fn fingerprint(value: &impl Serialize) -> u64 {
    fnv(serde_json::to_vec(value).expect("text and lists of text are always JSON"))
}

/// FNV-1a (Fowler, Noll, Vo) of some bytes, because the standard library's hashes may change from version to
/// version.
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_published_value_of_fnv_1a() {
        assert_eq!(super::fnv(*b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
