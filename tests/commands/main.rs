//! The commands as users start them: each is a process, with files in and out.

#[path = "../common/mod.rs"]
mod common;

mod blunders;
mod book;
mod check;
mod chess960;
mod developer;
mod experiment;
mod experiment_claims;
mod experiment_hours;
mod explain;
mod files;
mod library;
mod machines;
mod manual;
mod mates;
mod rate;
mod running;
mod searches;
mod solve;
mod suites;
mod testers;
mod tournament;
mod tune;
mod verdicts;
