//! A real browser: Chromium plays on the page.

use crate::common::programs::{have, have_selenium, run_python};

#[test]
fn chromium_plays_watches_and_is_the_only_one_who_may() {
    if !have(&["chromium", "chromedriver"]) || !have_selenium() {
        return;
    }
    run_python(&["drive_browser.py", env!("CARGO_BIN_EXE_kashan")]);
}
