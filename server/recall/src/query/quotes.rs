//! What stands in quotation marks, and what does not.

/// The pieces of `text` outside and inside of quotation marks; a mark that is never closed is none.
pub(super) fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = split_at_mark(rest) {
        let Some((quoted, behind)) = split_at_mark(after) else { break };
        outside.push(before);
        inside.push(quoted);
        rest = behind;
    }
    outside.push(rest);
    (outside, inside)
}

fn split_at_mark(text: &str) -> Option<(&str, &str)> {
    text.split_once(['"', '“', '”', '„', '«', '»'])
}
