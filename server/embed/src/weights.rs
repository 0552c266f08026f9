//! Named tensors of a `safetensors` file.

use std::path::Path;

use ndarray::{Array1, Array2};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::ModelError;

/// The tensors of one file.
pub(crate) struct Weights<'f> {
    path: &'f Path,
    tensors: SafeTensors<'f>,
    /// Common prefix of the names, present in models saved with a head.
    prefix: &'static str,
}

impl<'f> Weights<'f> {
    pub(crate) fn of(path: &'f Path, bytes: &'f [u8]) -> Result<Self, ModelError> {
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() })?;
        let is_used = |prefix: &&str| tensors.names().iter().any(|name| name.starts_with(prefix));
        let prefix = ["bert.", "roberta."].into_iter().find(is_used).unwrap_or_default();
        Ok(Self { path, tensors, prefix })
    }

    /// The same tensors by their full names: a head has no common prefix.
    pub(crate) fn without_prefix(self) -> Self {
        Self { prefix: "", ..self }
    }

    /// Whether there is a tensor of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tensor(name).is_ok()
    }

    /// The length of a vector, or the numbers of rows and columns of a matrix.
    pub(crate) fn shape(&self, name: &str) -> Result<Vec<usize>, ModelError> {
        Ok(self.tensor(name)?.shape().to_vec())
    }

    fn tensor(&self, name: &str) -> Result<TensorView<'_>, ModelError> {
        let name = format!("{}{name}", self.prefix);
        self.tensors.tensor(&name).map_err(|error| self.malformed(error.to_string()))
    }

    /// A vector of whole numbers.
    pub(crate) fn indices(&self, name: &str) -> Result<Vec<usize>, ModelError> {
        let tensor = self.tensor(name)?;
        let bytes = tensor.data();
        let numbers: Vec<i64> = match tensor.dtype() {
            Dtype::I64 => bytes.as_chunks().0.iter().map(|eight| i64::from_le_bytes(*eight)).collect(),
            Dtype::I32 => bytes.as_chunks().0.iter().map(|four| i32::from_le_bytes(*four).into()).collect(),
            other => return Err(self.malformed(format!("{name} holds {other:?}; I32 and I64 can be read"))),
        };
        let indices = numbers.into_iter().map(usize::try_from).collect::<Result<_, _>>();
        indices.map_err(|_| self.malformed(format!("{name} has a negative number")))
    }

    /// A vector of `len` numbers.
    pub(crate) fn vector(&self, name: &str, len: usize) -> Result<Array1<f32>, ModelError> {
        Ok(Array1::from_vec(self.numbers(name, &[len])?))
    }

    /// A matrix of `rows` by `columns` numbers.
    pub(crate) fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, ModelError> {
        let numbers = self.numbers(name, &[rows, columns])?;
        Array2::from_shape_vec((rows, columns), numbers).map_err(|error| self.malformed(error.to_string()))
    }

    fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let tensor = self.tensor(name)?;
        if tensor.shape() != shape {
            let what = format!("{name} has the shape {:?}, but config.json requires {shape:?}", tensor.shape());
            return Err(self.malformed(what));
        }
        let bytes = tensor.data();
        let numbers: Vec<f32> = match tensor.dtype() {
            Dtype::F32 => bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
            Dtype::BF16 => bytes
                .as_chunks()
                .0
                .iter()
                .map(|two| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16))
                .collect(),
            Dtype::F16 => bytes.as_chunks().0.iter().map(|two| half(u16::from_le_bytes(*two))).collect(),
            Dtype::F64 => bytes.as_chunks().0.iter().map(|eight| f64::from_le_bytes(*eight) as f32).collect(),
            // a common factor of all numbers, which a direction does not need, is not in the file
            Dtype::I8 => bytes.iter().map(|&byte| f32::from(byte.cast_signed())).collect(),
            other => {
                return Err(self.malformed(format!("{name} holds {other:?}; F64, F32, F16, BF16 and I8 can be read")));
            }
        };
        Ok(numbers)
    }

    pub(crate) fn malformed(&self, what: String) -> ModelError {
        ModelError::Malformed { path: self.path.to_owned(), what }
    }
}

/// An IEEE 754 number of 16 bits: one for the sign, five for the exponent, ten for the fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    let size = match exponent {
        0 => fraction * 2f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2f32.powi(exponent - 15),
    };
    sign * size
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn half_precision_numbers_follow_the_standard() {
        let known =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x0400, 2f32.powi(-14)), (0x0001, 2f32.powi(-24))];
        known.iter().for_each(|&(bits, value)| assert_eq!(half(bits), value));
        assert!(half(0x7e00).is_nan());
        assert_eq!(half(0xfc00), f32::NEG_INFINITY);
    }
}
