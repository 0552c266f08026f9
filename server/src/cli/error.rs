use std::io;

use orgmem_types::ProblemCode;

use super::naming::NameError;
use super::print::line;
use super::remote::token_of_environment;
use crate::client::ClientError;
use crate::config::ConfigError;
use crate::demo::DemoError;
use crate::serve::ServeError;

/// Why a command did not do what it was asked. The text says what happened; [`CliError::advice`] what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The arguments do not fit together.
    #[error("{0}")]
    Usage(String),
    /// The settings hold a mistake.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server was not reached, or said no.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// No workspace, or several, go by this name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The server did not start, or did not end well.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The files of the demo are not as they should be.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// Something on this machine could not be read or written.
    #[error("cannot {what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        error: io::Error,
    },
    /// What was asked about is not well; the answer has been printed.
    #[error("{0}")]
    NotWell(String),
    /// Nobody reads the output any more.
    #[error("the output was closed")]
    Closed,
}

const NEEDS_TOKEN: &str =
    "set ORGMEM_TOKEN; on the server's own machine --data-dir names the folder of its admin.token";

/// The token in ORGMEM_TOKEN is refused, and so would be whatever is asked with it: a new one too.
const ENVIRONMENT_REFUSED: &str =
    "ORGMEM_TOKEN holds it: set another token of this server, or unset it to speak as this machine's admin";

const ADMIN_REFUSED: &str =
    "it is the admin.token of this machine: the next start of the server with this data folder writes a new one";

/// The body of a request has a limit of its own, far above that of what is in it.
const TOO_LARGE: &str = "one memory has room for 64 KiB of content and one key for 256 KiB, unless the server's settings \
    (`limits`) say otherwise";

/// The exit codes (`docs/spec/cli.md`, "Exit codes").
pub(crate) mod exit {
    /// Done.
    pub(crate) const OK: u8 = 0;
    /// Refused, not found, or in conflict.
    pub(crate) const REFUSED: u8 = 1;
    /// The command line or the settings hold a mistake.
    pub(crate) const USAGE: u8 = 2;
    /// No server answers.
    pub(crate) const UNREACHABLE: u8 = 3;
    /// The server failed, or could not start.
    pub(crate) const SERVER: u8 = 4;
}

impl CliError {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Closed => exit::OK,
            Self::Name(_) | Self::Io { .. } | Self::NotWell(_) => exit::REFUSED,
            Self::Usage(_) | Self::Config(_) => exit::USAGE,
            Self::Serve(_) | Self::Demo(_) => exit::SERVER,
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

    /// What to do about it, when the text does not say so already.
    pub(crate) fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::Client(ClientError::Unreachable { .. }) => {
                "start one with `orgmem serve`, or say where it is with --url or ORGMEM_URL"
            }
            Self::Client(ClientError::NoToken) => NEEDS_TOKEN,
            Self::Client(ClientError::Foreign { .. }) => "is ORGMEM_URL the address of an orgmem server?",
            Self::Client(ClientError::Problem(problem)) => match problem.code {
                ProblemCode::TokenMissing => NEEDS_TOKEN,
                ProblemCode::ConfirmationRequired => "that is --children promote, or --children cascade",
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
    format!("the server's log says more under request {}", line(request_id))
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
    fn exit_codes_tell_a_refusal_from_a_failure() {
        assert_eq!(problem(404, ProblemCode::NotFound).code(), exit::REFUSED);
        assert_eq!(problem(409, ProblemCode::TreeConflict).code(), exit::REFUSED);
        assert_eq!(problem(503, ProblemCode::Unavailable).code(), exit::SERVER);
        let unreachable = ClientError::Unreachable { address: "http://a".into(), reason: "refused".into() };
        assert_eq!(CliError::from(unreachable).code(), exit::UNREACHABLE);
        assert_eq!(CliError::from(ClientError::Address("x".into())).code(), exit::USAGE);
        assert_eq!(CliError::Closed.code(), exit::OK);
    }

    #[test]
    fn a_failure_of_the_server_names_its_request_and_a_refusal_does_not() {
        let advice = problem(500, ProblemCode::Internal).advice();
        assert_eq!(advice.as_deref(), Some("the server's log says more under request 0193"));
        assert_eq!(problem(404, ProblemCode::NotFound).advice(), None);
        assert_eq!(problem(404, ProblemCode::NotFound).to_string(), "no such workspace, or not yours to see");
    }
}
