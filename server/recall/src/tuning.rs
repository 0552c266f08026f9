//! Every tuning constant of the crate: limits, parameters of the ranking formula, and weights.
//!
//! [`Scoring`] has the weights that a caller can change; the constants are fixed.

use std::ops::Range;

// Text

/// Bytes of a text that are indexed; the rest is ignored.
pub(crate) const MAX_TEXT_BYTES: usize = 16 << 20;
/// Bytes of a word, in memories and in queries; longer words are truncated.
///
/// Long enough for a SHA-512 in hex or a path; short enough that base64 does not bloat the index.
pub(crate) const MAX_WORD_BYTES: usize = 128;
/// A word with more subwords (`RateLimiter` has two) is binary data rather than a name, and is not split.
pub(crate) const MAX_SUBWORDS: usize = 8;
/// Words of a text that language detection reads.
pub(crate) const LANGUAGE_SAMPLE_WORDS: usize = 256;
/// Bytes of a text whose letters are read where its stop words do not suffice.
pub(crate) const LANGUAGE_SAMPLE_BYTES: usize = 512;
/// How many more stop words than English another language needs to be detected by these words only.
pub(crate) const LANGUAGE_LEAD: u32 = 2;
/// Minimum characters of a chunk that is embedded: a sentence of a few words carries too little meaning.
pub(crate) const MIN_CHUNK_CHARS: usize = 45;
/// Maximum number of embedded chunks of a text, unless they would be longer than [`MAX_CHUNK_BYTES`].
pub(crate) const FEW_CHUNKS: usize = 8;
/// Maximum bytes of an embedded chunk: about the 256 tokens that a model reads.
pub(crate) const MAX_CHUNK_BYTES: usize = 1_000;
/// Maximum number of embedded chunks of any text; a stored row counts them in a byte.
pub(crate) const MAX_CHUNKS: usize = 255;
/// Sentences of one text that a summary considers.
pub(crate) const SUMMARY_SENTENCES_PER_TEXT: usize = 8;
/// Characters of a sentence in a summary; longer sentences are used only where there are no shorter ones.
pub(crate) const SUMMARY_SENTENCE_CHARS: usize = 240;
/// Added to the weight of a text in a summary, so that a text of weight 0 still counts.
pub(crate) const SUMMARY_BASE_WEIGHT: f64 = 0.5;
/// By how much the length of a text counts against its words: at 1 short texts would win, at 0.5 long ones.
pub(crate) const LENGTH_EXPONENT: f64 = 0.75;

/// Characters of an abbreviation that a text may define.
pub(crate) const MAX_ABBREVIATION_CHARS: usize = 10;
/// Words that an abbreviation may stand for.
pub(crate) const MAX_DEFINITION_WORDS: usize = 12;

// Queries

/// Maximum number of different words of a query, and of words in its phrases; later words are ignored.
///
/// This bounds the work of a search: at most a few times this many look-ups in each segment.
pub const MAX_QUERY_WORDS: usize = 128;
/// Maximum number of prefixes of a query; later ones count as words. A prefix costs a scan of all words of a segment
/// that begin with the same letter.
pub const MAX_QUERY_PREFIXES: usize = 8;
/// Words of a query from which its language and grammatical person are detected.
pub(crate) const QUERY_SAMPLE_WORDS: usize = 512;
/// Maximum number of dates of a query.
pub(crate) const MAX_QUERY_DATES: usize = 8;
/// Numbers of a query that are years.
pub(crate) const QUERY_YEARS: Range<i64> = 1900..2100;
/// Maximum number of words of an author's name.
pub(crate) const MAX_NAME_WORDS: usize = 32;
/// Page size of a request that sets none.
pub(crate) const DEFAULT_PAGE_LIMIT: usize = 50;
/// Minimum number of candidates from which a page in order of relevance is made: some may be repetitions.
pub(crate) const MIN_PAGE_BUFFER: usize = 16;
/// Minimum number of candidates that are collected before those after the page are dropped.
pub(crate) const MIN_SORT_BUFFER: usize = 64;

// Versions of one statement

/// Number of the best candidates among which versions of one statement are found.
pub(crate) const CHANGE_CANDIDATES: usize = 64;
/// Maximum number of words of a statement.
pub(crate) const CHANGE_WORDS: u32 = 30;
/// Minimum share of common stems of two versions of one statement.
pub(crate) const CHANGE_SIMILARITY: f64 = 0.4;

// Words that no memory has

