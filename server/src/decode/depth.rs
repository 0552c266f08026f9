use serde_json::Value;

/// Whether arrays and objects in a parsed value nest deeper than `limit` levels. The recursion is at most `limit` deep.
pub(crate) fn nests_deeper(value: &Value, limit: usize) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) if limit == 0 => true,
        Value::Array(items) => items.iter().any(|item| nests_deeper(item, limit - 1)),
        Value::Object(members) => members.values().any(|member| nests_deeper(member, limit - 1)),
        _ => false,
    }
}

/// Whether arrays and objects in JSON text nest deeper than `limit` levels. It only counts brackets outside of strings, so
/// it is cheap and also works for invalid JSON.
pub(super) fn is_deeper(json: &[u8], limit: usize) -> bool {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}
