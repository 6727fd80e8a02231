//! A program that was started.

use std::process::Child;

/// It is killed if the test fails.
pub struct Running(pub Child);

impl Running {
    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("it can be waited for").is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended does not mind.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
