//! Conversations with front ends and people: both protocols and the console, in this process and as
//! a program.

#[path = "../common/mod.rs"]
#[macro_use]
mod common;

mod console;
mod console_kept;
mod console_live;
mod faults;
mod fuzz;
mod library;
#[cfg(target_os = "linux")]
mod memory;
mod several;
mod strength;
mod uci_front;
mod uci_process;
#[cfg(unix)]
mod web;
mod xboard_front;
mod xboard_mistakes;
mod xboard_process;
