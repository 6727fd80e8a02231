//! Processor time.

use std::time::Duration;

/// A moment of the calling thread's processor time. Windows has the wall clock instead.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorTime {
    #[cfg(unix)]
    begun: Duration,
    #[cfg(not(unix))]
    begun: std::time::Instant,
}

#[cfg(unix)]
impl ProcessorTime {
    /// The time of the calling thread.
    pub fn of_thread() -> ProcessorTime {
        ProcessorTime {
            begun: ProcessorTime::now(),
        }
    }

    fn now() -> Duration {
        // Every system has this clock.
        let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
        clock.now().map(Duration::from).unwrap_or_default()
    }

    /// The processor's time since then.
    pub fn elapsed(&self) -> Duration {
        ProcessorTime::now().saturating_sub(self.begun)
    }
}

#[cfg(not(unix))]
impl ProcessorTime {
    /// The time of the calling thread.
    pub fn of_thread() -> ProcessorTime {
        ProcessorTime {
            begun: std::time::Instant::now(),
        }
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
