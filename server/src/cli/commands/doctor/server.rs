use chrono::{DateTime, Utc};
use orgmem_types::{EmbedderStats, RerankerStats, ServerStats};

use super::Finding;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::{Remote, Server};
use crate::client::ClientError;

const SERVER: &str = "server";
const STORE: &str = "store";
const TOKEN: &str = "token";
const CLOCK: &str = "clock";
const EMBEDDER: &str = "embedder";
const RERANKER: &str = "reranker";

/// The default leeway: a larger difference of the clocks invalidates tokens.
const LEEWAY_SECONDS: i64 = 30;

/// Checks that the server is reachable, its store responds, the token is accepted and the clocks agree.
pub(super) async fn check(server: &Server, local: &Local, now: DateTime<Utc>) -> Vec<Finding> {
    let remote = match server.connect(local) {
        Ok(remote) => remote,
        Err(error) => return vec![failed(SERVER, error)],
    };
    let address = remote.client.address();
    let probe = remote.client.for_health_checks();
    let pulse = match probe.read_pulse().await {
        Ok(pulse) => pulse,
        Err(error) => return vec![failed(SERVER, error.into())],
    };
    let mut findings = vec![Finding::passed(SERVER, format!("{address} is alive"))];
    findings.push(match probe.check_readiness().await {
        Ok(_) => Finding::passed(STORE, "responds"),
        Err(error) => failed(STORE, error.into()),
    });
    findings.push(token(&remote).await);
    // only admins may read them
    if let Ok(ServerStats { embedder: of_embedder, reranker: of_reranker, .. }) = remote.client.read_admin_stats().await
    {
        findings.extend(of_embedder.map(embedder));
        findings.extend(of_reranker.map(reranker));
    }
    findings.extend(pulse.clock.map(|clock| skew((clock - now).num_seconds())));
    findings
}

async fn token(remote: &Remote) -> Finding {
    match remote.client.read_me().await {
        Ok(me) => {
            let bound = me.workspace_name.map(|name| format!(", bound to {name}")).unwrap_or_default();
            Finding::passed(
                TOKEN,
                format!("of {}{bound}, valid until {}", me.subject, me.expires_at.format("%Y-%m-%d %H:%MZ")),
            )
        }
        Err(error) => failed(TOKEN, error.into()),
    }
}

fn embedder(EmbedderStats { name, waiting, refused, failing, .. }: EmbedderStats) -> Finding {
    let waiting = match waiting {
        0 => "no pending memories".to_owned(),
        1 => "1 pending memory".to_owned(),
        waiting => format!("{waiting} pending memories"),
    };
    match failing {
        Some(reason) => {
            let advice =
                "until it responds, search uses keywords only; check the settings `embedder` and `[embedding]`";
            Finding::failed(EMBEDDER, format!("{name} fails, {waiting}: {reason}"), advice)
        }
        None if refused > 0 => Finding::passed(EMBEDDER, format!("{name} responds, {waiting}, {refused} refused")),
        None => Finding::passed(EMBEDDER, format!("{name} responds, {waiting}")),
    }
}

fn reranker(RerankerStats { name, failing, .. }: RerankerStats) -> Finding {
    match failing {
        Some(reason) => {
            let advice =
                "until it responds in time, searches are not reranked; check the settings `reranker` and `[reranking]`";
            Finding::failed(RERANKER, format!("{name} fails: {reason}"), advice)
        }
        None => Finding::passed(RERANKER, format!("{name} responds")),
    }
}

fn skew(seconds: i64) -> Finding {
    match seconds.abs() {
        // the `Date` header has whole seconds, and the response took some time
        0..=2 => Finding::passed(CLOCK, "same as the server's"),
        off if off < LEEWAY_SECONDS => Finding::passed(CLOCK, format!("{off} s from the server's")),
        off => {
            let found = format!("the server's clock is {off} s {}", if seconds > 0 { "ahead" } else { "behind" });
            Finding::failed(CLOCK, found, "synchronise both with NTP: tokens are refused when clocks differ")
        }
    }
}

fn failed(check: &'static str, error: CliError) -> Finding {
    let advice = match &error {
        CliError::Client(ClientError::Problem(problem)) if problem.status >= 500 => None,
        error => error.advice(),
    };
    Finding::failed(check, &error, advice.unwrap_or_else(|| "see the server's log".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_reranker_is_a_finding_with_its_settings() {
        let stats = |failing: Option<&str>| RerankerStats {
            name: "https://rerank.example/v1 first".into(),
            succeeded: 3,
            failed: 1,
            failing: failing.map(str::to_owned),
        };
        assert!(reranker(stats(None)).well);
        let failing = reranker(stats(Some("it answers 401 Unauthorized: no key")));
        assert!(!failing.well && failing.found.contains("first fails: it answers 401"), "{}", failing.found);
    }

    #[test]
    fn clock_difference_up_to_the_leeway_passes() {
        assert!(skew(0).well && skew(-29).well);
        assert_eq!(skew(45).found, "the server's clock is 45 s ahead");
        assert_eq!(skew(-3600).found, "the server's clock is 3600 s behind");
        assert!(!skew(30).well);
    }
}
