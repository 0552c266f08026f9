//! The names of glyphs and the encodings of simple fonts.
//!
//! Source: ISO 32000-1, annex D; Adobe Glyph List For New Fonts.

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// Of the printable characters of ASCII that are no letters.
const ASCII: &str = "space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus \
    comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at";
const BRACKETS: &str = "bracketleft backslash bracketright asciicircum underscore grave";
const BRACES: &str = "braceleft bar braceright asciitilde";
/// From U+00A1 on.
const LATIN_1: &str = "exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft \
    logicalnot sfthyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla \
    onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex Atilde \
    Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute \
    Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute \
    acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex idieresis eth \
    ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis";
const GREEK: &str = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma tau \
    upsilon phi chi psi omega";
const OTHERS: [(&str, &str); 66] = [
    ("quoteleft", "‘"),
    ("quoteright", "’"),
    ("quotedblleft", "“"),
    ("quotedblright", "”"),
    ("quotesinglbase", "‚"),
    ("quotedblbase", "„"),
    ("guilsinglleft", "‹"),
    ("guilsinglright", "›"),
    ("endash", "–"),
    ("emdash", "—"),
    ("bullet", "•"),
    ("ellipsis", "…"),
    ("dagger", "†"),
    ("daggerdbl", "‡"),
    ("perthousand", "‰"),
    ("fraction", "⁄"),
    ("Euro", "€"),
    ("florin", "ƒ"),
    ("trademark", "™"),
    ("minus", "−"),
    ("OE", "Œ"),
    ("oe", "œ"),
    ("Scaron", "Š"),
    ("scaron", "š"),
    ("Zcaron", "Ž"),
    ("zcaron", "ž"),
    ("Ccaron", "Č"),
    ("ccaron", "č"),
    ("Cacute", "Ć"),
    ("cacute", "ć"),
    ("Ecaron", "Ě"),
    ("ecaron", "ě"),
    ("Rcaron", "Ř"),
    ("rcaron", "ř"),
    ("Sacute", "Ś"),
    ("sacute", "ś"),
    ("Zdotaccent", "Ż"),
    ("zdotaccent", "ż"),
    ("Aogonek", "Ą"),
    ("aogonek", "ą"),
    ("Eogonek", "Ę"),
    ("eogonek", "ę"),
    ("Gbreve", "Ğ"),
    ("gbreve", "ğ"),
    ("Ydieresis", "Ÿ"),
    ("dotlessi", "ı"),
    ("Lslash", "Ł"),
    ("lslash", "ł"),
    ("nacute", "ń"),
    ("uring", "ů"),
    ("ff", "ff"),
    ("fi", "fi"),
    ("fl", "fl"),
    ("ffi", "ffi"),
    ("ffl", "ffl"),
    ("nbspace", " "),
    ("lessequal", "≤"),
    ("greaterequal", "≥"),
    ("notequal", "≠"),
    ("approxequal", "≈"),
    ("infinity", "∞"),
    ("arrowright", "→"),
    ("arrowleft", "←"),
    ("summation", "∑"),
    ("element", "∈"),
    ("radical", "√"),
];

/// The upper half of StandardEncoding, by code.
const STANDARD: [(u8, &str); 49] = [
    (0x27, "’"),
    (0x60, "‘"),
    (0xa1, "¡"),
    (0xa2, "¢"),
    (0xa3, "£"),
    (0xa4, "⁄"),
    (0xa5, "¥"),
    (0xa6, "ƒ"),
    (0xa7, "§"),
    (0xa8, "¤"),
    (0xa9, "'"),
    (0xaa, "“"),
    (0xab, "«"),
    (0xac, "‹"),
    (0xad, "›"),
    (0xae, "fi"),
    (0xaf, "fl"),
    (0xb1, "–"),
    (0xb2, "†"),
    (0xb3, "‡"),
    (0xb4, "·"),
    (0xb6, "¶"),
    (0xb7, "•"),
    (0xb8, "‚"),
    (0xb9, "„"),
    (0xba, "”"),
    (0xbb, "»"),
    (0xbc, "…"),
    (0xbd, "‰"),
    (0xbf, "¿"),
    (0xc1, "`"),
    (0xc2, "´"),
    (0xc3, "ˆ"),
    (0xc4, "˜"),
    (0xc5, "¯"),
    (0xc8, "¨"),
    (0xd0, "—"),
    (0xe1, "Æ"),
    (0xe3, "ª"),
    (0xe8, "Ł"),
    (0xe9, "Ø"),
    (0xea, "Œ"),
    (0xeb, "º"),
    (0xf1, "æ"),
    (0xf5, "ı"),
    (0xf8, "ł"),
    (0xf9, "ø"),
    (0xfa, "œ"),
    (0xfb, "ß"),
];

/// The texts of the codes 0 to 255; empty for a code without text.
pub(super) type Table = Vec<Box<str>>;

/// The encoding with a name; StandardEncoding without one.
pub(super) fn encoding(name: Option<&[u8]>) -> Table {
    match name {
        Some(b"WinAnsiEncoding") => of_encoding(WINDOWS_1252),
        Some(b"MacRomanEncoding") => of_encoding(MACINTOSH),
        _ => {
            let mut table: Table =
                (0..=255_u8).map(|byte| ascii(byte).map(String::from).unwrap_or_default().into()).collect();
            for (code, text) in STANDARD {
                table[usize::from(code)] = text.into();
            }
            table
        }
    }
}

fn ascii(byte: u8) -> Option<char> {
    (32..127).contains(&byte).then_some(char::from(byte))
}

fn of_encoding(encoding: &'static Encoding) -> Table {
    let text =
        |byte: u8| if byte < 32 { Box::default() } else { encoding.decode_without_bom_handling(&[byte]).0.into() };
    (0..=255_u8).map(text).collect()
}

/// The text of a glyph by its name; none for a name without a meaning, such as `g12`.
pub(super) fn text(name: &str) -> Option<String> {
    let name = name.split('.').next().unwrap_or_default();
    let mut chars = name.chars();
    if let (Some(letter), None) = (chars.next(), chars.clone().next()) {
        return Some(letter.to_string());
    }
    let nth = |names: &str, first: u32| {
        let at = names.split_ascii_whitespace().position(|other| other == name)?;
        char::from_u32(first + u32::try_from(at).ok()?).map(String::from)
    };
    let other = || OTHERS.iter().find(|(other, _)| *other == name).map(|(_, text)| (*text).to_owned());
    let capital = || {
        let lower = name.to_ascii_lowercase();
        let at = GREEK.split_ascii_whitespace().position(|other| other == lower)?;
        char::from_u32(0x391 + u32::try_from(at).ok()?).map(String::from)
    };
    nth(ASCII, 0x20)
        .or_else(|| nth(BRACKETS, 0x5b))
        .or_else(|| nth(BRACES, 0x7b))
        .or_else(|| nth(LATIN_1, 0xa1))
        .or_else(other)
        .or_else(|| nth(GREEK, 0x3b1))
        .or_else(|| name.starts_with(|c: char| c.is_ascii_uppercase()).then(capital).flatten())
        .or_else(|| by_code_point(name))
}

/// `uni20AC` and `u1F600`.
fn by_code_point(name: &str) -> Option<String> {
    let digits = name.strip_prefix("uni").filter(|digits| digits.len() >= 4).and_then(|digits| digits.get(..4));
    let digits = digits.or_else(|| name.strip_prefix('u').filter(|digits| (4..=6).contains(&digits.len())))?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(String::from)
}
