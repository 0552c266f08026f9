//! Schema migrations, which run on start.

use diesel::backend::Backend;
use diesel::migration::MigrationSource;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::OpenError;

pub(crate) const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
/// The same steps as [`SQLITE`].
pub(crate) const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// Runs the pending migrations and returns their names. The caller must hold a lock that excludes other servers.
pub(crate) fn run<DB: Backend>(
    conn: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
) -> Result<Vec<String>, OpenError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let applied = conn.applied_migrations().map_err(failed)?;
    let applied: Vec<String> = applied.iter().map(ToString::to_string).collect();
    pending(known::<DB>(&migrations)?, &applied)?;
    let ran = conn.run_pending_migrations(migrations).map_err(failed)?;
    Ok(ran.iter().map(ToString::to_string).collect())
}

/// The names of the embedded migrations, oldest first.
pub(crate) fn known<DB: Backend>(migrations: &EmbeddedMigrations) -> Result<Vec<String>, OpenError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = MigrationSource::<DB>::migrations(migrations).map_err(failed)?;
    let mut names: Vec<String> = known.iter().map(|migration| migration.name().version().to_string()).collect();
    names.sort_unstable();
    Ok(names)
}

/// The names of all migrations, which both databases share, oldest first.
pub(crate) fn known_names() -> Result<Vec<String>, OpenError> {
    known::<diesel::sqlite::Sqlite>(&SQLITE)
}

/// The migrations of `known` that are not in `applied`.
///
/// # Errors
/// [`OpenError::Newer`] when an applied migration is unknown.
pub(crate) fn pending(known: Vec<String>, applied: &[String]) -> Result<Vec<String>, OpenError> {
    match applied.iter().find(|version| !known.contains(version)) {
        Some(unknown) => Err(OpenError::Newer(unknown.clone())),
        None => Ok(known.into_iter().filter(|version| !applied.contains(version)).collect()),
    }
}

fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> OpenError {
    OpenError::Migration(error.to_string())
}
