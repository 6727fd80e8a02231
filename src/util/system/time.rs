//! Processor time.

use std::time::Duration;

/// A moment of the calling thread's processor time. Windows has the wall clock instead.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorTime(Duration);

impl ProcessorTime {
    /// The time of the calling thread.
    pub fn of_thread() -> ProcessorTime {
        // Every system has this clock.
        #[cfg(unix)]
        let now = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID
            .now()
            .map(Duration::from);
        #[cfg(not(unix))]
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed();
        ProcessorTime(now.unwrap_or_default())
    }

    /// The processor's time since then.
    pub fn elapsed(&self) -> Duration {
        ProcessorTime::of_thread().0.saturating_sub(self.0)
    }
}