/// Maximum number of words of a query that get alternatives; later ones match nothing.
pub(crate) const MAX_UNDERSTOOD_WORDS: usize = 8;
/// Maximum number of words that one word with a typing error can mean.
pub(crate) const MAX_ALTERNATIVES: usize = 3;
/// Minimum number of characters of the beginning of a word.
pub(crate) const MIN_BEGINNING: usize = 4;
/// Minimum number of letters of each part of a compound.
pub(crate) const MIN_COMPOUND_PART: usize = 4;
/// Minimum number of letters of a word that is found inside of a compound.
pub(crate) const MIN_INNER_WORD: usize = 5;
/// Minimum number of letters that two inflections of a word begin with.
pub(crate) const MIN_COMMON_BEGINNING: usize = 6;
/// Maximum number of letters of an inflection after these.
pub(crate) const MAX_INFLECTION: usize = 3;
/// Minimum number of characters of the beginning of a hash.
pub(crate) const MIN_HASH: usize = 7;
/// Digits of a number that may be written in groups, such as a telephone number: at least and at most.
pub(crate) const MIN_NUMBER_DIGITS: usize = 6;
pub(crate) const MAX_NUMBER_DIGITS: usize = 15;
/// Maximum number of groups of such a number, and minimum number of digits of a group.
pub(crate) const MAX_DIGIT_GROUPS: usize = 6;
pub(crate) const MIN_DIGIT_GROUP: usize = 2;
/// Maximum number of definitions of one abbreviation that a query is extended by.
pub(crate) const MAX_DEFINITIONS: usize = 2;
/// Weight of another spelling of a word, relative to the word.
pub(crate) const OTHER_SPELLING_WEIGHT: f64 = 0.9;
/// Weight of words with the same beginning.
pub(crate) const WORD_BEGINNING_WEIGHT: f64 = 0.5;
/// Weight of a word without the typing error.
pub(crate) const TYPO_WEIGHT: f64 = 0.6;
/// Weight of each part of a compound, and of a compound with the word.
pub(crate) const COMPOUND_PART_WEIGHT: f64 = 0.45;

// Index

/// Maximum number of documents of a segment; limits the cost of one merge.
pub(crate) const MAX_SEGMENT_DOCS: usize = 1 << 14;
/// Maximum size of a merged segment; limits the cost of one write.
pub(crate) const MAX_SEGMENT_BYTES: usize = 16 << 20;
/// Maximum number of term occurrences a segment is built with, so that its offsets fit into 32 bits.
pub(crate) const MAX_SEGMENT_OCCURRENCES: usize = 1 << 26;
/// Number of segments of similar size that are merged into one; also the ratio between two size tiers.
pub const MERGE_FACTOR: u32 = 4;
/// Words of a passage. The last passage of a text has at least half as many and less than one and a half times as
/// many, unless it is the only one.
pub(crate) const PASSAGE_WORDS: u32 = 60;

// Ranking

/// BM25: how soon further occurrences of a word stop to count.
pub(crate) const BM25_K1: f64 = 1.0;
/// BM25: how much longer passages are penalised, 0 to 1.
pub(crate) const BM25_B: f64 = 0.4;
/// BM25: words of a passage that is neither penalised nor preferred, in place of the average length.
pub(crate) const BM25_TYPICAL_LENGTH: f64 = 40.0;
/// Content words from which on a query is a page of text rather than a question.
pub(crate) const LONG_QUERY_WORDS: usize = 16;
/// Pseudo-count of pronouns, half of each person, that every author starts with.
pub(crate) const PRIOR_COUNT: f64 = 10.0;
/// How well a date of a query that is a year fits a memory of that year. An exact day fits 1.
pub(crate) const DATE_FIT_YEAR: f64 = 0.2;
/// How well a month fits a memory of that month.
pub(crate) const DATE_FIT_MONTH: f64 = 0.7;
/// How well a day fits a memory of another day of the same month: people remember the month better than the day.
pub(crate) const DATE_FIT_OTHER_DAY: f64 = 0.4;
/// How well a day fits a memory that names its day of the week, of which it may mean another.
pub(crate) const DATE_FIT_WEEKDAY: f64 = 0.7;
/// Words up to which a memory gets the full score of its context.
pub(crate) const CONTEXT_FULL_WORDS: f64 = 160.0;
/// Words beyond [`CONTEXT_FULL_WORDS`] that halve the score of the context, at a [`Scoring::length_discount`] of 1.
pub(crate) const CONTEXT_HALVING_WORDS: f64 = 40.0;
/// Factor by which each repetition of a content lowers the score of the next one.
pub(crate) const REPETITION_FACTOR: f64 = 0.5;
/// Distinct stems of a content that are compared with those of others.
pub(crate) const SKETCH_STEMS: usize = 16;
/// Least share of common stems of two near-copies.
pub(crate) const NEAR_COPY_SIMILARITY: f64 = 0.65;
/// Factor by which each near-copy of a memory lowers the score of the next one.
pub(crate) const NEAR_COPY_FACTOR: f64 = 0.85;
/// Number of the best candidates among which near-copies are found. It bounds the cost of a page of near-copies.
pub(crate) const NEAR_COPY_CANDIDATES: usize = 1_000;
/// Number of different memories of a partition that a candidate is compared with.
pub(crate) const NEAR_COPY_ORIGINALS: usize = 64;
/// Number of later days with a memory that halves recency.
pub(crate) const RECENCY_HALF_LIFE: f64 = 17.0;
/// Minimum share of the nearest memory's score for meaning with which a memory matches by meaning only.
pub(crate) const MIN_MEANING_SHARE: f64 = 0.5;

