//! The forms of settings: addresses, folders, names.

use std::net::SocketAddr;
use std::path::PathBuf;

use http::Uri;
use orgmem_policies::Role;
use secrecy::SecretString;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::reader::ValueForm;
use super::{ClaimName, EmbedderSource, Jwks, LogFormat, RerankerSource};
use crate::authority::Authority;

/// HS256 needs a key at least as long as its hash (RFC 7518, section 3.2).
const SECRET_BYTES: usize = 32;

pub(super) const NOT_BLANK: ValueForm<String> = ValueForm { allowed: "text that is not blank", read: not_blank };

pub(super) const LISTEN: ValueForm<SocketAddr> =
    ValueForm { allowed: "an address and a port such as `127.0.0.1:7070`", read: listen };

pub(super) const LISTEN_LOOPBACK: ValueForm<SocketAddr> = ValueForm {
    allowed: "a loopback address and a port such as `127.0.0.1:9100`; with `plugin.allow_remote = \"yes\"` any address",
    read: |text| listen(text).filter(|address| address.ip().is_loopback()),
};

pub(super) const PATH: ValueForm<PathBuf> =
    ValueForm { allowed: "a path", read: |text| not_blank(text).map(PathBuf::from) };

pub(super) const DATABASE: ValueForm<SecretString> =
    ValueForm { allowed: "an address such as `postgres://user:password@host/database`", read: database };

pub(super) const LOG: ValueForm<String> =
    ValueForm { allowed: "a level such as `info`, or levels by module such as `info,orgmem::http=debug`", read: log };

pub(super) const LOG_FORMAT: ValueForm<LogFormat> = ValueForm { allowed: "`text` or `json`", read: log_format };

pub(super) const ENDPOINT: ValueForm<String> =
    ValueForm { allowed: "an http(s) address without a password, such as `http://127.0.0.1:4318`", read: web_address };

pub(super) const SECRET: ValueForm<SecretString> = ValueForm { allowed: "at least 32 bytes long", read: secret };

pub(super) const KEY: ValueForm<SecretString> = ValueForm {
    allowed: "text without blanks",
    read: |text| (!text.contains(char::is_whitespace)).then(|| text.into()),
};

pub(super) const YES_OR_NO: ValueForm<bool> = ValueForm { allowed: "`yes` or `no`", read: yes_or_no };

pub(super) const JWKS: ValueForm<Jwks> =
    ValueForm { allowed: "a path, or an http(s) address without a password", read: jwks };

pub(super) const EMBEDDER: ValueForm<EmbedderSource> = ValueForm {
    allowed: "the folder of a model, `hub:` and its name such as `hub:sentence-transformers/all-MiniLM-L6-v2`, or the http(s) address of an endpoint without a password",
    read: embedder,
};

pub(super) const RERANKER: ValueForm<RerankerSource> = ValueForm {
    allowed: "the folder of a cross-encoder, or the http(s) address of an endpoint without a password",
    read: reranker,
};

pub(super) const HOST: ValueForm<String> =
    ValueForm { allowed: "a host, with its port or without, such as `memory.example.org`", read: host };

pub(super) const ORIGIN: ValueForm<String> =
    ValueForm { allowed: "an origin without a path, such as `https://app.example.org`", read: origin };

pub(super) const FRAMER: ValueForm<String> = ValueForm {
    allowed: "an http(s) origin as browsers name it, without a path, such as `https://app.example.org`",
    read: framer,
};

pub(super) const EPISODE_TYPE: ValueForm<String> =
    ValueForm { allowed: "lower-case letters, digits and `_`, a letter first, at most 50", read: episode_type };

pub(super) const CLAIM: ValueForm<(ClaimName, String)> = ValueForm {
    allowed: "a claim and the provider's name of it, such as `ws=workspace_id`; the claims are `sub`, `role`, `ws`, `jti`, `nbf`",
    read: claim,
};

pub(super) const MAPPED_ROLE: ValueForm<(String, Role)> = ValueForm {
    allowed: "a value of the claim and its role, such as `memory-admins=admin`; the roles are `agent`, `viewer`, `operator`, `admin`",
    read: mapped_role,
};

