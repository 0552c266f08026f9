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

/// The structure of JSON text, found without parsing it: brackets and separators outside of strings. Also for invalid JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JsonShape {
    /// Levels of arrays and objects.
    pub(super) depth: usize,
    /// An estimate of the memory of the parsed values, without the bytes of their texts.
    pub(super) parsed_bytes: usize,
}

impl JsonShape {
    /// Reads at most as far as the nesting exceeds `max_depth`.
    pub(super) fn of(json: &[u8], max_depth: usize) -> Self {
        let mut shape = Self::default();
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
                    shape.depth = shape.depth.max(depth);
                    shape.parsed_bytes += if *byte == b'{' { OBJECT_BYTES } else { VALUE_BYTES };
                    if depth > max_depth {
                        return shape;
                    }
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' => shape.parsed_bytes += VALUE_BYTES,
                b':' => shape.parsed_bytes += NAME_BYTES,
                _ => {}
            }
        }
        shape
    }
}

/// A value of 32 bytes in a list with spare capacity.
const VALUE_BYTES: usize = 64;
/// The node of a map, or a struct.
const OBJECT_BYTES: usize = 128;
/// A name in an object with its text.
const NAME_BYTES: usize = 112;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_is_counted_outside_of_strings() {
        let shape = |text: &str| JsonShape::of(text.as_bytes(), 64);
        let with = |depth, parsed_bytes| JsonShape { depth, parsed_bytes };
        assert_eq!(shape("7"), with(0, 0));
        assert_eq!(shape(r#""[{,:\"[""#), with(0, 0));
        assert_eq!(shape("[1,2]"), with(1, 2 * VALUE_BYTES));
        assert_eq!(shape(r#"{"a":[]}"#), with(2, OBJECT_BYTES + NAME_BYTES + VALUE_BYTES));
        assert_eq!(JsonShape::of(b"[[[[", 2).depth, 3);
    }
}
