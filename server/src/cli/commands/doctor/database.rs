use std::time::Duration;

use orgmem_store::{Examined, examine};

use super::Finding;
use crate::config::Settings;
use crate::serve::{ServeError, not_opened, store_config};

const CHECK: &str = "database";
const PATIENCE: Duration = Duration::from_secs(10);

/// The database: reachable, of a release that can be trusted, its schema known to this program.
pub(super) async fn check(settings: &Settings) -> Finding {
    let config = store_config(settings);
    let look = tokio::task::spawn_blocking(move || examine(&config));
    match tokio::time::timeout(PATIENCE, look).await {
        Ok(Ok(found)) => render(found.map_err(|error| not_opened(settings, error))),
        Ok(Err(error)) => Finding::ill(CHECK, error, "please report this"),
        Err(_) => {
            let found = format!("does not answer within {} seconds", PATIENCE.as_secs());
            Finding::ill(CHECK, found, "is it up, and can it be reached from here?")
        }
    }
}

fn render(found: Result<Option<Examined>, ServeError>) -> Finding {
    match found {
        Ok(None) => Finding::well(CHECK, "SQLite in the data folder; the first start makes it"),
        Ok(Some(Examined { release, applied, pending })) => match (applied.last(), pending.as_slice()) {
            (Some(schema), []) => Finding::well(CHECK, format!("{release}, schema {schema}")),
            (None, _) => Finding::well(CHECK, format!("{release}, empty; the first start makes its schema")),
            (_, pending) => {
                Finding::well(CHECK, format!("{release}; the next start migrates it: {}", pending.join(", ")))
            }
        },
        Err(error) => Finding::ill(CHECK, error, "the server does not start before this is put right"),
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
    fn the_schema_is_told_and_what_the_next_start_does_to_it() {
        assert_eq!(examined(&["0001", "0002"], &[]).found, "SQLite 3.53.2, schema 0002");
        assert_eq!(
            examined(&["0001"], &["0002", "0003"]).found,
            "SQLite 3.53.2; the next start migrates it: 0002, 0003"
        );
        assert!(examined(&[], &["0001"]).well);
        assert!(!render(Err(OpenError::Newer("0099".into()).into())).well);
    }
}
