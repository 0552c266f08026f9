//! The files of a model folder that say what is done with a text, in the layout of `sentence-transformers`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::ModelError;
use crate::bert::Pooling;

/// Maximum number of tokens per text of a network without a setting in the folder.
///
/// Source: `max_seq_length` of all-MiniLM-L6-v2.
const MAX_TOKENS: usize = 256;
/// Maximum number of tokens per text of static embeddings without a setting.
///
/// Source: `DEFAULT_MAX_LENGTH` of model2vec.
const MAX_TABLE_TOKENS: usize = 512;

/// What the folder says.
pub(crate) struct Layout {
    /// The folder of `tokenizer.json` and `model.safetensors`.
    pub(crate) weights: PathBuf,
    pub(crate) is_table: bool,
    pub(crate) pooling: Pooling,
    /// The folders of the linear layers after the pooling.
    pub(crate) dense: Vec<PathBuf>,
    pub(crate) max_tokens: usize,
    pub(crate) prompts: Prompts,
}

/// What precedes a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Prompts {
    pub(crate) query: String,
    pub(crate) passage: String,
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// The path in the folder, with `/`.
    pub path: String,
    /// Whether a model may be without it.
    pub is_optional: bool,
}

/// An entry of `modules.json`.
struct Module {
    kind: ModuleKind,
    /// The path in the folder; empty for the folder itself.
    path: String,
}

#[derive(Clone, Copy)]
enum ModuleKind {
    Network,
    Table,
    Pooling,
    Dense,
    Normalize,
}

/// An entry of `modules.json`, as it is in the file.
#[derive(Deserialize)]
struct ModuleEntry {
    #[serde(rename = "type")]
    class: String,
    path: String,
}

/// The relevant part of `config.json`, which all kinds of models have.
#[derive(Default, Deserialize)]
struct Kind {
    model_type: Option<String>,
    max_length: Option<usize>,
}

/// The relevant part of `sentence_bert_config.json`.
#[derive(Default, Deserialize)]
struct Sentences {
    max_seq_length: Option<usize>,
}

/// `config.json` of a pooling.
#[derive(Deserialize)]
struct PoolingConfig {
    include_prompt: Option<bool>,
    #[serde(flatten)]
    modes: BTreeMap<String, serde_json::Value>,
}

/// The relevant part of `config_sentence_transformers.json`.
#[derive(Default, Deserialize)]
struct PromptConfig {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
    default_prompt_name: Option<String>,
}

impl Layout {
    /// Reads the small files of `folder`.
    pub(crate) fn read(folder: &Path) -> Result<Self, ModelError> {
        let prompts = Prompts::read(folder)?;
        let modules = modules(folder)?;
        let kind: Kind = json_if(&folder.join("config.json"))?.unwrap_or_default();
        let is_table = kind.model_type.as_deref() == Some("model2vec");
        let mut layout = Self {
            weights: folder.to_owned(),
            is_table,
            pooling: Pooling::Mean,
            dense: Vec::new(),
            max_tokens: 0,
            prompts,
        };
        for Module { kind, path } in modules {
            let path = folder.join(path);
            match kind {
                ModuleKind::Network => layout.weights = path,
                ModuleKind::Table => (layout.weights, layout.is_table) = (path, true),
                ModuleKind::Pooling => layout.pooling = pooling(&path.join("config.json"), &layout.prompts)?,
                ModuleKind::Dense => layout.dense.push(path),
                // vectors are normalized in any case
                ModuleKind::Normalize => {}
            }
        }
        layout.max_tokens = if layout.is_table {
            kind.max_length.unwrap_or(MAX_TABLE_TOKENS)
        } else {
            let sentences: Option<Sentences> = json_if(&layout.weights.join("sentence_bert_config.json"))?;
            sentences.and_then(|sentences| sentences.max_seq_length).unwrap_or(MAX_TOKENS)
        };
        Ok(layout)
    }

    /// What else the vectors depend on, besides the weights; empty with the usual settings.
    pub(crate) fn variant(&self) -> String {
        if self.pooling == Pooling::Mean && self.prompts == Prompts::default() {
            return String::new();
        }
        format!("{:?} {:?}", self.pooling, self.prompts)
    }
}

