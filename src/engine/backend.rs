//! From options to a searcher.

use super::settings::Settings;
use super::worker::BuildSearcher;

/// Makes, for some settings, a recipe that the search thread follows.
pub type BuildFor = Box<dyn Fn(&Settings) -> BuildSearcher + Send>;

/// The searches of this crate.
pub fn standard() -> BuildFor {
    Box::new(|settings| {
        let _settings = settings.clone();
        Box::new(|| Box::new(FirstLegal))
    })
}

/// Stand-in until the backends are here.
struct FirstLegal;
impl crate::search::Searcher for FirstLegal {
    fn search(
        &mut self,
        root: &crate::position::Position,
        limits: &crate::search::Limits,
        clock: &crate::search::Clock,
        observer: &mut dyn crate::search::Observer,
    ) -> crate::search::SearchReport {
        let moves = limits.root_moves(root);
        let mut report = crate::search::SearchReport::default();
        let mut nodes = 0;
        for mv in moves {
            if clock.should_stop(nodes) && !report.variation.is_empty() {
                break;
            }
            nodes += 1;
            report.variation.clear();
            report.variation.push(mv);
            report.nodes = nodes;
            observer.progress(&crate::search::Progress {
                depth: 1,
                selective_depth: 1,
                score: report.score,
                bound: Default::default(),
                time: clock.elapsed(nodes),
                nodes,
                variation: &report.variation,
            });
        }
        while limits.infinite && !clock.must_stop(nodes) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        report
    }
    fn new_game(&mut self) {}
    fn set_memory(&mut self, _: usize) {}
}
