//! Processor time.

use std::time::Duration;

/// A moment of the processor's time, of the program or of this thread alone. Windows has the wall
/// clock instead.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorTime {
    #[cfg(unix)]
    clock: nix::time::ClockId,
    #[cfg(unix)]
    begun: Duration,
    #[cfg(not(unix))]
    begun: std::time::Instant,
}

#[cfg(unix)]
impl ProcessorTime {
    /// The time of all threads together.
    pub fn of_program() -> ProcessorTime {
        ProcessorTime::of(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID)
    }

    /// The time of the calling thread.
    pub fn of_thread() -> ProcessorTime {
        ProcessorTime::of(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)
    }

    fn of(clock: nix::time::ClockId) -> ProcessorTime {
        ProcessorTime {
            clock,
            begun: ProcessorTime::now(clock),
        }
    }

    fn now(clock: nix::time::ClockId) -> Duration {
        // Every system has both clocks.
        clock.now().map(Duration::from).unwrap_or_default()
    }

    /// The processor's time since then.
    pub fn elapsed(&self) -> Duration {
        ProcessorTime::now(self.clock).saturating_sub(self.begun)
    }
}

#[cfg(not(unix))]
impl ProcessorTime {
    /// The time of all threads together.
    pub fn of_program() -> ProcessorTime {
        ProcessorTime {
            begun: std::time::Instant::now(),
        }
    }

    /// The time of the calling thread.
    pub fn of_thread() -> ProcessorTime {
        ProcessorTime::of_program()
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