/// The files that a model needs besides `modules.json`, the largest last, when the latter is in `folder` if it exists.
///
/// # Errors
/// [`ModelError`]: an invalid or unsupported `modules.json`.
pub fn model_files(folder: &Path) -> Result<Vec<ModelFile>, ModelError> {
    let mut files = Vec::new();
    let mut add = |folder: &str, name: &str, is_optional| {
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        files.push(ModelFile { path, is_optional });
    };
    add("", "config_sentence_transformers.json", true);
    let modules = modules(folder)?;
    let (weighty, light): (Vec<Module>, Vec<Module>) =
        modules.into_iter().partition(|module| matches!(module.kind, ModuleKind::Network | ModuleKind::Table));
    for Module { kind, path } in light {
        match kind {
            ModuleKind::Pooling => add(&path, "config.json", false),
            ModuleKind::Dense => ["config.json", "model.safetensors"].iter().for_each(|name| add(&path, name, false)),
            ModuleKind::Network | ModuleKind::Table | ModuleKind::Normalize => {}
        }
    }
    for Module { kind, path } in weighty {
        add(&path, "config.json", matches!(kind, ModuleKind::Table));
        add(&path, "sentence_bert_config.json", true);
        ["tokenizer.json", "model.safetensors"].iter().for_each(|name| add(&path, name, false));
    }
    Ok(files)
}

/// The modules of a folder; only the network without `modules.json`.
fn modules(folder: &Path) -> Result<Vec<Module>, ModelError> {
    let file = folder.join("modules.json");
    let Some(entries) = json_if::<Vec<ModuleEntry>>(&file)? else {
        return Ok(vec![Module { kind: ModuleKind::Network, path: String::new() }]);
    };
    let module = |ModuleEntry { class, path }: ModuleEntry| {
        let kind = match class.rsplit('.').next().unwrap_or_default() {
            "Transformer" => ModuleKind::Network,
            "StaticEmbedding" => ModuleKind::Table,
            "Pooling" => ModuleKind::Pooling,
            "Dense" => ModuleKind::Dense,
            "Normalize" => ModuleKind::Normalize,
            _ => {
                let what = format!("has the module {class:?}");
                return Err(ModelError::Unsupported { path: file.clone(), what });
            }
        };
        if path.contains(['/', '\\']) || path == ".." {
            let what = format!("the path {path:?} of a module is not the name of a folder");
            return Err(ModelError::Malformed { path: file.clone(), what });
        }
        let path = if path == "." { String::new() } else { path };
        Ok(Module { kind, path })
    };
    entries.into_iter().map(module).collect()
}

impl Prompts {
    fn read(folder: &Path) -> Result<Self, ModelError> {
        let PromptConfig { prompts, default_prompt_name } =
            json_if(&folder.join("config_sentence_transformers.json"))?.unwrap_or_default();
        let named = |names: &[&str]| {
            let names = names.iter().copied().chain(default_prompt_name.as_deref());
            names.filter_map(|name| prompts.get(name)).next().cloned().unwrap_or_default()
        };
        Ok(Self { query: named(&["query"]), passage: named(&["document", "passage", "corpus"]) })
    }
}

fn pooling(path: &Path, prompts: &Prompts) -> Result<Pooling, ModelError> {
    let config: PoolingConfig = json(path)?;
    let unsupported = |what: String| Err(ModelError::Unsupported { path: path.to_owned(), what });
    if config.include_prompt == Some(false) && *prompts != Prompts::default() {
        return unsupported("`include_prompt` is false".into());
    }
    let modes = config.modes.iter().filter(|(_, value)| **value == serde_json::Value::Bool(true));
    let modes: Vec<&str> = modes.map(|(name, _)| name.as_str()).collect();
    match modes[..] {
        // the two differ in the length of the vector only
        ["pooling_mode_mean_tokens" | "pooling_mode_mean_sqrt_len_tokens"] => Ok(Pooling::Mean),
        ["pooling_mode_cls_token"] => Ok(Pooling::First),
        ["pooling_mode_max_tokens"] => Ok(Pooling::Max),
        _ => unsupported(format!("the pooling is {modes:?}")),
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    fs::read(path).map_err(|cause| ModelError::Read { path: path.to_owned(), cause })
}

pub(crate) fn json<T: DeserializeOwned>(path: &Path) -> Result<T, ModelError> {
    serde_json::from_slice(&read(path)?)
        .map_err(|error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() })
}

/// The content of a file that may be absent.
fn json_if<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ModelError> {
    if path.exists() { json(path).map(Some) } else { Ok(None) }
}
