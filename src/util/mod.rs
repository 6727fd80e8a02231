//! Tools without chess: files, journals and jobs, tables, declared options, the system.

pub mod display;
pub mod files;
pub mod input;
pub mod jobs;
pub mod lines;
pub mod options;
pub mod system;
