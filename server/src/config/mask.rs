//! Masks secrets in values.

/// Settings that are masked completely.
const SECRET: [&str; 9] = [
    "jwt.secret",
    "jwt.previous_secret",
    "access_log.key",
    "access_log.previous_keys",
    "embedding.key",
    "reranking.key",
    "summary.api_key",
    "extractor.api_key",
    "plugin.token",
];

/// The same, by kind of table and key.
const SECRET_IN_TABLES: [(&str, &str); 2] = [("sources.", ".header_value"), ("providers.", ".token")];

const MASK: &str = "****";

/// `value` of `setting` with secrets, and passwords in addresses, masked.
pub(crate) fn masked(setting: &str, value: &str) -> String {
    if value.is_empty() || !is_secret(setting) { without_password(value) } else { MASK.to_owned() }
}

fn is_secret(setting: &str) -> bool {
    let is_in = |(table, key): &(&str, &str)| setting.starts_with(table) && setting.ends_with(key);
    SECRET.contains(&setting) || SECRET_IN_TABLES.iter().any(is_in)
}

/// An address without the passwords before its host and in its parameters.
fn without_password(address: &str) -> String {
    let mut text = address.to_owned();
    if let Some(start) = text.find("://").map(|scheme_end| scheme_end + 3)
        && let Some(at) = text[start..].rfind('@').map(|at| at + start)
        && let Some(colon) = text[start..at].find(':').map(|colon| colon + start)
    {
        text.replace_range(colon + 1..at, MASK);
    }
    let parameters: Vec<_> = text.match_indices("password=").map(|(offset, name)| offset + name.len()).collect();
    for start in parameters.into_iter().rev() {
        let end = text[start..].find(['&', ' ']).map_or(text.len(), |end| end + start);
        text.replace_range(start..end, MASK);
    }
    text
}
