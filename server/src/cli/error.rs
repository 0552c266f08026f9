use std::io;

use orgmem_store::{BackupError, TransferError};
use orgmem_types::ProblemCode;

use super::environment::token_of_environment;
use super::naming::NameError;
use super::print::line;
use crate::client::ClientError;
use crate::config::ConfigError;
use crate::demo::DemoError;
use crate::foreign::ForeignError;
use crate::removals::RepeatError;
use crate::serve::ServeError;

/// The reason why a command failed. The text names the cause, [`CliError::advice`] a remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Invalid arguments.
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// An export, an import or a copy failed.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// A file of another tool cannot be imported.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// A backup or a restore failed.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The repetition of removals failed.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// Reading or writing on this machine failed.
    #[error("cannot {action}: {error}")]
    Io { action: String, error: io::Error },
    /// A check failed. Its result is already printed.
    #[error("{0}")]
    CheckFailed(String),
    /// The reader of the output is gone.
    #[error("the output was closed")]
    Closed,
}

const NEEDS_TOKEN: &str =
    "set ORGMEM_TOKEN; on the server's own machine --data-dir names the folder of its admin.token";

const ENVIRONMENT_REFUSED: &str =
    "the token is from ORGMEM_TOKEN: set another token of this server, or unset it to act as this machine's admin";

const ADMIN_REFUSED: &str =
    "the token is the admin.token of this machine: restart the server with this data folder to write a new one";

/// The limit of the body is far above the limits of its content, so the message names the latter.
const TOO_LARGE: &str = "the limits are 64 KiB for the content of a memory and 256 KiB for the value of a key, unless the \
    server's settings (`limits`) differ";

/// The exit codes (`docs/spec/cli.md`, "Exit codes").
pub(crate) mod exit {
    pub(crate) const OK: u8 = 0;
    /// Refused, not found, or in conflict.
    pub(crate) const REFUSED: u8 = 1;
    /// A mistake in the command line or the settings.
    pub(crate) const USAGE: u8 = 2;
    /// No server responds.
    pub(crate) const UNREACHABLE: u8 = 3;
    /// The server failed, or could not start.
    pub(crate) const SERVER: u8 = 4;
}

impl CliError {
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Closed => exit::OK,
            Self::Name(_) | Self::Io { .. } | Self::Foreign(_) | Self::CheckFailed(_) => exit::REFUSED,
            Self::Usage(_) | Self::Config(_) => exit::USAGE,
            Self::Serve(_)
            | Self::Demo(_)
            | Self::Transfer(TransferError::Open(_) | TransferError::Store(_))
            | Self::Backup(BackupError::Open(_) | BackupError::Store(_))
            | Self::Repeat(RepeatError::Store(_)) => exit::SERVER,
            Self::Transfer(_) | Self::Backup(_) | Self::Repeat(_) => exit::REFUSED,
            Self::Client(error) => match error {
                ClientError::Address(_) | ClientError::Token | ClientError::NoToken | ClientError::Unaddressable(_) => {
                    exit::USAGE
                }
                ClientError::Unreachable { .. } => exit::UNREACHABLE,
                ClientError::Problem(problem) if problem.status < 500 => exit::REFUSED,
                ClientError::Problem(_) | ClientError::Foreign { .. } | ClientError::Setup(_) => exit::SERVER,
            },
        }
    }

    /// A remedy, if the text itself has none.
    pub(crate) fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Client(ClientError::Unreachable { .. }) => {
                "start one with `orgmem serve`, or give its address with --url or ORGMEM_URL"
            }
            Self::Client(ClientError::NoToken) => NEEDS_TOKEN,
            Self::Client(ClientError::Foreign { .. }) => "is ORGMEM_URL the address of an orgmem server?",
            Self::Client(ClientError::Problem(problem)) => match problem.code {
                ProblemCode::TokenMissing => NEEDS_TOKEN,
                ProblemCode::ConfirmationRequired => "use --children promote or --children cascade",
                ProblemCode::TokenInvalid if token_of_environment().is_some() => ENVIRONMENT_REFUSED,
                ProblemCode::TokenInvalid => ADMIN_REFUSED,
                ProblemCode::TooLarge => TOO_LARGE,
                _ => return problem.request_id.as_deref().filter(|_| problem.status >= 500).map(in_the_log),
            },
            Self::Name(error) => return error.advice(),
            _ => return None,
        };
        Some(advice.to_owned())
    }
}

fn in_the_log(request_id: &str) -> String {
    format!("the server's log has the cause under request {}", line(request_id))
}

#[cfg(test)]
mod tests {
    use orgmem_types::Problem;

    use super::*;

    fn problem(status: u16, code: ProblemCode) -> CliError {
        CliError::Client(ClientError::Problem(Box::new(Problem {
            kind: "urn:orgmem:problem:any".into(),
            title: "any".into(),
            status,
            detail: "no such workspace, or not yours to see".into(),
            code,
            error: "no such workspace, or not yours to see".into(),
            request_id: Some("0193".into()),
            more: orgmem_types::Object::new(),
        })))
    }

    #[test]
    fn exit_codes_distinguish_refusals_from_failures() {
        assert_eq!(problem(404, ProblemCode::NotFound).code(), exit::REFUSED);
        assert_eq!(problem(409, ProblemCode::TreeConflict).code(), exit::REFUSED);
        assert_eq!(problem(503, ProblemCode::Unavailable).code(), exit::SERVER);
        let unreachable = ClientError::Unreachable { address: "http://a".into(), reason: "refused".into() };
        assert_eq!(CliError::from(unreachable).code(), exit::UNREACHABLE);
        assert_eq!(CliError::from(ClientError::Address("x".into())).code(), exit::USAGE);
        assert_eq!(CliError::Closed.code(), exit::OK);
    }

    #[test]
    fn only_server_failures_name_the_request_id() {
        let advice = problem(500, ProblemCode::Internal).advice();
        assert_eq!(advice.as_deref(), Some("the server's log has the cause under request 0193"));
        assert_eq!(problem(404, ProblemCode::NotFound).advice(), None);
        assert_eq!(problem(404, ProblemCode::NotFound).to_string(), "no such workspace, or not yours to see");
    }
}
