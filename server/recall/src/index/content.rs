//! Whether a segment has content that an edit replaced.

use std::collections::HashMap;

use super::row::Field;
use super::segment::{LanguageStems, Segment};
use super::{BitSet, Doc, LiveSegment};
use crate::text::Language;

impl LiveSegment {
    /// Whether the segment has a document, deleted or not, with the id of one of `docs` but with other words, forms of
    /// words, strings or vectors. Vectors of another model do not count, as they are of the same text.
    ///
    /// # Complexity
    /// O(size of the segment) if it has one of the documents, whatever their number; else O(docs · log n).
    pub fn has_other_content<'d>(&self, docs: impl IntoIterator<Item = &'d Doc>) -> bool {
        let segment = &*self.segment;
        let found = docs.into_iter().filter_map(|doc| Some((segment.find(doc.meta.id)?, doc)));
        let found: Vec<(u32, &Doc)> = found.collect();
        let differs = |&(number, doc): &(u32, &Doc)| {
            !has_strings(segment, number, doc) || has_other_vectors(segment, number, doc)
        };
        found.iter().any(differs) || !has_words(segment, &found)
    }
}

/// Whether the stored document has the strings of `doc` and no others.
fn has_strings(segment: &Segment, number: u32, Doc { meta, .. }: &Doc) -> bool {
    let row = segment.row(number);
    let strings = [
        (Field::Namespace, Some(&meta.namespace)),
        (Field::Kind, Some(&meta.kind)),
        (Field::Source, Some(&meta.source)),
        (Field::Subject, meta.subject.as_ref()),
        (Field::Session, meta.session_id.as_ref()),
        (Field::Run, meta.run_id.as_ref()),
    ];
    let is_same = |(field, string): (Field, Option<&String>)| {
        segment.string(row.field(field)) == string.map_or("", String::as_str)
    };
    strings.into_iter().all(is_same)
        && row.tags().map(|tag| segment.string(tag)).eq(meta.tags.iter().map(String::as_str))
}

fn has_other_vectors(segment: &Segment, number: u32, doc: &Doc) -> bool {
    segment.vectors.iter().any(|column| {
        let mut stored = column.of_doc(number).peekable();
        match &doc.embeddings {
            _ if stored.peek().is_none() => false,
            // they are of a text that was replaced
            None => true,
            Some(embeddings) if embeddings.model == column.model => {
                !stored.eq(embeddings.vectors.iter().map(|vector| (vector.scale(), vector.values())))
            }
            Some(_) => false,
        }
    })
}

/// A stem of a document, by its number.
type StemOf<'d> = (u32, Language, &'d str);

/// The words at positions.
type Occurrences<'d> = Vec<(u32, &'d str)>;

