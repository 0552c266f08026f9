//! The rules for credentials: the built-in ones, and those of the deployment.

use std::path::{Path, PathBuf};

use orgmem_policies::scrub::{RuleError, Scrubber};

/// The largest rule file.
const MAX_BYTES: u64 = 1 << 20;

/// A rule file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the rule file `{path}` of the setting `scrub.rules` cannot be used: {reason}", path = .path.display())]
pub struct SecretRulesError {
    path: PathBuf,
    reason: String,
}

/// The scrubber of the built-in rules and those in the file, if there is one. It lives as long as the process.
///
/// # Errors
/// [`SecretRulesError`] when the file cannot be read, or a rule is invalid.
pub(crate) fn scrubber(file: Option<&Path>) -> Result<&'static Scrubber, SecretRulesError> {
    let Some(path) = file else { return Ok(Scrubber::built_in()) };
    let fault = |reason: String| SecretRulesError { path: path.to_owned(), reason };
    let size = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(fault(format!("it has more than {MAX_BYTES} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    let scrubber = Scrubber::with_rules(&text).map_err(|error: RuleError| fault(error.to_string()))?;
    // the server starts once in a process, and drafts on all threads use it until the end
    Ok(Box::leak(Box::new(scrubber)))
}
