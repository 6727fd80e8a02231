//! Statements that cannot come out otherwise from one run to the next, because they are arithmetic: unit
//! tests prove them, and reports say which.

use super::{Conclusion, Part};

/// A statement, and the unit test that proves or disproves it.
pub struct Proven {
    pub statement: &'static str,
    /// Some of what is printed does not hold.
    pub holds: bool,
    pub evidence: &'static str,
    pub test: &'static str,
}

/// A [`Proven`] statement that holds or, with `fails:` in front, does not, and the name of its test in the
/// `tests` of the same file, which has to be there.
macro_rules! proven {
    ($statement:literal, $evidence:literal, $test:ident) => {
        proven!(@ true, $statement, $evidence, $test)
    };
    (fails: $statement:literal, $evidence:literal, $test:ident) => {
        proven!(@ false, $statement, $evidence, $test)
    };
    (@ $holds:literal, $statement:literal, $evidence:literal, $test:ident) => {{
        #[cfg(test)]
        const _: fn() = tests::$test;
        $crate::experiment::proven::Proven {
            statement: $statement,
            holds: $holds,
            evidence: $evidence,
            test: stringify!($test),
        }
    }};
}
pub(super) use proven;

impl Proven {
    pub fn part(&self) -> Part {
        let evidence = format!("{} (`cargo test {}`)", self.evidence, self.test);
        Part::exact(self.statement, self.holds, evidence)
    }
}

/// The conclusion of a claim that consists of such statements alone.
pub fn conclude(method: &str, statements: &[Proven]) -> Conclusion {
    let method =
        format!("{method} It cannot come out otherwise from one run to the next: unit tests prove it.");
    Conclusion::new(method, statements.iter().map(Proven::part).collect(), serde_json::Value::Null)
}
