//! A model by its name on a hub, downloaded to the data folder on first use.

use std::io;
use std::path::{Path, PathBuf};

use orgmem_embed::ModelFile;
use reqwest::{Client, StatusCode};
use tokio::fs;
use tokio::io::AsyncWriteExt;

use super::EmbedderError;
use super::endpoint::innermost;
use crate::config::EmbedderSettings;

/// The file that names the other files.
const MODULES: &str = "modules.json";
/// The empty file that says that all files of a model are there, also those that a hub may not have.
const COMPLETE: &str = "complete";
/// Bytes between two log lines.
const REPORT_EVERY: u64 = 16 << 20;

/// The folder of `model`, after its missing files are downloaded.
pub(super) async fn folder_of(
    settings: &EmbedderSettings,
    model: &str,
    data_dir: &Path,
) -> Result<PathBuf, EmbedderError> {
    let folder = data_dir.join("models").join(model.replace('/', "--"));
    let client = Client::builder().connect_timeout(settings.timeout).read_timeout(settings.timeout).build();
    let client = client.map_err(|error| EmbedderError::Client(error.to_string()))?;
    if exists(&folder.join(COMPLETE)).await {
        return Ok(folder);
    }
    // an earlier version downloaded fewer files, and then the server starts without the hub, as it did
    let was_used = exists(&folder.join("model.safetensors")).await;
    let mut files = vec![ModelFile { path: MODULES.to_owned(), is_optional: true }];
    let mut next = 0;
    while let Some(ModelFile { path, is_optional }) = files.get(next).cloned() {
        next += 1;
        let to = folder.join(&path);
        if !exists(&to).await {
            let address = format!("{}/{model}/resolve/main/{path}", settings.hub.trim_end_matches('/'));
            let failed = |why: String| EmbedderError::Download {
                what: path.clone(),
                address: address.clone(),
                why,
                folder: folder.clone(),
            };
            fs::create_dir_all(to.parent().unwrap_or(&folder)).await.map_err(|error| failed(error.to_string()))?;
            match download(&client, &address, &to).await {
                Ok(()) => {}
                Err(Failed::Absent) if is_optional => {}
                Err(Failed::Why(why)) if is_optional && was_used => {
                    tracing::warn!(address, why, "cannot ask for more files of the embedder");
                    return Ok(folder);
                }
                Err(Failed::Absent) => return Err(failed("it is not there".into())),
                Err(Failed::Why(why)) => return Err(failed(why)),
            }
        }
        if path == MODULES {
            files.extend(orgmem_embed::model_files(&folder)?);
        }
    }
    let complete = folder.join(COMPLETE);
    fs::write(&complete, [])
        .await
        .map_err(|error| EmbedderError::Client(format!("{}: {error}", complete.display())))?;
    Ok(folder)
}

async fn exists(path: &Path) -> bool {
    fs::try_exists(path).await.unwrap_or(false)
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
