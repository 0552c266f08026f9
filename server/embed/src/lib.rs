//! Text to vectors by a local sentence model of the BERT family: a folder as `sentence-transformers` saves it, with
//! `config.json`, `tokenizer.json` and `model.safetensors`.
//!
//! ```no_run
//! let model = orgmem_embed::Model::open("models/all-MiniLM-L6-v2".as_ref())?;
//! let vectors = model.embed(&["deployments freeze on Fridays", "when may we deploy?"])?;
//! assert_eq!(vectors[0].len(), model.dimensions());
//! # Ok::<(), orgmem_embed::ModelError>(())
//! ```
//!
//! Plain and synchronous: a call computes on the thread that makes it, and on as many as it is told to. What a text
//! becomes does not depend on what else is embedded with it.

mod bert;
mod error;
mod layers;
mod model;
mod weights;

pub use error::ModelError;
pub use model::Model;
