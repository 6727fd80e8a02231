//! Small dense linear algebra: what a rating list needs of it.

/// A symmetric matrix of which both halves are stored.
#[derive(Clone, Debug)]
pub(super) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    pub fn zero(size: usize) -> Symmetric {
        Symmetric {
            size,
            entries: vec![0.0; size * size],
        }
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// Adds `weight` times the square of the vector with these entries.
    pub fn add_square(&mut self, vector: &[(usize, f64)], weight: f64) {
        for &(row, x) in vector {
            for &(column, y) in vector {
                self.entries[row * self.size + column] += weight * x * y;
            }
        }
    }

    /// The Cholesky factor: lower triangular, its square the matrix. `None` if the matrix is not positive definite.
    pub fn factor(&self) -> Option<Factor> {
        let n = self.size;
        let mut lower = self.entries.clone();
        for row in 0..n {
            for column in 0..=row {
                let (above, this) = lower.split_at(row * n);
                let dot: f64 = if column < row {
                    let other = &above[column * n..column * n + column];
                    this[..column].iter().zip(other).map(|(x, y)| x * y).sum()
                } else {
                    this[..row].iter().map(|x| x * x).sum()
                };
                let rest = self.get(row, column) - dot;
                lower[row * n + column] = if column < row {
                    rest / lower[column * n + column]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Factor { size: n, lower })
    }
}

/// A Cholesky factor.
pub(super) struct Factor {
    size: usize,
    lower: Vec<f64>,
}

impl Factor {
    /// The solution of `matrix · x = right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = right.to_vec();
        for row in 0..n {
            let line = &self.lower[row * n..row * n + row];
            let dot: f64 = line.iter().zip(&x).map(|(l, x)| l * x).sum();
            x[row] = (x[row] - dot) / self.lower[row * n + row];
        }
        for row in (0..n).rev() {
            x[row] /= self.lower[row * n + row];
            let solved = x[row];
            for (x, l) in x[..row].iter_mut().zip(&self.lower[row * n..]) {
                *x -= l * solved;
            }
        }
        x
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Symmetric {
        let n = self.size;
        let mut inverse = Symmetric::zero(n);
        let mut unit = vec![0.0; n];
        for row in 0..n {
            unit[row] = 1.0;
            inverse.entries[row * n..(row + 1) * n].copy_from_slice(&self.solve(&unit));
            unit[row] = 0.0;
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let mut matrix = Symmetric::zero(3);
        for vector in [[(0, 1.0), (1, -1.0)], [(1, 2.0), (2, 0.5)], [(0, 0.3), (2, -4.0)]] {
            matrix.add_square(&vector, 1.5);
        }
        let inverse = matrix.factor().expect("positive definite").inverse();
        for row in 0..3 {
            for column in 0..3 {
                let entry: f64 = (0..3).map(|k| matrix.get(row, k) * inverse.get(k, column)).sum();
                let expected = f64::from(u8::from(row == column));
                assert!((entry - expected).abs() < 1e-12, "{row} {column}: {entry}");
            }
        }
    }

    #[test]
    fn a_matrix_without_inverse_has_no_factor() {
        let mut matrix = Symmetric::zero(2);
        matrix.add_square(&[(0, 1.0), (1, -1.0)], 1.0);
        assert!(matrix.factor().is_none());
    }
}