fn claim(text: &str) -> Option<(ClaimName, String)> {
    let (ours, theirs) = text.split_once('=')?;
    let ours = ClaimName::ALL.into_iter().find(|name| name.as_str() == ours.trim())?;
    not_blank(theirs.trim()).map(|theirs| (ours, theirs))
}

fn mapped_role(text: &str) -> Option<(String, Role)> {
    let (value, role) = text.rsplit_once('=')?;
    Some((not_blank(value.trim())?, role.trim().parse().ok()?))
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn not_blank(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

fn listen(text: &str) -> Option<SocketAddr> {
    // the only name that needs no resolver
    let address = text.replacen("localhost:", "127.0.0.1:", usize::from(text.starts_with("localhost:")));
    address.parse().ok()
}

fn database(text: &str) -> Option<SecretString> {
    let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"))?;
    (!rest.is_empty()).then(|| text.into())
}

/// `EnvFilter` reads an unknown word as the name of a module, so a misspelt level would disable all logs.
fn log(text: &str) -> Option<String> {
    let is_word = |part: &&str| !part.contains(['=', ':', '[']);
    let is_level = |part: &str| part.trim().parse::<LevelFilter>().is_ok();
    let is_valid = text.split(',').filter(is_word).all(is_level) && EnvFilter::try_new(text).is_ok();
    is_valid.then(|| not_blank(text)).flatten()
}

fn log_format(text: &str) -> Option<LogFormat> {
    match text {
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

/// An address with a password is refused, because addresses appear in logs and messages.
fn web_address(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let authority = uri.authority()?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    (is_web && !authority.host().is_empty() && !authority.as_str().contains('@')).then(|| text.to_owned())
}

fn secret(text: &str) -> Option<SecretString> {
    (text.len() >= SECRET_BYTES).then(|| text.into())
}

fn jwks(text: &str) -> Option<Jwks> {
    if text.contains("://") {
        web_address(text).map(Jwks::Address)
    } else {
        not_blank(text).map(|path| Jwks::File(path.into()))
    }
}

fn embedder(text: &str) -> Option<EmbedderSource> {
    if let Some(model) = text.strip_prefix("hub:") {
        let is_name = |part: &str| {
            let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
            !part.is_empty() && !part.starts_with('.') && part.chars().all(is_plain)
        };
        let (owner, name) = model.split_once('/')?;
        (is_name(owner) && is_name(name)).then(|| EmbedderSource::Hub(model.to_owned()))
    } else if text.contains("://") {
        web_address(text).map(EmbedderSource::Address)
    } else {
        not_blank(text).map(|path| EmbedderSource::Folder(path.into()))
    }
}

fn reranker(text: &str) -> Option<RerankerSource> {
    if text.contains("://") {
        web_address(text).map(RerankerSource::Address)
    } else {
        // what is a model of a hub for the embedder would be an absent folder
        not_blank(text).filter(|text| !text.starts_with("hub:")).map(|path| RerankerSource::Folder(path.into()))
    }
}

fn host(text: &str) -> Option<String> {
    Authority::parse(text).map(|_| text.to_ascii_lowercase())
}

fn origin(text: &str) -> Option<String> {
    let (scheme, authority) = text.split_once("://")?;
    (!scheme.is_empty() && host(authority).is_some()).then(|| text.to_owned())
}

/// The origin in the spelling of browsers. The page compares it with the origin of messages, so wildcards are refused, and
/// it becomes part of a policy, so characters that end a directive are refused.
fn framer(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let (scheme, authority) = text.split_once("://")?;
    let default_port = match scheme {
        "http" => "80",
        "https" => "443",
        _ => return None,
    };
    let (host, port) = authority.split_once(':').map_or((authority, default_port), |(host, port)| (host, port));
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    let port = port.trim_start_matches('0');
    let origin = if port == default_port { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{port}") };
    (!host.is_empty() && host.bytes().all(is_host) && is_port).then_some(origin)
}

fn episode_type(text: &str) -> Option<String> {
    let is_word = text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    let starts_with_letter = text.starts_with(|first: char| first.is_ascii_lowercase());
    (is_word && starts_with_letter && text.len() <= 50).then(|| text.to_owned())
}
