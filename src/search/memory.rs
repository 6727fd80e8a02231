//! Memory for trees and tables: the size asked for, or as much as the machine gives; all of it goes
//! back to the system.

use std::hint::black_box;
use std::{io, thread};

use memmap2::MmapMut;

use crate::util::system;

/// The least size of a tree or table in bytes, however small it is to be. Untouched memory costs
/// nothing.
///
/// The allocator of Linux (glibc) maps blocks beyond 32 MB one by one, and gives them back to the
/// system when they are freed. It keeps smaller ones for itself once one of their size was freed,
/// wherever they lie: tables that are resized often then take several times their memory.
const LEAST_BYTES: usize = 33 << 20;

/// The bytes left for all other memory of a search.
const REST_BYTES: usize = 4 << 20;

/// An empty vector with room for `count` elements or more. If there is no memory for so many, half
/// of them are tried, then a quarter, and so on.
///
/// A user may ask for more than the machine has, and a failed allocation would end the program.
pub fn reserve<T>(count: usize) -> Vec<T> {
    let mut wanted = count.max(LEAST_BYTES / size_of::<T>().max(1));
    while wanted > 1 {
        let mut room = Vec::new();
        let mut rest = Vec::<u8>::new();
        let fits =
            room.try_reserve_exact(wanted).is_ok() && rest.try_reserve_exact(REST_BYTES).is_ok();
        // Or the compiler sees that nothing uses the rest, and does not ask for it.
        black_box(&rest);
        if fits {
            if wanted < count {
                log::warn!(
                    "no memory for {count} nodes or entries of the search: {wanted} have to do"
                );
            }
            return room;
        }
        wanted /= 2;
    }
    Vec::with_capacity(1)
}

/// Checks if so many bytes could be had.
///
/// # Errors
/// If not.
pub fn room_for(bytes: usize) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    let result = room.try_reserve_exact(bytes);
    black_box(&room);
    result.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))
}

/// Memory of so many bytes, all 0, from the beginning of a page. If there is no memory for so many:
/// as many as are free, or half of them, or a quarter, and so on.
///
/// A table is read all over, so the pages are huge ones where the system has them.
pub fn map(bytes: usize) -> MmapMut {
    // All of it will be touched, and the system promises more than it has. An eighth is left for
    // others.
    let free = system::free_memory().map_or(usize::MAX, |free| (free / 8 * 7) >> 20 << 20);
    let mut wanted = bytes.min(free.max(LEAST_PAGE));
    loop {
        match MmapMut::map_anon(wanted) {
            Ok(memory) => {
                if wanted < bytes {
                    log::warn!("no memory for a table of {bytes} bytes: {wanted} have to do");
                }
                system::ask_for_huge_pages(&memory);
                return memory;
            }
            Err(error) if wanted <= LEAST_PAGE => panic!("no memory for {wanted} bytes: {error}"),
            // A power of two, so that whole buckets fill it.
            Err(_) => wanted = 1 << (wanted / 2).ilog2(),
        }
    }
}

/// No system has smaller pages, and without one nothing runs.
const LEAST_PAGE: usize = 4096;

/// Touches all pages, `at_once` bytes on each core at a time: the system finds memory only at its
/// first use. The contents stay.
pub fn touch(memory: &mut [u8], at_once: usize) {
    let touch = |part: &mut [u8]| {
        for byte in part.iter_mut().step_by(LEAST_PAGE) {
            // Or the compiler sees that nothing changes.
            *byte = black_box(*byte);
        }
    };
    thread::scope(|scope| {
        let mut parts = memory.chunks_mut(at_once);
        let own = parts.next();
        for part in parts {
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, move || touch(part)) {
                // What is not touched now will be later, when it is used.
                log::debug!("no thread to touch memory with: {error}");
            }
        }
        own.map(touch);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_given_and_too_much_is_halved() {
        assert!(reserve::<u64>(1000).capacity() >= 1000);
        assert!(reserve::<u64>(0).capacity() >= 1);
        // More than any machine can address.
        let impossible = usize::MAX / size_of::<u64>();
        let room = reserve::<u64>(impossible);
        assert!(room.capacity() > 1000 && room.capacity() < impossible);
    }

    #[test]
    fn a_map_is_as_large_as_the_machine_allows_and_empty() {
        let memory = map(64 * 1000);
        assert!(memory.len() == 64 * 1000 && memory.iter().all(|&byte| byte == 0));
        let impossible = usize::MAX;
        let memory = map(impossible);
        assert!(
            memory.len() >= LEAST_PAGE
                && memory.len() < impossible
                && memory.len().is_multiple_of(64)
        );
    }

    /// The system would promise it, and end the program when it is used.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_map_is_no_larger_than_the_memory_that_is_free() {
        let free = system::free_memory().expect("Linux says it");
        assert!(map(free).len() < free / 16 * 15);
    }
}