/// Score by words, relative to the logarithm of the number of memories, from which on missing words of a query do not
/// matter. The logarithm is the information that identifies one memory.
pub(crate) const SUFFICIENT_SCORE: f64 = 2.0;
/// Number of the nearest memories by meaning whose scores by words show how well both agree.
pub(crate) const AGREEMENT_MEMORIES: usize = 10;
/// Mean score by words of these memories, relative to the best, from which on both agree.
pub(crate) const AGREEMENT_SCORE: f64 = 0.5;

/// The weights of a score; 0 disables a part.
///
/// The defaults were chosen on conversations, facts and notes with known questions, all together, where the optimum is
/// flat; docs/recall.md has the contribution of each. A *share* is relative to the best score by words and meaning of
/// the search. The last two fields do not weigh: they limit the vectors that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scoring {
    /// Weight of two words that are adjacent both in the query and in the memory, relative to one word.
    pub pair_weight: f64,
    /// Weight of a stop word, relative to another word.
    pub stop_word_weight: f64,
    /// How often each passage of a memory contains the name of its author.
    pub author_name_frequency: u32,
    /// Boost of the memories of authors that the query names, unless it names all: a share.
    pub author_name_boost: f64,
    /// Boost of memories of a day that the query names: a share.
    pub date_boost: f64,
    /// Penalty, in a question in the first person, for authors who address others more often than they speak of
    /// themselves: they are not the asker.
    pub second_person_penalty: f64,
    /// Penalty, in a question about what the addressee said, for authors who speak of themselves more often than they
    /// address others: they are the asker.
    pub first_person_penalty: f64,
    /// Weight of the score of the previous memory of the session, and of the one before that.
    pub before: [f64; 2],
    /// Additional weight of the previous memory if it is a question, relative to its weight.
    pub answer_bonus: f64,
    /// Weight of the score of the next memory of the session.
    pub after: f64,
    /// Weight of the best score of the session.
    pub session: f64,
    /// How much the length of a memory reduces the score of its context: long memories are self-contained.
    pub length_discount: f64,
    /// How much the best match loses of the scores of its neighbours; other memories lose the square of their share of it.
    pub match_discount: f64,
    /// Boost of memories of the latest day: a share.
    pub recency: f64,
    /// The same if the query is a message in the first person and not only a question: it usually continues the latest
    /// work.
    pub recency_first_person: f64,
    /// Boost of a memory of confidence 1: a share.
    pub confidence: f64,
    /// Boost of a pinned memory: a share.
    pub pin: f64,
    /// Minimum score of memories that match by context only, relative to the best.
    pub min_context_score: f64,
    /// Minimum score of a match of a long query, relative to a match of all its words.
    pub min_match_score: f64,
    /// Score for meaning of the nearest memory: a share.
    pub meaning: f64,
    /// Weight of the words of a query that no memory has, when their score is compared with the best score by words:
    /// meaning counts for more if theirs is greater.
    pub missing_words: f64,
    /// Factor for meaning if the nearest memories have no words of the query; 1 to ignore whether both agree.
    pub min_agreement: f64,
    /// Minimum cosine of the nearest memory; below it, meaning does not count.
    pub min_cosine: f64,
    /// Cosine, relative to that of the nearest memory, up to which a memory gets no score for meaning.
    pub cosine_cutoff_ratio: f64,
    /// Maximum number of vectors that are compared one by one with the query.
    pub exact_vectors: usize,
    /// If there are more, minimum number of vectors that are compared: those with the nearest sketches.
    pub shortlist: usize,
}

impl Default for Scoring {
    fn default() -> Self {
        Scoring {
            pair_weight: 0.4,
            stop_word_weight: 0.2,
            author_name_frequency: 1,
            author_name_boost: 0.1,
            date_boost: 0.45,
            second_person_penalty: 3.0,
            first_person_penalty: 2.0,
            before: [0.3, 0.2],
            answer_bonus: 1.0,
            after: 0.1,
            session: 0.5,
            length_discount: 0.3,
            match_discount: 0.6,
            recency: 0.1,
            recency_first_person: 0.9,
            confidence: 0.05,
            pin: 0.05,
            min_context_score: 0.1,
            min_match_score: 0.01,
            meaning: 0.0,
            missing_words: 0.0,
            min_agreement: 1.0,
            min_cosine: 0.2,
            cosine_cutoff_ratio: 0.35,
            exact_vectors: 100_000,
            shortlist: 10_000,
        }
    }
}

impl Scoring {
    /// The weights for a query with embeddings: meaning and context overlap, so context counts less.
    pub fn with_meaning() -> Self {
        Scoring {
            meaning: 1.0,
            missing_words: 0.6,
            min_agreement: 0.6,
            cosine_cutoff_ratio: 0.3,
            stop_word_weight: 0.3,
            author_name_boost: 0.2,
            before: [0.25, 0.05],
            answer_bonus: 1.5,
            after: 0.0,
            length_discount: 0.05,
            ..Scoring::default()
        }
    }
}
