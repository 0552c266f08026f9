//! Placeholders and constants that are not credentials.

use std::collections::HashSet;

use aho_corasick::{AhoCorasick, BuildError};
use serde::Deserialize;

use super::examined::ExaminedBytes;
use super::shape::{is_random, is_worded};

/// The lists of the rule file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StandInText {
    signs: Vec<String>,
    #[serde(default)]
    templates: Vec<String>,
    #[serde(default)]
    masks: Vec<String>,
    constants: Vec<String>,
    asking: Vec<String>,
    #[serde(default)]
    prose: Vec<String>,
}

/// Maximum number of visible characters of a masked credential.
const UNMASKED: usize = 8;

/// Constants, placeholders and references.
pub(super) struct StandIns {
    signs: AhoCorasick,
    templates: AhoCorasick,
    masks: AhoCorasick,
    constants: Vec<String>,
    asking: Vec<String>,
    prose: HashSet<String>,
}

impl StandIns {
    pub(super) fn new(text: StandInText) -> Result<Self, BuildError> {
        let StandInText { signs, templates, masks, constants, asking, prose } = text;
        Ok(Self {
            signs: AhoCorasick::new(signs)?,
            templates: AhoCorasick::new(templates)?,
            masks: AhoCorasick::new(masks)?,
            constants,
            asking,
            prose: prose.into_iter().collect(),
        })
    }

    /// Whether `value` is a constant, a request for a credential, or a reference to one. A number is a constant unless
    /// `numbers` are credentials too.
    pub(super) fn covers(&self, value: &str, numbers: bool, work: &ExaminedBytes) -> bool {
        let first = value.bytes().next();
        matches!(first, None | Some(b'[' | b'{' | b'(' | b':'))
            || value.bytes().all(|byte| Some(byte) == first)
            || value.starts_with("arn:")
            || (value.starts_with('<') && value.ends_with('>'))
            || self.is_constant(value)
            || is_variable(value)
            || (!numbers && is_number(value))
            || self.asks(value)
            || is_reference(value)
            || self.signs.is_match(value)
            || self.is_template(value, work)
            || self.is_masked(value)
    }

    /// Whether a word of `value` is a word of sentences.
    pub(super) fn reads_as_prose(&self, value: &str) -> bool {
        value.split_whitespace().any(|word| {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
            self.prose.contains(&word) || self.asking.contains(&word) || self.constants.contains(&word)
        })
    }

    /// Templates with words between, such as `app-${ENV}-db`. A template that does not end is text.
    fn is_template(&self, value: &str, work: &ExaminedBytes) -> bool {
        let mut literal = String::new();
        let (mut at, mut has_template) = (0, false);
        // once a template does not end, no later one of the same kind does
        let mut unclosed: Vec<char> = Vec::new();
        for sign in self.templates.find_iter(value) {
            let close = if value[sign.range()].ends_with('(') { ')' } else { '}' };
            if sign.start() < at || unclosed.contains(&close) {
                continue;
            }
            let end = value[sign.end()..].find(close);
            work.add(end.unwrap_or(value.len() - sign.end()));
            let Some(end) = end else {
                unclosed.push(close);
                continue;
            };
            literal.push_str(&value[at..sign.start()]);
            literal.push(' ');
            (at, has_template) = (sign.end() + end + close.len_utf8(), true);
        }
        literal.push_str(&value[at..]);
        has_template && !literal.contains(|c: char| c.is_ascii_digit())
    }

    /// A masked or shortened credential, such as `sk-...` and `ghp_****1234`.
    fn is_masked(&self, value: &str) -> bool {
        let hides = |c: &char| matches!(c, '*' | '.' | '…' | 'x' | 'X');
        let hidden = value.chars().filter(hides).count();
        let visible = value.chars().count() - hidden;
        self.masks.is_match(value) && (visible <= UNMASKED || hidden > visible)
    }

    fn is_constant(&self, value: &str) -> bool {
        let word = value.trim_end_matches(['!', '?']);
        self.constants.iter().any(|constant| constant.eq_ignore_ascii_case(word))
    }

    /// `your-api-key`, `<insert token>`, `REPLACE_ME`.
    fn asks(&self, value: &str) -> bool {
        let words = || value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let asks = |word: &str| self.asking.iter().any(|asking| word.eq_ignore_ascii_case(asking));
        words().take(4).any(asks) && words().count() > 1 && words().all(|word| word.len() < 16)
    }
}

/// `$NAME`, `$name`, `%NAME%`, `%s`, `%(name)s`, `@name@`.
fn is_variable(value: &str) -> bool {
    let name = value.trim_matches(['$', '%', '@']);
    let is_name = |is_letter: fn(&u8) -> bool| name.bytes().all(|byte| is_letter(&byte) || byte == b'_');
    match value.as_bytes() {
        [b'$', ..] => {
            is_name(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) || is_name(u8::is_ascii_lowercase)
        }
        [b'%', .., b'%'] | [b'@', .., b'@'] => is_name(u8::is_ascii_alphanumeric),
        [b'%', rest @ ..] => rest.len() <= 2 || rest.starts_with(b"("),
        _ => false,
    }
}

/// `262144u32`, `-1_000i64`, `0x00008000`, `4096UL`: a number of up to 64 bits in source code.
fn is_number(value: &str) -> bool {
    const TYPES: [&str; 14] =
        ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64", "UL", "L"];
    let value = value.trim_start_matches('-');
    let value = TYPES.iter().find_map(|suffix| value.strip_suffix(suffix)).unwrap_or(value);
    let hex = value.strip_prefix("0x").filter(|digits| digits.len() <= 17);
    let is_digit = |byte: u8| if hex.is_some() { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    value.len() <= 27
        && value.starts_with(|c: char| c.is_ascii_digit())
        && hex.unwrap_or(value).bytes().all(|byte| byte == b'_' || is_digit(byte))
}

/// `settings.SECRET_KEY`, `Secrets::Aes128Gcm`, `D3D_PASSWORD_2`, `/run/secrets/db`: a reference to a credential.
fn is_reference(value: &str) -> bool {
    let is_dotted = value.contains('.') && value.split('.').all(|part| is_identifier(part) && !is_random(part));
    let is_scoped = value.contains("::") && value.split("::").all(|part| part.is_empty() || is_identifier(part));
    let is_constant = value.contains('_')
        && is_identifier(value)
        && value.bytes().all(|byte| !byte.is_ascii_lowercase())
        && value.split('_').any(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_uppercase()));
    let is_path = (value.starts_with(['/', '~', '.']) || value.get(1..3) == Some(":\\"))
        && value.contains(['/', '\\'])
        && is_worded(value);
    is_dotted || is_scoped || is_constant || is_path
}

fn is_identifier(text: &str) -> bool {
    text.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
