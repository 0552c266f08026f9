//! The schema, brought up to date on start.

use diesel::backend::Backend;
use diesel::migration::MigrationSource;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::OpenError;

/// The schema of the embedded database.
pub(crate) const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
/// The same, step for step, of PostgreSQL.
pub(crate) const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// Runs what was not run yet; gives the names of what it ran. The caller holds a lock that keeps others out.
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

/// The names of all that this server knows, oldest first.
pub(crate) fn known<DB: Backend>(migrations: &EmbeddedMigrations) -> Result<Vec<String>, OpenError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = MigrationSource::<DB>::migrations(migrations).map_err(failed)?;
    let mut names: Vec<String> = known.iter().map(|migration| migration.name().version().to_string()).collect();
    names.sort_unstable();
    Ok(names)
}

/// Those of `known` that are not among the `applied`.
///
/// # Errors
/// [`OpenError::Newer`] when one was applied that is not known.
pub(crate) fn pending(known: Vec<String>, applied: &[String]) -> Result<Vec<String>, OpenError> {
    match applied.iter().find(|version| !known.contains(version)) {
        Some(unknown) => Err(OpenError::Newer(unknown.clone())),
        None => Ok(known.into_iter().filter(|version| !applied.contains(version)).collect()),
    }
}

fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> OpenError {
    OpenError::Migration(error.to_string())
}
