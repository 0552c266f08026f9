//! A model by its name on a hub, downloaded to the data folder on first use.

use std::io;
use std::path::{Path, PathBuf};

use reqwest::{Client, StatusCode};
use tokio::fs;
use tokio::io::AsyncWriteExt;

use super::EmbedderError;
use super::endpoint::innermost;
use crate::config::EmbedderSettings;

/// The files of a model, the largest last.
const FILES: [(&str, Needed); 4] = [
    ("config.json", Needed::Always),
    ("tokenizer.json", Needed::Always),
    ("sentence_bert_config.json", Needed::Optional),
    ("model.safetensors", Needed::Always),
];
/// Bytes between two log lines.
const REPORT_EVERY: u64 = 16 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Always,
    Optional,
}

/// The folder of `model`, after its missing files are downloaded.
pub(super) async fn folder_of(
    settings: &EmbedderSettings,
    model: &str,
    data_dir: &Path,
) -> Result<PathBuf, EmbedderError> {
    let folder = data_dir.join("models").join(model.replace('/', "--"));
    let client = Client::builder().connect_timeout(settings.timeout).read_timeout(settings.timeout).build();
    let client = client.map_err(|error| EmbedderError::Client(error.to_string()))?;
    for (file, needed) in FILES {
        let to = folder.join(file);
        if fs::try_exists(&to).await.unwrap_or(false) {
            continue;
        }
        let address = format!("{}/{model}/resolve/main/{file}", settings.hub.trim_end_matches('/'));
        let failed = |why: String| EmbedderError::Download {
            what: file.to_owned(),
            address: address.clone(),
            why,
            folder: folder.clone(),
        };
        fs::create_dir_all(&folder).await.map_err(|error| failed(error.to_string()))?;
        match download(&client, &address, &to).await {
            Ok(()) => {}
            Err(Failed::Absent) if needed == Needed::Optional => {}
            Err(Failed::Absent) => return Err(failed("it is not there".into())),
            Err(Failed::Why(why)) => return Err(failed(why)),
        }
    }
    Ok(folder)
}

enum Failed {
    Absent,
    Why(String),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Why(error.to_string())
    }
}

impl From<reqwest::Error> for Failed {
    fn from(error: reqwest::Error) -> Self {
        Self::Why(innermost(&error))
    }
}

/// Downloads a file to a temporary name and renames it when it is complete.
async fn download(client: &Client, address: &str, to: &Path) -> Result<(), Failed> {
    let mut answer = client.get(address).send().await?;
    match answer.status() {
        StatusCode::NOT_FOUND => return Err(Failed::Absent),
        status if !status.is_success() => return Err(Failed::Why(format!("it answers {status}"))),
        _ => {}
    }
    let (length, mut have, mut reported) = (answer.content_length(), 0_u64, 0_u64);
    let part = to.with_extension("part");
    let mut file = fs::File::create(&part).await?;
    while let Some(chunk) = answer.chunk().await? {
        file.write_all(&chunk).await?;
        have += chunk.len() as u64;
        if have >= reported + REPORT_EVERY {
            reported = have;
            tracing::info!(address, bytes = have, of = length, "downloading the embedder");
        }
    }
    if length.is_some_and(|length| length != have) {
        return Err(Failed::Why(format!("it ended after {have} bytes")));
    }
    file.sync_all().await?;
    fs::rename(&part, to).await?;
    Ok(())
}
