//! Sentence embeddings by a local model of the BERT family, in the layout of `sentence-transformers`: a folder with
//! `config.json`, `tokenizer.json` and `model.safetensors`.
//!
//! ```no_run
//! let model = orgmem_embed::Model::open("models/all-MiniLM-L6-v2".as_ref())?;
//! let vectors = model.embed(&["deployments freeze on Fridays", "when may we deploy?"])?;
//! assert_eq!(vectors[0].len(), model.dimensions());
//! # Ok::<(), orgmem_embed::ModelError>(())
//! ```
//!
//! Calls are synchronous and use the calling thread plus the requested number of others. The vector of a text does not
//! depend on the other texts of the call.

mod bert;
mod error;
mod layers;
mod model;
mod weights;

pub use error::ModelError;
pub use model::Model;
