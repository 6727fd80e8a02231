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

    #[cfg(test)]
    fn get(&self, row: usize, column: usize) -> f64 {
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
            let (above, this) = lower.split_at_mut(row * n);
            for column in 0..row {
                let other = &above[column * n..=column * n + column];
                let rest = this[column] - dot(&this[..column], other);
                this[column] = rest / other[column];
            }
            let rest = this[row] - dot(&this[..row], &this[..row]);
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            this[row] = rest.sqrt();
        }
        Some(Factor { size: n, lower })
    }
}

/// The sum of the products of two vectors, as long as the shorter one. Four sums at once let the processor calculate them at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let length = a.len().min(b.len());
    let (a, b) = (a[..length].chunks_exact(4), b[..length].chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a.zip(b) {
        for (sum, (x, y)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// A Cholesky factor.
#[derive(Debug)]
pub(super) struct Factor {
    size: usize,
    lower: Vec<f64>,
}

impl Factor {
    fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * self.size..=row * self.size + row]
    }

    /// The solution of `matrix · x = right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..self.size {
            let line = self.row(row);
            x[row] = (x[row] - dot(&x[..row], line)) / line[row];
        }
        for row in (0..self.size).rev() {
            let line = self.row(row);
            x[row] /= line[row];
            let solved = x[row];
            for (x, l) in x[..row].iter_mut().zip(line) {
                *x -= l * solved;
            }
        }
        x
    }

    /// The inverse of the matrix, as a product that is worked out entry by entry.
    pub fn inverse(&self) -> Inverse {
        let n = self.size;
        let mut columns = vec![0.0; n * n];
        for (index, column) in columns.chunks_exact_mut(n.max(1)).enumerate() {
            column[index] = 1.0 / self.row(index)[index];
            for row in index + 1..n {
                let line = self.row(row);
                column[row] = -dot(&column[index..row], &line[index..]) / line[row];
            }
        }
        Inverse { size: n, columns }
    }
}

/// The inverse of a symmetric matrix: the columns of its factor's inverse.
#[derive(Debug)]
pub(super) struct Inverse {
    size: usize,
    columns: Vec<f64>,
}

impl Inverse {
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let from = row.max(column);
        let part = |index: usize| &self.columns[index * self.size + from..(index + 1) * self.size];
        dot(part(row), part(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_matrix() {
        const SIZE: usize = 11;
        let mut matrix = Symmetric::zero(SIZE);
        for index in 0..SIZE {
            let (next, far) = ((index + 1) % SIZE, (3 * index + 2) % SIZE);
            matrix.add_square(&[(index, 1.0), (next, -0.5)], 1.5);
            matrix.add_square(&[(far, 0.3), (index, 2.0)], 0.4);
        }
        let factor = matrix.factor().expect("positive definite");
        let inverse = factor.inverse();
        let right: Vec<f64> = (0..SIZE).map(|index| index as f64 - 4.0).collect();
        let solved = factor.solve(&right);
        for (row, right) in right.iter().enumerate() {
            let product: f64 = (0..SIZE).map(|k| matrix.get(row, k) * solved[k]).sum();
            assert!((product - right).abs() < 1e-12, "{row}: {product}");
        }
        for row in 0..SIZE {
            for column in 0..SIZE {
                let entry: f64 = (0..SIZE)
                    .map(|k| matrix.get(row, k) * inverse.get(k, column))
                    .sum();
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
