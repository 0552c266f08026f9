//! Affine transformations of the plane.

use super::object::Object;

/// `x' = a·x + c·y + e`, `y' = b·x + d·y + f`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix([f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn translation(x: f64, y: f64) -> Matrix {
        Matrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// None unless there are six numbers.
    pub(super) fn of(operands: &[Object]) -> Option<Matrix> {
        let mut matrix = [0.0; 6];
        for (at, entry) in matrix.iter_mut().enumerate() {
            *entry = operands.get(at)?.number()?;
        }
        Some(Matrix(matrix))
    }

    /// This transformation, and then another.
    pub(super) fn then(&self, next: &Matrix) -> Matrix {
        let ([a, b, c, d, e, f], [na, nb, nc, nd, ne, nf]) = (self.0, next.0);
        Matrix([
            a * na + b * nc,
            a * nb + b * nd,
            c * na + d * nc,
            c * nb + d * nd,
            e * na + f * nc + ne,
            e * nb + f * nd + nf,
        ])
    }

    pub(super) fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Where the first axis points, as a vector of length 1, and the factor of lengths along it.
    pub(super) fn direction(&self) -> ((f64, f64), f64) {
        let [a, b, ..] = self.0;
        let length = a.hypot(b);
        if length > 0.0 { ((a / length, b / length), length) } else { ((1.0, 0.0), 0.0) }
    }

    /// The factor of lengths along the second axis.
    pub(super) fn height(&self) -> f64 {
        self.0[2].hypot(self.0[3])
    }
}
