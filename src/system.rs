//! What differs from one operating system to another: signals, groups of processes, and huge pages. No other
//! room asks which system it is compiled for, but tests that need one. Files, paths, consoles, times and
//! programs on the PATH are left to crates that know all systems.

use std::io;

use memmap2::MmapMut;
use process_wrap::std::CommandWrap;

/// What a signal to this program means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Control-C at the terminal, or SIGINT of an old front end.
    Interrupt,
    /// The system, or whoever started the program, wants it to end.
    Terminate,
}

/// Hands every signal that comes to `handler`, in a thread of its own, until `handler` says false. To be
/// called before other threads are started: they would get the signals first.
///
/// On Windows, Control-C, Control-Break, a closed window and the end of the session are all interrupts: the
/// crate that waits for them does not tell them apart.
///
/// # Errors
/// The system gives no thread, or does not let signals be waited for.
#[cfg(unix)]
pub fn on_signals(mut handler: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
    use nix::sys::signal::{SigSet, Signal as Number};

    let signals = SigSet::from_iter([Number::SIGINT, Number::SIGTERM, Number::SIGHUP]);
    // What no thread takes waits for the one that asks for it.
    signals.thread_block()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
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

/// Stops the program until the shell lets it go on. Only shells of Unix know how.
pub fn suspend() {
    #[cfg(unix)]
    if let Err(error) = nix::sys::signal::raise(nix::sys::signal::Signal::SIGTSTP) {
        log::warn!("the program cannot be stopped for a while: {error}");
    }
}

/// Where files may not grow beyond a limit (`ulimit -f`), what is written beyond it is an error like a full
/// disk, and not the silent end of the program. All threads that are started later inherit this, the engines
/// do not. Other systems than Unix know no such limit.
///
/// # Errors
/// The system does not let signals be blocked.
pub fn outlive_file_limits() -> io::Result<()> {
    #[cfg(unix)]
    nix::sys::signal::SigSet::from_iter([nix::sys::signal::Signal::SIGXFSZ]).thread_block()?;
    Ok(())
}

/// Puts a program that is about to be started into a group with everything that it starts: an engine behind a
/// script is a child of the script, and both are killed together. And Control-C at the terminal goes to
/// everybody in the foreground group: the arena decides what it means for the engines, not the terminal.
///
/// Windows has jobs for the first purpose, and process groups for the second.
pub fn put_into_a_group(command: &mut CommandWrap) {
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command
        .wrap(process_wrap::std::CreationFlags(windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP))
        .wrap(process_wrap::std::JobObject);
}

/// Asks for huge pages behind memory that is read all over: the processor then finds their addresses in its
/// cache. Only Linux lets a program ask so; Windows gives them to administrators, macOS chooses by itself.
pub fn ask_for_huge_pages(memory: &MmapMut) {
    #[cfg(target_os = "linux")]
    if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
        log::debug!("no huge pages: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
