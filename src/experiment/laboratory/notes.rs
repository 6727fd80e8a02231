//! Work on many items, one result for each, none done twice.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Laboratory, Stopped};
use crate::jobs::journal::Numbered;
use crate::jobs::queue;

impl Laboratory<'_> {
    /// The results of `each` for the items 0 to `count - 1`, several at the same time; what is in the journal
    /// is not done again.
    ///
    /// `work` names the journal; `settings` are all that results depend on besides the item's number.
    ///
    /// # Errors
    /// [`Stopped`]; the first error of `each`, which stops the laboratory's other work too; a journal that
    /// cannot be read or written.
    pub fn each<T: Serialize + DeserializeOwned + Send>(
        &self,
        work: &str,
        settings: &Value,
        count: usize,
        each: impl Fn(usize) -> anyhow::Result<T> + Sync,
    ) -> anyhow::Result<Vec<T>> {
        let path = self.journal(work, settings)?;
        let mut results = Numbered::open(Some(&path), settings, count, |torn| self.note(torn))?;
        let missing = results.missing();
        let mut done = count - missing.len();
        self.watcher.progress(work, done, count);
        let worker = |item| Ok(Some((item, each(item)?)));
        let threads = self.conditions.concurrency;
        queue::each(
            missing,
            threads,
            |_| Ok(worker),
            &self.stop,
            |(item, result)| {
                results.add(item, result)?;
                done += 1;
                self.watcher.progress(work, done, count);
                Ok(())
            },
        )?;
        let results = results.into_results().into_iter();
        results.map(|result| result.ok_or_else(|| Stopped.into())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::*;
    use crate::experiment::Conditions;
    use crate::jobs::StopRequest;

    #[test]
    fn nothing_is_done_twice_and_other_settings_are_other_work() {
        let folder = tempfile::tempdir().expect("a folder");
        let conditions = Conditions { concurrency: 3, ..Conditions::default() };
        let laboratory =
            |stop: &StopRequest| Laboratory::new(conditions.clone(), folder.path(), stop.clone(), &());
        let first = laboratory(&StopRequest::default());
        let calls = AtomicUsize::new(0);
        let square = |item: usize| {
            calls.fetch_add(1, Ordering::Relaxed);
            anyhow::ensure!(item != 7 || calls.load(Ordering::Relaxed) > 20, "item 7");
            Ok(item * item)
        };
        let settings = json!({"of": 1});
        let error = first.each("squares", &settings, 10, square).expect_err("item 7 fails");
        assert_eq!(error.to_string(), "item 7");
        // The same command given again.
        let stop = StopRequest::default();
        let laboratory = laboratory(&stop);
        calls.store(100, Ordering::Relaxed);
        let squares = laboratory.each("squares", &settings, 10, square).expect("squares");
        assert_eq!(squares, (0..10).map(|item| item * item).collect::<Vec<_>>());
        assert!(calls.load(Ordering::Relaxed) < 110, "some were known");
        calls.store(100, Ordering::Relaxed);
        laboratory.each("squares", &settings, 10, square).expect("squares");
        assert_eq!(calls.load(Ordering::Relaxed), 100);
        laboratory.each("squares", &json!({"of": 2}), 10, square).expect("squares");
        assert_eq!(calls.load(Ordering::Relaxed), 110);
        stop.say();
        laboratory.each("squares", &settings, 10, square).expect("nothing is left to do");
        let stopped = laboratory.each("more", &settings, 10, square).expect_err("stopped");
        assert!(stopped.is::<Stopped>());
    }
}
