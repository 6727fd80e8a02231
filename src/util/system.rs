//! The differences between operating systems: signals, programs and groups of processes,
//! huge pages, and folder entries other than files. No other room asks for the system, but tests
//! that need one. The terminal is left to crates for all systems.

mod programs;
mod time;

use std::fs::{File, FileType, Metadata};
use std::io;
use std::path::Path;

use memmap2::MmapMut;
use process_wrap::std::CommandWrap;
use rand::TryRng as _;
use rand::rngs::SysRng;

pub use programs::{data_folder, find_program, has_program, open_in_browser};
pub use time::ProcessorTime;

/// The meaning of a signal to this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Control-C at the terminal, or SIGINT of an old front end.
    Interrupt,
    /// The system, or the program's parent, wants the program to end.
    Terminate,
}

/// Hands every signal to `handler`, in a thread of its own, until `handler` says false. To be
/// called before other threads are started: they would get the signals first.
///
/// On Windows, Control-C, Control-Break, a closed window and the end of the session are all
/// interrupts: the crate does not tell them apart.
///
/// # Errors
/// The system gives no thread, or does not let signals be waited for.
#[cfg(unix)]
pub fn on_signals(mut handler: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
    use nix::sys::signal::{SigSet, Signal as Number};

    let signals = SigSet::from_iter([Number::SIGINT, Number::SIGTERM, Number::SIGHUP]);
    // What no thread takes waits for the one that asks for it.
    signals.thread_block()?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            while let Ok(signal) = signals.wait() {
                let meaning = match signal {
                    Number::SIGINT => Signal::Interrupt,
                    _ => Signal::Terminate,
                };
                if !handler(meaning) {
                    return;
                }
            }
        })?;
    Ok(())
}

/// See above.
#[cfg(windows)]
pub fn on_signals(mut handler: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || _ = handler(Signal::Interrupt)).map_err(io::Error::other)
}

/// Returns an unpredictable number.
///
/// # Panics
/// If the system has no random numbers. No known system lacks them.
pub fn random() -> u64 {
    SysRng
        .try_next_u64()
        .expect("every system has random numbers")
}

/// The mode of the terminal, restored on drop: a thread editing a line has changed the mode, and
/// does not hear of the program's end. Windows restores it by itself.
pub struct TerminalMode {
    #[cfg(unix)]
    mode: Option<nix::sys::termios::Termios>,
}

impl TerminalMode {
    pub fn remember() -> TerminalMode {
        TerminalMode {
            #[cfg(unix)]
            mode: nix::sys::termios::tcgetattr(io::stdin()).ok(),
        }
    }
}

impl Drop for TerminalMode {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(mode) = &self.mode {
            use nix::sys::termios::{SetArg, tcsetattr};
            let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, mode);
        }
    }
}

/// Gives a new file the owner and group of the old one in its place, if the user may do so. Windows
/// has other rules.
pub fn keep_owner(file: &File, old: &Metadata) {
    #[cfg(unix)]
    let _ = {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // The group alone may be allowed.
        fchown(file, None, Some(old.gid())).and(fchown(file, Some(old.uid()), None))
    };
    #[cfg(not(unix))]
    let _ = (file, old);
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error like a full disk, not the
/// silent end of the program. All threads started later inherit this, the engines do not. Only Unix
/// has such a limit.
///
/// # Errors
/// The system does not let signals be blocked.
pub fn outlive_file_limits() -> io::Result<()> {
    #[cfg(unix)]
    nix::sys::signal::SigSet::from_iter([nix::sys::signal::Signal::SIGXFSZ]).thread_block()?;
    Ok(())
}

/// Puts a program to be started into a group with all its children: an engine behind a script is a
/// child of the script, and both are killed together. And Control-C at the terminal goes to the
/// entire foreground group: the arena decides its meaning for the engines, not the terminal.
///
/// Windows has jobs for the first purpose, and process groups for the second.
pub fn put_into_a_group(command: &mut CommandWrap) {
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command
        .wrap(process_wrap::std::CreationFlags(
            windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP,
        ))
        .wrap(process_wrap::std::JobObject);
}

/// Asks for huge pages behind memory read all over: the processor then finds their addresses in its
/// cache. Only Linux lets a program ask so; Windows gives them to administrators, macOS chooses by
/// itself.
pub fn ask_for_huge_pages(memory: &MmapMut) {
    // Miri, which looks for undefined behaviour, has no such advice.
    #[cfg(target_os = "linux")]
    if !cfg!(miri)
        && let Err(error) = memory.advise(memmap2::Advice::HugePage)
    {
        log::debug!("no huge pages: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// The bytes of memory still usable without swapping or killing. Only Linux promises more memory
/// than there is; other systems refuse.
pub fn free_memory() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let (_, available) = text.split_once("MemAvailable:")?;
        let kilobytes: usize = available.split_whitespace().next()?.parse().ok()?;
        // Of a container: "max" if it has no limit of its own.
        let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").unwrap_or_default();
        Some(
            limit
                .trim()
                .parse()
                .unwrap_or(usize::MAX)
                .min(kilobytes << 10),
        )
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The identity of a file by any path, through links of both kinds. Only Unix has such numbers.
pub fn identity(path: &Path) -> Option<[u64; 2]> {
    identity_of(&std::fs::metadata(path).ok()?)
}

/// The same of an open file.
pub fn identity_of(metadata: &Metadata) -> Option<[u64; 2]> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some([metadata.dev(), metadata.ino()])
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// The kinds of folder entries that look like files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// A terminal, or a device without beginning and end.
    CharacterDevice,
    BlockDevice,
    NamedPipe,
    Socket,
}

/// The kind of an entry that is neither a file nor a folder. Only Unix has such entries.
pub fn special(kind: FileType) -> Option<Special> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        match kind {
            _ if kind.is_char_device() => Some(Special::CharacterDevice),
            _ if kind.is_block_device() => Some(Special::BlockDevice),
            _ if kind.is_fifo() => Some(Special::NamedPipe),
            _ if kind.is_socket() => Some(Special::Socket),
            _ => None,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = kind;
        None
    }
}
