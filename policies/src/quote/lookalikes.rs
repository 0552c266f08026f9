//! Look-alikes of brackets, of invisible characters and of the letters of MEMORY.
//!
//! The tables omit full-width, circled and mathematical letters, because compatibility decomposition maps them. Source:
//! Unicode Technical Standard 39, confusables.txt, plus similar digits and turned or small capital letters.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::invisible::is_format;

/// Opening brackets that look like a square one.
const BRACKETS: &str = "[［﹇⁅⟦⟬⦋⦍⦏❲〔〖【〘〚﹝﹗「『｢⌈⌊⸢⸤⹕⹗⎡⎢⎣\u{E005B}";

/// Look-alikes of each letter, and its positions in the word as bits.
const LETTERS: [(u8, &str); 5] = [
    (0b00_0101, "mμмɱΜϺМӍՠᎷᗰᛖᵯ₥ⱮⲘꓟꭑ𐊰𐌑𐰡𑜀𑣣𝽊𝽋𝽌ᴍᵚɯɰ"),
    (0b00_0010, "e3ɆɇΕεЕеҼҽҾҿᎬ℮⋿ⴹꓰꗋꬲ𐊆𑢦𑢮𝾁ᴇɛɜəɘǝЄєЭэЗз∃∈"),
    (
        0b00_1000,
        "o0ØøƟɵΘΟΣθοσϬϭОоѲѳӨөՕօסةه٥ھہۃە۵ۿ߀ߋࡀ०০੦૦ଠ୦௦ంಂ౦೦ംഠ൦ං๐໐တဝ၀თჿᄋᆼዐፀᎤᎾᏫ០ᨲᩅ᪀᪐ᯪᲂᲗᲿᴏᴑ∅⊖⊝⌀⍥⍬ⲐⲑⲞⲟⴱⵁⵔ〇ꓳꚢꝊꝋꬽꬾꭴꮎꮻ𐊒𐊫𐌏𐐄𐐬𐓂𐓪𐔖𐔞𐤬𐰗𐴇𑄖𑄤𑌂𑓐𑢨𑢵𑢷𑣈𑣗𑣠𑷠𖦛𖫩𖺀𝈚𝼼𞅀𞋰🜔○◯",
    ),
    (0b01_0000, "rƦɌɍɼɽГгҒғᎡᎱᏒᖇᴦᵲⱤⲄⲅꓣꭇꭈꮁ𐒴𖨙𖼵𝈖𝼷ʀɾɹЯяΡρРр"),
    (0b10_0000, "y¥ƔƳƴɎɏɣʏΓΥυγУуҮүҰұߌყᎩᎽᲧᶌỾỿⲨⲩㄚ丫ꓬꚲꭚ𐊲𐰠𑢤𑢼𑣄𑣜𖽃𝼱𝽕ʎЧч"),
];

/// Whether `c` looks like `[`.
pub(super) fn is_bracket(c: char) -> bool {
    c == '[' || (!c.is_ascii() && BRACKETS.contains(c))
}

/// Whether `c` is invisible or blank: white space, controls, combining marks and ignorable characters.
pub(super) fn is_filler(c: char) -> bool {
    c.is_whitespace() || c.is_control() || (!c.is_ascii() && (is_combining_mark(c) || is_format(c)))
}

/// The letters of MEMORY that `c` looks like: bit 0 for the first, bit 5 for the last.
pub(super) fn letters(c: char) -> u8 {
    if c.is_ascii() {
        return places(c.to_ascii_lowercase());
    }
    let c = unboxed(c).unwrap_or(c);
    [c].into_iter()
        .nfkd()
        .filter(|part| !is_combining_mark(*part))
        .flat_map(|part| part.to_lowercase().chain(part.to_uppercase()).chain([part]))
        .fold(places(c), |found, part| found | places(part))
}

fn places(c: char) -> u8 {
    static PLACES: LazyLock<HashMap<char, u8>> = LazyLock::new(|| {
        let mut all = HashMap::new();
        for (c, places) in LETTERS.iter().flat_map(|(places, alike)| alike.chars().map(move |c| (c, places))) {
            *all.entry(c).or_default() |= places;
        }
        all
    });
    PLACES.get(&c).copied().unwrap_or_default()
}

/// The letter of an enclosed alphabet without decomposition, or of a tag character.
fn unboxed(c: char) -> Option<char> {
    let first = match c {
        '\u{1F150}'..='\u{1F169}' => 0x1F150,
        '\u{1F170}'..='\u{1F189}' => 0x1F170,
        '\u{1F1E6}'..='\u{1F1FF}' => 0x1F1E6,
        '\u{E0061}'..='\u{E007A}' => 0xE0061,
        '\u{E0041}'..='\u{E005A}' => 0xE0041,
        _ => return None,
    };
    char::from_u32(u32::from('a') + u32::from(c) - first)
}
