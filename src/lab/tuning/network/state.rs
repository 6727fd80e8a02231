//! The state of a training, and the file of the state.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::{Adam, Model, WEIGHTS};
use crate::util::files;
use crate::util::jobs::fingerprint;

/// The complete input of the next epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub model: Model,
    pub adam: Adam,
    /// Finished epochs.
    pub epochs: u32,
    /// The weights with the smallest held-out loss so far.
    pub best: Model,
    pub best_loss: f64,
    pub best_epoch: u32,
}

/// The head before the weights.
#[derive(Serialize, Deserialize)]
struct StateHeader {
    /// The fingerprint of the training's settings and games.
    work: u64,
    epochs: u32,
    steps: u32,
    best_loss: f64,
    best_epoch: u32,
}

/// The file of a state.
pub struct StateFile {
    path: PathBuf,
    work: u64,
}

/// The first line of the file.
const MARK: &str = "# The state of a training of kashan tune network.\n";

impl StateFile {
    /// Names the file of a state; `settings` are all values with an effect on the training.
    pub fn new(path: &Path, settings: &Value) -> StateFile {
        StateFile {
            path: path.to_owned(),
            work: fingerprint(settings),
        }
    }

    /// Returns the stored state, if there is one.
    ///
    /// # Errors
    /// The file cannot be read, is of another training, or is damaged.
    pub fn load(&self) -> anyhow::Result<Option<State>> {
        let shown = self.path.display();
        let content = files::content(&self.path).with_context(|| format!("cannot read {shown}"))?;
        let Some(content) = content else {
            return Ok(None);
        };
        let Some(rest) = content.strip_prefix(MARK.as_bytes()) else {
            anyhow::bail!("{shown} is no state of a training: move it away");
        };
        let (crc, rest) = rest
            .split_at_checked(4)
            .with_context(|| format!("{shown} is damaged"))?;
        ensure!(
            crc == files::crc(rest).to_le_bytes(),
            "{shown} is damaged: remove it to begin anew"
        );
        let end = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .with_context(|| format!("{shown} is damaged"))?;
        let head: StateHeader =
            serde_json::from_slice(&rest[..end]).with_context(|| format!("{shown} is damaged"))?;
        ensure!(
            head.work == self.work,
            "{shown} is of another training, with other options or games: remove it to begin anew"
        );
        let numbers = &rest[end + 1..];
        ensure!(
            numbers.len() == 4 * 4 * WEIGHTS,
            "{shown} is of a network of another size"
        );
        let numbers = numbers
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes(four.try_into().expect("four")));
        let numbers: Vec<f32> = numbers.collect();
        let part = |index: usize| numbers[index * WEIGHTS..][..WEIGHTS].to_vec();
        Ok(Some(State {
            model: Model { weights: part(0) },
            adam: Adam {
                means: part(1),
                squares: part(2),
                steps: head.steps,
            },
            best: Model { weights: part(3) },
            epochs: head.epochs,
            best_loss: head.best_loss,
            best_epoch: head.best_epoch,
        }))
    }

    /// # Errors
    /// The file cannot be written.
    pub fn keep(&self, state: &State) -> anyhow::Result<()> {
        let State {
            model,
            adam,
            best,
            epochs,
            best_loss,
            best_epoch,
        } = state;
        let head = StateHeader {
            work: self.work,
            epochs: *epochs,
            steps: adam.steps,
            best_loss: *best_loss,
            best_epoch: *best_epoch,
        };
        let mut rest = serde_json::to_vec(&head)?;
        rest.push(b'\n');
        for numbers in [&model.weights, &adam.means, &adam.squares, &best.weights] {
            rest.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let crc = files::crc(&rest).to_le_bytes();
        let content = [MARK.as_bytes(), &crc, &rest].concat();
        files::replace(&self.path, &content)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Removes the file: the training is done.
    pub fn remove(&self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            log::warn!("{} is left: {error}", self.path.display());
        }
    }
}
