//! A linear layer after the pooling.

use std::path::Path;

use ndarray::{Array1, Axis};
use serde::Deserialize;

use crate::ModelError;
use crate::folder::json;
use crate::layers::Linear;
use crate::weights::Weights;

/// `config.json` of the layer.
#[derive(Deserialize)]
struct DenseConfig {
    in_features: usize,
    out_features: usize,
    bias: bool,
    activation_function: String,
}

pub(crate) struct Dense {
    linear: Linear,
    has_tanh: bool,
    pub(crate) outputs: usize,
}

impl Dense {
    /// Reads the layer of `folder`, whose `model.safetensors` has these bytes.
    pub(crate) fn read(folder: &Path, bytes: &[u8], inputs: usize) -> Result<Self, ModelError> {
        let path = folder.join("config.json");
        let config: DenseConfig = json(&path)?;
        let has_tanh = match config.activation_function.rsplit('.').next().unwrap_or_default() {
            "Tanh" => true,
            "Identity" => false,
            other => {
                let what = format!("`activation_function` is {other:?}");
                return Err(ModelError::Unsupported { path, what });
            }
        };
        if config.in_features != inputs || config.out_features == 0 {
            let what = format!("maps {} to {} numbers, but gets {inputs}", config.in_features, config.out_features);
            return Err(ModelError::Malformed { path, what });
        }
        let weights_path = folder.join("model.safetensors");
        let weights = Weights::of(&weights_path, bytes)?;
        let linear = Linear::read(&weights, "linear", inputs, config.out_features, config.bias)?;
        Ok(Self { linear, has_tanh, outputs: config.out_features })
    }

    pub(crate) fn apply(&self, vector: Array1<f32>) -> Array1<f32> {
        let mut outputs = self.linear.apply(&vector.insert_axis(Axis(0)).view()).remove_axis(Axis(0));
        if self.has_tanh {
            outputs.mapv_inplace(f32::tanh);
        }
        outputs
    }
}
