//! Control-C and its relatives.

use crate::arena::tournament::StopRequest;

/// Once means after what is running, which `running` names; twice means now. `tell` says so above whatever is on the screen.
pub fn listen(stop: &StopRequest, running: &'static str, tell: impl Fn(&str) + Send + 'static) {
    let stop = stop.clone();
    on_signal(move || {
        match stop.is_said() {
            false => tell(&format!("stopping after {running}; once more to stop now")),
            true => tell("stopping now"),
        }
        stop.say();
    });
}

/// Does something at every signal, in a thread of its own.
pub fn on_signal(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("signals end the program at once: {error}");
    }
}
