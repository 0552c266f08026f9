//! Sentence embeddings by a local model, in the layout of `sentence-transformers`: a folder with `config.json`,
//! `tokenizer.json` and `model.safetensors`. The model is a network of the BERT or XLM-R family, or a table of static
//! embeddings, also in the layout of model2vec.
//!
//! ```no_run
//! use orgmem_embed::TextRole;
//! let model = orgmem_embed::Model::open("models/all-MiniLM-L6-v2".as_ref())?;
//! let memories = model.embed(TextRole::Passage, &["deployments freeze on Fridays"])?;
//! let query = model.embed(TextRole::Query, &["when may we deploy?"])?;
//! assert_eq!(query[0].len(), model.dimensions());
//! # Ok::<(), orgmem_embed::ModelError>(())
//! ```
//!
//! A [`CrossEncoder`] scores pairs of a query and a passage, from a folder with the same three files of a model for the
//! classification of sequences.
//!
//! Calls are synchronous and use the calling thread plus the requested number of others. The vector of a text does not
//! depend on the other texts of the call.

mod batches;
mod bert;
mod cross_encoder;
mod dense;
mod error;
mod folder;
mod layers;
mod model;
mod table;
mod weights;

pub use cross_encoder::CrossEncoder;
pub use error::ModelError;
pub use folder::{ModelFile, model_files};
pub use model::{Model, TextRole};
