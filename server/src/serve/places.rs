//! The data folder, and the database in it or elsewhere.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use orgmem_store::{Clock, OpenError, Store, StoreConfig};
use secrecy::ExposeSecret;

use super::ServeError;
use crate::config::Settings;

/// The SQLite file in the data folder.
pub(crate) const DATABASE: &str = "orgmem.db";

/// Messages of SQLite about a damaged file.
const DAMAGED: [&str; 2] = ["file is not a database", "database disk image is malformed"];

/// The lines about data and keys in the output of the start.
pub(super) fn describe_storage(settings: &Settings) -> String {
    let mut text = format!("  data         {}\n", settings.data_dir.display());
    let Some(url) = settings.database_shown() else { return text + "  database     SQLite in the data folder\n" };
    text.push_str(&format!("  database     {url}\n"));
    let jwt = &settings.jwt;
    let signs_with_its_own = jwt.secret.is_none() && jwt.jwks.is_none() && jwt.public_keys.is_empty();
    let seals_with_its_own = jwt.secret.is_none() && settings.access_log.key.is_none();
    let own = [(signs_with_its_own, "jwt.secret"), (seals_with_its_own, "access_log.key")];
    let own: Vec<_> = own.iter().filter(|(is_own, _)| *is_own).map(|(_, setting)| *setting).collect();
    if !own.is_empty() {
        let hint = "in the data folder; another server on this database needs the same ones: set";
        text.push_str(&format!("  keys         {hint} {}\n", own.join(" and ")));
    }
    text
}

/// Restricts new files of this process to its user. SQLite sets no mode, and an existing data folder may permit access
/// by others.
pub(crate) fn keep_files_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Creates the data folder, which contains keys, without access for other users.
pub(crate) fn make_data_dir(path: &Path) -> Result<(), ServeError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|source| ServeError::DataDir { path: path.to_owned(), source })
}

pub(crate) fn store_config(settings: &Settings) -> StoreConfig {
    let count = |count: usize| u32::try_from(count).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
    let readers = count(settings.store.readers);
    let index_cache_bytes = settings.store.index_cache_bytes;
    match &settings.database_url {
        None => StoreConfig::Sqlite { path: settings.data_dir.join(DATABASE), readers, index_cache_bytes },
        Some(url) => {
            let writers = count(settings.store.writers);
            let url = url.expose_secret().to_owned();
            let pooler_url = settings.store.pooler_url.as_ref().map(|url| url.expose_secret().to_owned());
            StoreConfig::Postgres { url, pooler_url, readers, writers, index_cache_bytes }
        }
    }
}

pub(super) async fn open_store(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Store, ServeError> {
    let config = store_config(settings);
    let opened = tokio::task::spawn_blocking(move || Store::open(&config, clock)).await;
    let opened = opened.unwrap_or_else(|error| Err(OpenError::Database(error.to_string())));
    opened.map_err(|error| not_opened(settings, error))
}

/// The error for a database that cannot be opened. For a damaged file it names the path and the remedy.
pub(crate) fn not_opened(settings: &Settings, error: OpenError) -> ServeError {
    match (store_config(settings), error) {
        (StoreConfig::Sqlite { path, .. }, OpenError::Database(reason))
            if DAMAGED.iter().any(|words| reason.contains(words)) =>
        {
            // the words before the last colon describe a temporary error, and this one is permanent
            let reason = reason.rsplit(": ").next().unwrap_or(&reason).to_owned();
            ServeError::Damaged { path, reason }
        }
        (_, error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Sources};

    #[track_caller]
    fn check(variables: &[(&str, &str)], lines: &[&str]) {
        let mut sources = Sources::empty("/nowhere");
        sources.variables = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        sources.variables.push(("ORGMEM_DATA_DIR".into(), "/srv/orgmem".into()));
        let text = describe_storage(&Config::load(&sources).expect("right").settings);
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn start_names_the_database_and_the_keys_that_another_server_needs() {
        let secret = "s".repeat(32);
        let data = "  data         /srv/orgmem";
        check(&[], &[data, "  database     SQLite in the data folder"]);
        let url = ("DATABASE_URL", "postgres://orgmem:hunter2@db/orgmem");
        let database = "  database     postgres://orgmem:****@db/orgmem";
        let own = "  keys         in the data folder; another server on this database needs the same ones: set";
        check(&[url], &[data, database, &format!("{own} jwt.secret and access_log.key")]);
        check(&[url, ("ORGMEM_JWT_SECRET", &secret)], &[data, database]);
        check(&[url, ("ORGMEM_JWKS", "keys.json")], &[data, database, &format!("{own} access_log.key")]);
        check(&[url, ("ORGMEM_ACCESS_LOG_KEY", &secret)], &[data, database, &format!("{own} jwt.secret")]);
    }
}
