//! Resolves names and paths of workspaces.

use orgmem_types::Workspace;
use uuid::Uuid;

use super::print::line;

/// Maximum number of candidates in the message for an ambiguous name.
const SHOWN: usize = 10;

/// The reason why a name does not identify a workspace.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    #[error("no workspace named `{}`, or none that you may see", line(.0))]
    Unknown(String),
    #[error("`{}` is ambiguous: {} workspaces match", line(.name), .candidates.len())]
    Ambiguous {
        name: String,
        /// The path and the id of each.
        candidates: Vec<(String, Uuid)>,
    },
    /// More candidates than are fetched.
    #[error("too many workspaces have names like `{}`; use an id", line(.0))]
    TooMany(String),
}

impl NameError {
    /// The candidates, one per line, or another remedy.
    pub(crate) fn advice(&self) -> Option<String> {
        match self {
            Self::Unknown(_) => Some("`orgmem workspace list` lists the workspaces that you may see".to_owned()),
            Self::TooMany(_) => None,
            Self::Ambiguous { candidates, .. } => {
                let mut text = "use an id or a path:".to_owned();
                for (path, id) in candidates.iter().take(SHOWN) {
                    text.push_str(&format!("\n  {id}  {}", line(path)));
                }
                if candidates.len() > SHOWN {
                    text.push_str(&format!("\n  and {} more", candidates.len() - SHOWN));
                }
                Some(text)
            }
        }
    }
}

/// The last part of a path, which the server can search for: the workspace's own name, or its end after a `/`.
pub(crate) fn own_name(name: &str) -> &str {
    let name = name.trim_matches('/');
    name.rsplit('/').next().unwrap_or(name).trim()
}

/// The workspace with the path `name`, otherwise the only one whose path ends with it. An exact match takes precedence over
/// a match that ignores case. Names may contain `/`.
///
/// # Errors
/// [`NameError::Unknown`] and [`NameError::Ambiguous`].
pub(crate) fn choose(name: &str, candidates: &[Workspace]) -> Result<Uuid, NameError> {
    let same_case: fn(&str) -> String = str::to_owned;
    let any_case: fn(&str) -> String = str::to_lowercase;
    for fold in [same_case, any_case] {
        let wanted = fold(name.trim_matches('/'));
        let end = format!("/{wanted}");
        let matching = |matches: &dyn Fn(&str) -> bool| -> Vec<(String, Uuid)> {
            let paths = candidates.iter().map(|candidate| (path(candidate), candidate.id));
            paths.filter(|(path, _)| matches(&fold(path))).collect()
        };
        let whole = matching(&|path| path == wanted);
        let found = if whole.is_empty() { matching(&|path| path.ends_with(&end)) } else { whole };
        match found.as_slice() {
            [] => {}
            [(_, id)] => return Ok(*id),
            _ => return Err(NameError::Ambiguous { name: name.to_owned(), candidates: found }),
        }
    }
    Err(NameError::Unknown(name.to_owned()))
}

/// The names from the highest visible ancestor down to the workspace.
pub(crate) fn path(workspace: &Workspace) -> String {
    let names = workspace.path.iter().map(|step| step.name.as_str()).chain([workspace.name.as_str()]);
    names.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::super::samples::workspace;
    use super::*;

    // acme
    //   dev
    //     bot
    //     r/d
    //   ops
    //     bot
    //     acme
    fn candidates() -> Vec<Workspace> {
        vec![
            workspace(1, &["acme"]),
            workspace(2, &["acme", "dev"]),
            workspace(3, &["acme", "dev", "bot"]),
            workspace(4, &["acme", "dev", "r/d"]),
            workspace(5, &["acme", "ops"]),
            workspace(6, &["acme", "ops", "bot"]),
            workspace(7, &["acme", "ops", "acme"]),
        ]
    }

    #[track_caller]
    fn check(name: &str, found: u128) {
        assert_eq!(choose(name, &candidates()), Ok(Uuid::from_u128(found)), "{name}");
    }

    #[test]
    fn name_or_end_of_path_identifies_workspace() {
        check("dev", 2);
        check("dev/bot", 3);
        check("acme/ops/bot", 6);
        check("/acme/ops/bot/", 6);
        check("ops/acme", 7);
    }

    #[test]
    fn whole_path_takes_precedence() {
        check("acme", 1);
    }

    #[test]
    fn names_may_contain_slashes() {
        check("r/d", 4);
        check("dev/r/d", 4);
    }

    #[test]
    fn case_is_ignored_without_an_exact_match() {
        check("OPS/Bot", 6);
        let twins = [workspace(1, &["Bot"]), workspace(2, &["bot"])];
        assert_eq!(choose("bot", &twins), Ok(Uuid::from_u128(2)));
        assert!(matches!(choose("BOT", &twins), Err(NameError::Ambiguous { .. })));
    }

    #[test]
    fn part_of_a_name_is_unknown() {
        assert_eq!(choose("bo", &candidates()), Err(NameError::Unknown("bo".into())));
        assert_eq!(choose("", &candidates()), Err(NameError::Unknown(String::new())));
    }

    #[test]
    fn ambiguous_name_lists_candidates() {
        let error = choose("bot", &candidates()).expect_err("two bots");
        assert_eq!(error.to_string(), "`bot` is ambiguous: 2 workspaces match");
        let advice = "use an id or a path:\n  \
            00000000-0000-0000-0000-000000000003  acme/dev/bot\n  \
            00000000-0000-0000-0000-000000000006  acme/ops/bot";
        assert_eq!(error.advice().as_deref(), Some(advice));
    }

    #[test]
    fn own_name_is_the_last_part_of_a_path() {
        assert_eq!(own_name("acme/dev/bot"), "bot");
        assert_eq!(own_name("/acme/"), "acme");
        assert_eq!(own_name("//"), "");
    }
}
