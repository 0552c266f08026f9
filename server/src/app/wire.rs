//! Conversions between wire types and the types of the store and of `policies`.

use orgmem_policies::drafts::{FieldRedaction, Source};
use orgmem_policies::{Role, quote};
use orgmem_store::MemoryCounts;
use orgmem_types as wire;

pub(super) fn counts(counts: &MemoryCounts) -> wire::MemoryCounts {
    wire::MemoryCounts { local: counts.local, team: counts.team, global: counts.global }
}

/// Parses a JSON object that is stored as text; `None` only for damaged data.
pub(super) fn object(text: &str) -> Option<wire::Object> {
    serde_json::from_str(text).ok()
}

/// Parses any JSON value that is stored as text; `None` only for damaged data.
pub(super) fn json(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).ok()
}

/// Parses the claims of an episode that are stored as text; `None` only for damaged data.
pub(super) fn claims_of(text: &str) -> Option<Vec<wire::Claim>> {
    serde_json::from_str(text).ok()
}

pub(super) fn redactions(found: &[FieldRedaction]) -> Vec<wire::Redaction> {
    let wire_redaction = |redaction: &FieldRedaction| wire::Redaction {
        field: redaction.field.to_owned(),
        kind: redaction.kind.clone(),
        count: redaction.count,
    };
    found.iter().map(wire_redaction).collect()
}

/// As [`redactions`], with `path` as the prefix of the field names: for a part of a document.
pub(super) fn redactions_at(path: &str, found: &[FieldRedaction]) -> Vec<wire::Redaction> {
    let mut redactions = redactions(found);
    for redaction in &mut redactions {
        redaction.field.insert_str(0, path);
    }
    redactions
}

pub(super) fn role(role: Role) -> wire::Role {
    match role {
        Role::Source => wire::Role::Source,
        Role::Agent => wire::Role::Agent,
        Role::Viewer => wire::Role::Viewer,
        Role::Operator => wire::Role::Operator,
        Role::Admin => wire::Role::Admin,
    }
}

pub(super) fn role_of(role: wire::Role) -> Role {
    match role {
        wire::Role::Source => Role::Source,
        wire::Role::Agent => Role::Agent,
        wire::Role::Viewer => Role::Viewer,
        wire::Role::Operator => Role::Operator,
        wire::Role::Admin => Role::Admin,
    }
}

pub(super) fn source(source: Source) -> wire::Source {
    match source {
        Source::Agent => wire::Source::Agent,
        Source::User => wire::Source::User,
        Source::Tool => wire::Source::Tool,
        Source::Eval => wire::Source::Eval,
        Source::Manual => wire::Source::Manual,
        Source::Runtime => wire::Source::Runtime,
        Source::Processor => wire::Source::Processor,
    }
}

pub(super) fn source_of(source: wire::Source) -> Source {
    match source {
        wire::Source::Agent => Source::Agent,
        wire::Source::User => Source::User,
        wire::Source::Tool => Source::Tool,
        wire::Source::Eval => Source::Eval,
        wire::Source::Manual => Source::Manual,
        wire::Source::Runtime => Source::Runtime,
        wire::Source::Processor => Source::Processor,
    }
}

pub(super) fn make_visible(text: &mut String) {
    if let std::borrow::Cow::Owned(visible) = quote::visible(text) {
        *text = visible;
    }
}

/// An episode as an agent receives it: the messages of others in it hide nothing.
pub(super) fn make_episode_visible(episode: &mut wire::AppendEpisode) {
    let wire::AppendEpisode {
        activity_type: _,
        method,
        summary,
        target_id: _,
        source_id: _,
        status,
        error_detail,
        duration_ms: _,
        request_body,
        response_body,
        metadata,
        actor,
        channel,
        correlation_id,
        session_id,
        kind,
        outcome,
        salience: _,
        claims,
        supersedes: _,
        subject,
        occurred_at: _,
    } = episode;
    let texts =
        [method, summary, status, error_detail, actor, channel, correlation_id, session_id, kind, outcome, subject];
    texts.into_iter().flatten().for_each(make_visible);
    for claim in claims.iter_mut().flatten() {
        [&mut claim.entity, &mut claim.field].into_iter().for_each(make_visible);
        quote::visible_json(&mut claim.value);
    }
    [request_body, response_body].into_iter().flatten().for_each(quote::visible_json);
    if let Some(fields) = metadata {
        quote::visible_members(fields);
    }
}