/// Whether each stored document has the words of its counterpart, at the same positions, and no others.
///
/// A hash would not suffice: equal hashes of other words would leave these in the segment.
fn has_words(segment: &Segment, found: &[(u32, &Doc)]) -> bool {
    let mut numbers = BitSet::default();
    let mut expected: HashMap<StemOf<'_>, Occurrences<'_>> = HashMap::new();
    for &(number, Doc { analysis, .. }) in found {
        numbers.insert(number);
        for term in analysis.terms.iter() {
            let occurrences = expected.entry((number, analysis.language, term.stem)).or_default();
            occurrences.extend(term.positions.iter().map(|&position| (position, term.word)));
        }
    }
    if found.is_empty() {
        return true;
    }
    expected.values_mut().for_each(|occurrences| occurrences.sort_unstable());
    let (mut forms, mut stored) = (Vec::new(), Vec::new());
    for LanguageStems { language, stems } in &segment.languages {
        for stem in stems.clone() {
            forms.clear();
            stored.clear();
            let mut cursor = segment.record(stem).postings_with_forms(|form| forms.push(form)).cursor();
            while let Some((passage, _)) = cursor.advance() {
                let doc = segment.passages.doc(passage);
                if numbers.contains(doc) {
                    let start = segment.passages.first_position(doc, passage);
                    cursor.positions(start, |position, form| stored.push((doc, position, form)));
                }
            }
            for of_doc in stored.chunk_by(|one, other| one.0 == other.0) {
                let words = of_doc.iter().map(|&(_, position, form)| (position, forms[form as usize].to_word()));
                let mut words: Vec<(u32, String)> = words.collect();
                words.sort_unstable();
                let expected = expected.remove(&(of_doc[0].0, *language, segment.stems.get(stem)));
                let words = words.iter().map(|(position, word)| (*position, word.as_str()));
                if !words.eq(expected.unwrap_or_default()) {
                    return false;
                }
            }
        }
    }
    expected.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{Embeddings, Meta, Vector, analyze};

    fn doc(id: u128, text: &str) -> Doc {
        let meta = Meta { id: Uuid::from_u128(id), kind: "note".into(), ..Meta::default() };
        Doc { meta, analysis: analyze(text), embeddings: None }
    }

    fn with_vector(doc: Doc, model: i32, value: f32) -> Doc {
        let vectors = Vector::of(&[1.0, value]).into_iter().collect();
        Doc { embeddings: Some(Embeddings { model, vectors }), ..doc }
    }

    /// Whether a segment with `before` among others has content that `after` lacks.
    fn is_other(before: &Doc, after: &Doc) -> bool {
        let others = [doc(1, "deploys freeze on fridays"), doc(3, "the harbour is closed")];
        let segments = LiveSegment::build(others.iter().chain([before]));
        let mut deleted = segments[0].clone();
        deleted.remove(before.meta.id);
        let is_other = segments[0].has_other_content([after]);
        assert_eq!(deleted.has_other_content([after]), is_other, "whether it is deleted does not matter");
        assert_eq!(deleted.has_other_content([&others[0], after, &others[1], &doc(7, "absent")]), is_other);
        is_other
    }

    #[test]
    fn other_forms_of_the_same_words_are_other_content() {
        let before = doc(2, "Deploying froze the friday");
        assert_eq!(analyze("deploying the tests").fingerprint(), analyze("deployed the test").fingerprint());
        assert!(is_other(&doc(2, "deploying the tests"), &doc(2, "deployed the tests")));
        assert!(is_other(&doc(2, "deploying the tests"), &doc(2, "deploying the test")));
        assert!(is_other(&before, &doc(2, "deploying froze")));
        assert!(is_other(&doc(2, "deploying froze"), &before));
        assert!(!is_other(&before, &doc(2, "deploying: froze, the Friday!")));
    }

    #[test]
    fn other_strings_are_other_content() {
        let before = doc(2, "deploys");
        let with = |change: fn(&mut Meta)| {
            let mut after = before.clone();
            change(&mut after.meta);
            after
        };
        assert!(is_other(&before, &with(|meta| meta.kind = "fact".into())));
        assert!(is_other(&with(|meta| meta.tags = vec!["a".into()]), &before));
        assert!(is_other(&with(|meta| meta.subject = Some("ada".into())), &before));
        assert!(!is_other(&before, &with(|meta| meta.pinned = true)));
    }

    #[test]
    fn vectors_of_an_earlier_text_are_other_content() {
        let text = doc(2, "deploys");
        let embedded = || with_vector(text.clone(), 1, 2.0);
        assert!(!is_other(&text, &embedded()));
        assert!(!is_other(&embedded(), &embedded()));
        assert!(is_other(&embedded(), &text), "an edit of signs removes the vectors");
        assert!(is_other(&embedded(), &with_vector(text.clone(), 1, 3.0)));
        assert!(!is_other(&embedded(), &with_vector(text.clone(), 2, 3.0)), "a change of the model is no edit");
    }

    proptest! {
        /// Texts of few words, in all forms, so that fingerprints are often equal.
        #[test]
        fn content_is_other_exactly_if_the_words_differ(
            before in "(deploy|deploys|deploying|the|ein|Häuser|haus| |, ){0,90}",
            after in "(deploy|deploys|deploying|the|ein|Häuser|haus| |, ){0,90}",
        ) {
            let (before, after) = (doc(2, &before), doc(2, &after));
            let has_same_words = before.analysis.language == after.analysis.language
                && before.analysis.terms == after.analysis.terms;
            prop_assert_eq!(is_other(&before, &after), !has_same_words);
            prop_assert!(!is_other(&before, &before));
        }
    }
}
