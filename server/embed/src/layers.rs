//! Layers of a transformer.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Axis, Zip};

use crate::ModelError;
use crate::weights::Weights;

/// `x · weightᵀ + bias`.
pub(crate) struct Linear {
    /// Outputs by inputs, as in the file.
    weight: Array2<f32>,
    bias: Array1<f32>,
}

/// Layer normalization: mean 0 and variance 1 per row, then scale and shift.
pub(crate) struct Norm {
    scale: Array1<f32>,
    shift: Array1<f32>,
    epsilon: f32,
}

impl Linear {
    pub(crate) fn read(
        weights: &Weights<'_>,
        name: &str,
        inputs: usize,
        outputs: usize,
        has_bias: bool,
    ) -> Result<Self, ModelError> {
        let bias = if has_bias { weights.vector(&format!("{name}.bias"), outputs)? } else { Array1::zeros(outputs) };
        Ok(Self { weight: weights.matrix(&format!("{name}.weight"), outputs, inputs)?, bias })
    }

    /// One row of outputs for each row of inputs.
    pub(crate) fn apply(&self, inputs: &ArrayView2<'_, f32>) -> Array2<f32> {
        let shape = (inputs.nrows(), self.bias.len());
        let mut outputs = self.bias.broadcast(shape).map_or_else(|| Array2::zeros(shape), |bias| bias.to_owned());
        general_mat_mul(1.0, inputs, &self.weight.t(), 1.0, &mut outputs);
        outputs
    }
}

impl Norm {
    pub(crate) fn read(weights: &Weights<'_>, name: &str, width: usize, epsilon: f32) -> Result<Self, ModelError> {
        let (scale, shift) =
            (weights.vector(&format!("{name}.weight"), width), weights.vector(&format!("{name}.bias"), width));
        Ok(Self { scale: scale?, shift: shift?, epsilon })
    }

    pub(crate) fn apply(&self, rows: &mut Array2<f32>) {
        let width = rows.ncols() as f32;
        for mut row in rows.axis_iter_mut(Axis(0)) {
            let mean = row.sum() / width;
            row -= mean;
            let variance = row.fold(0.0, |sum, value| sum + value * value) / width;
            let factor = 1.0 / (variance + self.epsilon).sqrt();
            Zip::from(&mut row).and(&self.scale).and(&self.shift).for_each(|value, scale, shift| {
                *value = *value * factor * scale + shift;
            });
        }
    }
}

/// GELU: `x · Φ(x)` with the normal distribution Φ.
pub(crate) fn gelu(values: &mut Array2<f32>) {
    values.mapv_inplace(|x| 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2)));
}

/// Softmax over the row.
pub(crate) fn softmax(mut row: ArrayViewMut1<'_, f32>) {
    let most = row.fold(f32::NEG_INFINITY, |most, &value| most.max(value));
    row.mapv_inplace(|value| exp(value - most));
    let sum = row.sum();
    row /= sum;
}

/// The error function, to 2 × 10⁻⁷.
///
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let polynomial = t * (0.254_829_6 + t * (-0.284_496_74 + t * (1.421_413_7 + t * (-1.453_152 + t * 1.061_405_4))));
    (1.0 - polynomial * exp(-size * size)).copysign(x)
}

/// e^x for `x` ≤ 0, to some units in the last place of `x`. Branch-free, so that it vectorizes.
fn exp(x: f32) -> f32 {
    // 2^(whole + rest) with the rest from -½ to ½
    let x = (x * std::f32::consts::LOG2_E).max(-126.0);
    let whole = (x + 12_582_912.0) - 12_582_912.0;
    let rest = (x - whole) * std::f32::consts::LN_2;
    let series = 0.166_666_67 + rest * (0.041_666_668 + rest * (0.008_333_334 + rest * 0.001_388_889));
    let series = 1.0 + rest * (1.0 + rest * (0.5 + rest * series));
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_as_precise_as_its_argument() {
        for step in 0..=8_000 {
            let x = -step as f32 / 100.0;
            let (is, should) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((is - should).abs() <= 3e-7 * (1.0 - f64::from(x)) * should, "e^{x} is {is}, not {should}");
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn erf_equals_the_tables() {
        let table =
            [(0.0, 0.0), (0.1, 0.112_462_9), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (4.0, 1.0)];
        for (x, value) in table {
            assert!((erf(x) - value).abs() < 1e-6 && (erf(-x) + value).abs() < 1e-6, "erf({x}) is {}", erf(x));
        }
    }

    #[test]
    fn softmax_sums_to_one() {
        for mut row in [Array1::from_vec(vec![1.0, 2.0, 3.0]), Array1::from_vec(vec![1e30, -1e30, 0.0])] {
            softmax(row.view_mut());
            assert!((row.sum() - 1.0).abs() < 1e-5, "{row}");
        }
    }
}
