//! Workspaces by name: what a person types, and the one workspace that it means.

use orgmem_types::Workspace;
use uuid::Uuid;

use super::print::line;

/// Candidates of an ambiguous name that are shown.
const SHOWN: usize = 10;

/// Why a name does not say which workspace.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    /// None goes by it.
    #[error("no workspace named `{}`, or none that you may see", line(.0))]
    Unknown(String),
    /// Several do.
    #[error("`{}` names {} workspaces", line(.name), .candidates.len())]
    Ambiguous {
        /// The name.
        name: String,
        /// Path and id of each.
        candidates: Vec<(String, Uuid)>,
    },
    /// So many come near that they were not all looked at.
    #[error("too many workspaces are named like `{}`; say which by its id", line(.0))]
    TooMany(String),
}

impl NameError {
    /// The candidates, one a line, to choose from.
    pub(crate) fn advice(&self) -> Option<String> {
        match self {
            Self::Unknown(_) => Some("`orgmem workspace list` shows those that you may".to_owned()),
            Self::TooMany(_) => None,
            Self::Ambiguous { candidates, .. } => {
                let mut text = "say which by its path or id:".to_owned();
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

/// What the server can look for: the last part of a path, which is (the end of) the workspace's own name.
pub(crate) fn own_name(name: &str) -> &str {
    let name = name.trim_matches('/');
    name.rsplit('/').next().unwrap_or(name).trim()
}

/// The workspace that `name` means: the one whose whole path it is, else the only one whose path ends in it; written
/// alike, else alike but for upper and lower case. A `/` may also be part of a name.
///
/// # Errors
/// [`NameError::Unknown`] and [`NameError::Ambiguous`].
pub(crate) fn choose(name: &str, candidates: &[Workspace]) -> Result<Uuid, NameError> {
    let same_case: fn(&str) -> String = str::to_owned;
    let any_case: fn(&str) -> String = str::to_lowercase;
    for fold in [same_case, any_case] {
        let wanted = fold(name.trim_matches('/'));
        let end = format!("/{wanted}");
        let found = |is_meant: &dyn Fn(&str) -> bool| -> Vec<(String, Uuid)> {
            let named = candidates.iter().map(|candidate| (path(candidate), candidate.id));
            named.filter(|(path, _)| is_meant(&fold(path))).collect()
        };
        let whole = found(&|path| path == wanted);
        let meant = if whole.is_empty() { found(&|path| path.ends_with(&end)) } else { whole };
        match meant.as_slice() {
            [] => {}
            [(_, id)] => return Ok(*id),
            _ => return Err(NameError::Ambiguous { name: name.to_owned(), candidates: meant }),
        }
    }
    Err(NameError::Unknown(name.to_owned()))
}

/// The names from the root, as far as the caller may see, down to the workspace.
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
    fn a_name_or_the_end_of_a_path_means_its_workspace() {
        check("dev", 2);
        check("dev/bot", 3);
        check("acme/ops/bot", 6);
        check("/acme/ops/bot/", 6);
        check("ops/acme", 7);
    }

    #[test]
    fn a_whole_path_wins_so_that_a_root_can_be_named() {
        check("acme", 1);
    }

    #[test]
    fn a_slash_may_be_part_of_a_name() {
        check("r/d", 4);
        check("dev/r/d", 4);
    }

    #[test]
    fn case_matters_only_when_it_decides() {
        check("OPS/Bot", 6);
        let twins = [workspace(1, &["Bot"]), workspace(2, &["bot"])];
        assert_eq!(choose("bot", &twins), Ok(Uuid::from_u128(2)));
        assert!(matches!(choose("BOT", &twins), Err(NameError::Ambiguous { .. })));
    }

    #[test]
    fn part_of_a_name_is_no_name() {
        assert_eq!(choose("bo", &candidates()), Err(NameError::Unknown("bo".into())));
        assert_eq!(choose("", &candidates()), Err(NameError::Unknown(String::new())));
    }

    #[test]
    fn an_ambiguous_name_lists_whom_it_may_mean() {
        let error = choose("bot", &candidates()).expect_err("two bots");
        assert_eq!(error.to_string(), "`bot` names 2 workspaces");
        let advice = "say which by its path or id:\n  \
            00000000-0000-0000-0000-000000000003  acme/dev/bot\n  \
            00000000-0000-0000-0000-000000000006  acme/ops/bot";
        assert_eq!(error.advice().as_deref(), Some(advice));
    }

    #[test]
    fn the_server_is_asked_for_the_last_part() {
        assert_eq!(own_name("acme/dev/bot"), "bot");
        assert_eq!(own_name("/acme/"), "acme");
        assert_eq!(own_name("//"), "");
    }
}
