use std::time::Duration;

use orgmem_store::{Examined, examine};

use super::Finding;
use crate::config::Settings;
use crate::serve::{ServeError, not_opened, store_config};

const CHECK: &str = "database";
const TIMEOUT: Duration = Duration::from_secs(10);

/// Checks that the database is reachable, of a supported release, and has a known schema.
pub(super) async fn check(settings: &Settings) -> Finding {
    let config = store_config(settings);
    let examination = tokio::task::spawn_blocking(move || examine(&config));
    match tokio::time::timeout(TIMEOUT, examination).await {
        Ok(Ok(found)) => render(found.map_err(|error| not_opened(settings, error))),
        Ok(Err(error)) => Finding::failed(CHECK, error, "please report this"),
        Err(_) => {
            let found = format!("no response within {} seconds", TIMEOUT.as_secs());
            Finding::failed(CHECK, found, "check that it runs and is reachable from this machine")
        }
    }
}

fn render(found: Result<Option<Examined>, ServeError>) -> Finding {
    match found {
        Ok(None) => Finding::passed(CHECK, "SQLite in the data folder; the first start creates it"),
        Ok(Some(Examined { release, applied, pending })) => match (applied.last(), pending.as_slice()) {
            (Some(schema), []) => Finding::passed(CHECK, format!("{release}, schema {schema}")),
            (None, _) => Finding::passed(CHECK, format!("{release}, empty; the first start creates its schema")),
            (_, pending) => {
                Finding::passed(CHECK, format!("{release}; the next start migrates it: {}", pending.join(", ")))
            }
        },
        Err(error) => Finding::failed(CHECK, error, "the server cannot start until this is fixed"),
    }
}

#[cfg(test)]
mod tests {
    use orgmem_store::OpenError;

    use super::*;

    fn examined(applied: &[&str], pending: &[&str]) -> Finding {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        render(Ok(Some(Examined { release: "SQLite 3.53.2".into(), applied: names(applied), pending: names(pending) })))
    }

    #[test]
    fn schema_and_pending_migrations_are_shown() {
        assert_eq!(examined(&["0001", "0002"], &[]).found, "SQLite 3.53.2, schema 0002");
        assert_eq!(
            examined(&["0001"], &["0002", "0003"]).found,
            "SQLite 3.53.2; the next start migrates it: 0002, 0003"
        );
        assert!(examined(&[], &["0001"]).well);
        assert!(!render(Err(OpenError::Newer("0099".into()).into())).well);
    }
}
