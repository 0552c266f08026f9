use chrono::{DateTime, Utc};
use orgmem_types::EmbedderStats;

use super::Finding;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::{Remote, Server};
use crate::client::ClientError;

const SERVER: &str = "server";
const STORE: &str = "its store";
const TOKEN: &str = "token";
const CLOCK: &str = "clock";
const EMBEDDER: &str = "embedder";

/// Clocks may differ by so much before tokens are refused for it; the leeway's default.
const LEEWAY_SECONDS: i64 = 30;

/// The server: reachable, its store answering, this token accepted, its clock ours.
pub(super) async fn check(server: &Server, local: &Local, now: DateTime<Utc>) -> Vec<Finding> {
    let remote = match server.connect(local) {
        Ok(remote) => remote,
        Err(error) => return vec![ill(SERVER, error)],
    };
    let address = remote.client.address();
    let pulse = match remote.client.health().await {
        Ok(pulse) => pulse,
        Err(error) => return vec![ill(SERVER, error.into())],
    };
    let mut findings = vec![Finding::well(SERVER, format!("{address} is alive"))];
    findings.push(match remote.client.ready().await {
        Ok(()) => Finding::well(STORE, "answers"),
        Err(error) => ill(STORE, error.into()),
    });
    findings.push(token(&remote).await);
    findings.extend(embedder(&remote).await);
    findings.extend(pulse.clock.map(|clock| skew((clock - now).num_seconds())));
    findings
}

async fn token(remote: &Remote) -> Finding {
    match remote.client.me().await {
        Ok(me) => {
            let bound = me.workspace_name.map(|name| format!(", bound to {name}")).unwrap_or_default();
            Finding::well(
                TOKEN,
                format!("is {}'s{bound}, good until {}", me.subject, me.expires_at.format("%Y-%m-%d %H:%MZ")),
            )
        }
        Err(error) => ill(TOKEN, error.into()),
    }
}

/// How the embedder fares, for admins; nothing where there is none.
async fn embedder(remote: &Remote) -> Option<Finding> {
    let EmbedderStats { name, waiting, refused, failing, .. } = remote.client.stats().await.ok()?.embedder?;
    let waiting = match waiting {
        0 => "nothing waits".to_owned(),
        1 => "1 memory waits".to_owned(),
        waiting => format!("{waiting} memories wait"),
    };
    Some(match failing {
        Some(why) => {
            let advice = "until it answers, memories are found by their words; check `embedder` and [embedding]";
            Finding::ill(EMBEDDER, format!("{name} fails, {waiting}: {why}"), advice)
        }
        None if refused > 0 => Finding::well(EMBEDDER, format!("{name} answers, {waiting}, {refused} refused")),
        None => Finding::well(EMBEDDER, format!("{name} answers, {waiting}")),
    })
}

fn skew(seconds: i64) -> Finding {
    match seconds.abs() {
        // The server tells whole seconds, and the answer took its time.
        0..=2 => Finding::well(CLOCK, "the server's is ours"),
        off if off < LEEWAY_SECONDS => Finding::well(CLOCK, format!("the server's is {off} s off")),
        off => {
            let found = format!("the server's is {off} s {}", if seconds > 0 { "ahead" } else { "behind" });
            Finding::ill(CLOCK, found, "set both by NTP: tokens are refused when clocks differ")
        }
    }
}

fn ill(check: &'static str, error: CliError) -> Finding {
    let advice = match &error {
        CliError::Client(ClientError::Problem(problem)) if problem.status >= 500 => None,
        error => error.advice(),
    };
    Finding::ill(check, &error, advice.unwrap_or_else(|| "the server's log says more".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_may_differ_as_much_as_tokens_allow() {
        assert!(skew(0).well && skew(-29).well);
        assert_eq!(skew(45).found, "the server's is 45 s ahead");
        assert_eq!(skew(-3600).found, "the server's is 3600 s behind");
        assert!(!skew(30).well);
    }
}
