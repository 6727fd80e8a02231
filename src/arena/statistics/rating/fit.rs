//! The most likely ratings of linked players, and their covariances.
//!
//! All numbers are on the natural scale: Elo times `ln 10 / 400`. A vector has a coordinate for
//! each player, and a last one for the player in the middle, who draws the games of a prior. No
//! matrix is stored: the Fisher information is a sum over the meetings, and conjugate gradients
//! (Hestenes and Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952) solve
//! its equations by products with vectors. The graph of meetings is so well connected that a few
//! products are enough; its Cholesky factor would be dense.

/// Every game of two players with the same colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    pub white: usize,
    pub black: usize,
    pub games: f64,
    /// White's.
    pub points: f64,
}

/// The likelihood of ratings.
pub(super) struct Model {
    pub meetings: Vec<Meeting>,
    /// The given coordinates; `None` for those to estimate.
    pub given: Vec<Option<f64>>,
    /// True if no player's rating is given: only differences are determined, so the mean is taken
    /// as 0.
    pub is_floating: bool,
}

impl Model {
    /// The number of parameters determined by the results.
    pub fn parameters(&self) -> usize {
        self.given.iter().filter(|given| given.is_none()).count() - usize::from(self.is_floating)
    }

    /// White's expected score of a game.
    pub fn expected(&self, at: &[f64], white: usize, black: usize) -> f64 {
        1.0 / (1.0 + (at[black] - at[white]).exp())
    }

    /// The most likely coordinates, those given as in `start`: Newton's method on a concave
    /// function, steps halved until they climb.
    pub fn maximum(&self, start: Vec<f64>) -> Vec<f64> {
        const ITERATIONS: usize = 100;
        /// The largest step taken unchecked: so near the top the height is the same but for
        /// rounding.
        const NEAR: f64 = 1e-3;
        const DONE: f64 = 1e-9;
        let mut at = start;
        for _ in 0..ITERATIONS {
            let mut step = self.solve(&self.weights(&at), &self.slope(&at), 1e-16);
            let largest = step.iter().map(|part| part.abs()).fold(0.0, f64::max);
            let before = self.log_likelihood(&at);
            for _ in 0..60 {
                let there: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + step).collect();
                if largest < NEAR || self.log_likelihood(&there) >= before {
                    at = there;
                    break;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            }
            if largest < DONE {
                break;
            }
        }
        self.centre(&mut at);
        at
    }

    /// The covariances of a coordinate with all, if results are as variable as games without
    /// draws are.
    pub fn covariances(&self, weights: &[f64], of: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.given.len()];
        if self.given[of].is_some() {
            return unit;
        }
        unit[of] = 1.0;
        self.solve(weights, &unit, 1e-9)
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let mut sum = 0.0;
        for meeting in &self.meetings {
            let difference = meeting.difference(at);
            sum += meeting.points * ln_expected(difference)
                + (meeting.games - meeting.points) * ln_expected(-difference);
        }
        sum
    }

    fn slope(&self, at: &[f64]) -> Vec<f64> {
        self.gather(self.meetings.iter().map(|meeting| {
            meeting.points - meeting.games * self.expected(at, meeting.white, meeting.black)
        }))
    }

    /// The information of each meeting.
    pub fn weights(&self, at: &[f64]) -> Vec<f64> {
        self.meetings
            .iter()
            .map(|meeting| self.information(meeting, at))
            .collect()
    }

    /// The information of a meeting: the variance of its points.
    pub fn information(&self, meeting: &Meeting, at: &[f64]) -> f64 {
        let expected = self.expected(at, meeting.white, meeting.black);
        meeting.games * expected * (1.0 - expected)
    }

    /// The product of the Fisher information with a vector.
    fn product(&self, weights: &[f64], vector: &[f64]) -> Vec<f64> {
        let meetings = self.meetings.iter().zip(weights);
        self.gather(meetings.map(|(meeting, weight)| weight * meeting.difference(vector)))
    }

    /// The meetings' flows for White, added up by coordinate; zero for given coordinates.
    fn gather(&self, flows: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.given.len()];
        for (meeting, flow) in self.meetings.iter().zip(flows) {
            sums[meeting.white] += flow;
            sums[meeting.black] -= flow;
        }
        for (sum, given) in sums.iter_mut().zip(&self.given) {
            if given.is_some() {
                *sum = 0.0;
            }
        }
        sums
    }

    /// The solution of `information · x = right`, by conjugate gradients with the diagonal as
    /// preconditioner. The iteration ends when a step adds less than `precision` to `x · right`, in
    /// proportion; the error of `x` is of the order of its root. Exception: the iteration also ends
    /// when nothing but rounding is left, because the next step would go anywhere.
    fn solve(&self, weights: &[f64], right: &[f64], precision: f64) -> Vec<f64> {
        /// The rounding limit of a size, relative; sizes are squares.
        const ROUNDING: f64 = 1e-28;
        let n = right.len();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut diagonal = vec![0.0; n];
        for (meeting, weight) in self.meetings.iter().zip(weights) {
            for coordinate in [meeting.white, meeting.black] {
                diagonal[coordinate] += weight;
            }
        }
        let mut x = vec![0.0; n];
        let mut rest = right.to_vec();
        // What rounding leaves along the mean, where nothing is determined, must not grow.
        self.centre(&mut rest);
        let mut direction = vec![0.0; n];
        let mut largest = 0.0;
        let mut last = f64::INFINITY;
        let mut gained = 0.0;
        for _ in 0..10 * n + 100 {
            let mut scaled = vec![0.0; n];
            for index in 0..n {
                if diagonal[index] > 0.0 {
                    scaled[index] = rest[index] / diagonal[index];
                }
            }
            let size = dot(&rest, &scaled);
            largest = size.max(largest);
            if size <= ROUNDING * largest {
                break;
            }
            for index in 0..n {
                direction[index] = scaled[index] + size / last * direction[index];
            }
            let image = self.product(weights, &direction);
            let length = size / dot(&direction, &image);
            if !length.is_finite() {
                break;
            }
            for index in 0..n {
                x[index] += length * direction[index];
                rest[index] -= length * image[index];
            }
            gained += length * size;
            if length * size <= precision * gained {
                break;
            }
            last = size;
        }
        self.centre(&mut x);
        x
    }

    /// Makes the mean of floating players 0.
    fn centre(&self, vector: &mut [f64]) {
        if self.is_floating {
            let players = &mut vector[..self.given.len() - 1];
            let mean = players.iter().sum::<f64>() / players.len() as f64;
            players.iter_mut().for_each(|player| *player -= mean);
        }
    }
}

/// `ln E = -ln(1 + e^-d)`, in a form that neither overflows nor loses digits.
fn ln_expected(difference: f64) -> f64 {
    -((-difference.abs()).exp().ln_1p() + (-difference).max(0.0))
}

impl Meeting {
    /// White's strength less Black's.
    fn difference(&self, at: &[f64]) -> f64 {
        at[self.white] - at[self.black]
    }
}
