//! Questions as those who are asked about would hear them.

/// `text` with every name of `names` that stands in it, letter by letter and as a word, said in the first person.
///
/// A model takes a text that greets somebody for one about him, and what he says of himself for one about nobody: what
/// authors write is nearer to a question in the first person.
///
/// ```
/// use orgmem_recall::in_first_person;
///
/// assert_eq!(in_first_person("What does Ada's team plan?", &["Ada"]), "What does I's team plan?");
/// assert_eq!(in_first_person("Adam asked ada", &["Ada"]), "Adam asked ada");
/// ```
pub fn in_first_person<N: AsRef<str>>(text: &str, names: &[N]) -> String {
    let mut names: Vec<&str> = names.iter().map(AsRef::as_ref).filter(|name| !name.is_empty()).collect();
    // the longer of two that begin alike is the one that is meant
    names.sort_unstable_by_key(|name| std::cmp::Reverse((name.len(), *name)));
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let begins_word = !said.chars().next_back().is_some_and(char::is_alphanumeric);
        let is_here = |name: &&&str| {
            let after = rest.strip_prefix(**name);
            after.is_some_and(|after| !after.chars().next().is_some_and(char::is_alphanumeric))
        };
        if let Some(name) = names.iter().find(is_here).filter(|_| begins_word) {
            said.push('I');
            rest = &rest[name.len()..];
        } else {
            said.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    said
}
