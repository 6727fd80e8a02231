//! Parts of claims that are true or not: no statistics.

use crate::experiment::{Part, Verdict};

/// A statement that holds without exception, or does not.
pub fn exact(statement: impl Into<String>, holds: bool, evidence: impl Into<String>) -> Part {
    Part {
        statement: statement.into(),
        verdict: if holds {
            Verdict::Confirmed
        } else {
            Verdict::Refuted
        },
        evidence: evidence.into(),
    }
}

/// Something that was counted and is not claimed.
pub fn measured(statement: impl Into<String>, evidence: impl Into<String>) -> Part {
    Part {
        statement: statement.into(),
        verdict: Verdict::Measured,
        evidence: evidence.into(),
    }
}

/// `12.3 %`; of nothing, nothing.
pub fn percent(part: usize, of: usize) -> String {
    match of {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / of as f64),
    }
}
