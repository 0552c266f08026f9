//! Examples of matching and ranking, one per line.

use orgmem_recall::{
    Byline, Doc, Filter, Meta, Order, PageRequest, Partition, PartitionIndex, Query, ReadTime, analyze, fold_text,
    search,
};
use uuid::Uuid;

/// The numbers of the `texts` that `query` finds, best first; the same for an index built at once and one by one.
fn found(texts: &[&str], query: &str) -> Vec<u128> {
    let doc = |(number, text): (u128, &&str)| {
        let meta = Meta { id: Uuid::from_u128(number), ..Meta::default() };
        Doc { meta, analysis: analyze(text), embeddings: None }
    };
    let on = |index: PartitionIndex| -> Vec<u128> {
        let partitions = [Partition::without_author((), &index)];
        let (filter, request) = (Filter::default(), PageRequest::default());
        let hits = search(&partitions, &Query::parse(query), &filter, &request, ReadTime::default());
        hits.iter().map(|hit| hit.id.as_u128()).collect()
    };
    let at_once = on(PartitionIndex::build((0..).zip(texts).map(doc)));
    let mut one_by_one = PartitionIndex::default();
    (0..).zip(texts).for_each(|text| one_by_one.upsert(doc(text)));
    assert_eq!(on(one_by_one), at_once, "`{query}`, in an index built one by one");
    at_once
}

/// Each of `by` finds `text`, and none of `not_by` does.
#[track_caller]
fn check(text: &str, by: &[&str], not_by: &[&str]) {
    for query in by {
        assert_eq!(found(&[text], query), [0], "`{query}` finds `{text}`");
    }
    for query in not_by {
        assert_eq!(found(&[text], query), [0; 0], "`{query}` does not find `{text}`");
    }
}

/// `query` finds the `texts` of these numbers, in this order.
#[track_caller]
fn check_order(texts: &[&str], query: &str, expected: &[u128]) {
    assert_eq!(found(texts, query), expected, "`{query}`");
}

#[test]
fn word_matches_its_inflections() {
    check("Deployments freeze on Fridays", &["deployment", "deploying", "friday", "FREEZE"], &["fry", "play"]);
    check("Caroline's notes", &["caroline", "Caroline’s", "note"], &["s"]);
    check("They don't retry", &["don't", "dont", "retries"], &["don"]);
    check("Die Bereitstellung der Dienste schlug fehl", &["dienst", "Dienste", "bereitstellungen"], &[]);
    check("Les déploiements du vendredi sont interdits", &["déploiement", "deploiement", "DÉPLOIEMENTS"], &["dent"]);
    check("Los servidores se reinician cada domingo", &["servidor", "reiniciar", "domingos"], &["serve"]);
    check("Serverne genstartes hver nat, og kunderne får besked", &["kunder", "server"], &[]);
    check("Серверы перезапускаются каждое воскресенье", &["сервер", "серверов", "ВОСКРЕСЕНЬЯ"], &["север"]);
    check("Οι διακομιστές επανεκκινούν", &["διακομιστής", "ΔΙΑΚΟΜΙΣΤΈΣ"], &[]);
    check("الخوادم تعيد التشغيل", &["الخوادم", "تشغيل"], &[]);
}

#[test]
fn word_matches_itself_whatever_language_is_detected() {
    let german = "Wir haben die Notes für das Meeting und die Rechnungen abgelegt";
    check(german, &["notes", "meeting", "Rechnungen", "rechnung"], &[]);
    check("the Rechnungen are in the folder", &["Rechnungen", "rechnungen und belege"], &[]);
}

#[test]
fn case_width_and_diacritics_are_ignored() {
    check("Straße in Łódź, café", &["STRASSE", "strasse", "lodz", "cafe", "CAFÉ"], &[]);
    check("ＡＰＩ ﬁle", &["api", "file"], &[]);
    check("İstanbul", &["istanbul", "ISTANBUL"], &[]);
    check("soft\u{ad}ware nu\0ll", &["software", "null"], &[]);
    check("йод", &["ЙОД"], &["иод"]);
}

#[test]
fn compound_is_found_whole_and_by_its_words() {
    check("set rate_limit", &["rate_limit", "rate-limit", "rateLimit", "ratelimit", "rate", "limits"], &["rat"]);
    check("RateLimiter", &["rate limiter", "rate_limiter", "ratelimiter", "limiter"], &["miter"]);
    check("HTTPServer, APIs, userIDs", &["http", "server", "api", "user"], &["ap", "https"]);
    check("ERR-4012", &["err-4012", "ERR4012", "err_4012", "4012", "err"], &["401", "12"]);
    check("see src/main.rs", &["src/main.rs", "main.rs", "main", "src\\main.rs"], &["mai"]);
    check("use std::collections", &["std::collections", "collections"], &[]);
    check("since v1.2.3", &["1.2.3", "v1.2.3", "1.2"], &["123"]);
    check("on 2026-11-21", &["2026-11-21", "2026/11/21", "2026", "2026-11"], &["20261121"]);
    check("mail anna.lee@example.com", &["anna.lee@example.com", "anna", "example.com", "anna lee"], &["ann"]);
    check("1,250,000 rows, 3.14", &["1250000", "1,250,000", "3.14"], &["250", "314"]);
    check("commit 6a2e7cb4f", &["6a2e7cb4f"], &["6", "7cb"]);
    check("__lf_memory_writes", &["lf_memory_writes", "__lf_memory_writes", "memory"], &[]);
    check("the 24th, 5pm", &["24", "24th", "5pm", "5 pm"], &[]);
}

#[test]
fn match_of_a_whole_name_ranks_above_its_words() {
    check_order(&["the limit of the rate", "the rate_limit", "the rate"], "rate_limit", &[1, 0, 2]);
    check_order(&["error 4012 elsewhere", "ERR-4012 here"], "ERR-4012", &[1, 0]);
}

#[test]
fn text_without_spaces_is_found_by_any_substring() {
    check("東京タワーに行きました", &["東京", "タワー", "京", "た", "東京タワー"], &["大阪", "京都"]);
    check("部署在星期五冻结", &["部署", "星期五", "结"], &["周末"]);
    check("서버를 재시작했다", &["서버", "서버가", "재시작"], &["고객"]);
    check("เซิร์ฟเวอร์ล่ม", &["เซิร์ฟเวอร์", "ล่ม"], &["ลูกค้า"]);
    check("2026年11月のAPI変更", &["2026", "api", "変更", "年"], &["2027"]);
    check("ｻｰﾊﾞｰ", &["サーバー"], &[]);
    check_order(&["東の京", "東京"], "\"東京\"", &[1]);
}

#[test]
fn emoji_is_found() {
    check("shipped 🎉 today", &["🎉", "🎉🎉"], &["🚀"]);
    check("❤️", &["❤", "❤️"], &[]);
}

#[test]
fn phrase_matches_adjacent_words_only() {
    let texts = ["the limit of the rate", "the rate limits of the API", "rate limit"];
    check_order(&texts, "\"rate limit\"", &[2, 1]);
    check_order(&texts, "“rate limit”", &[2, 1]);
    check("to be or not to be", &["\"to be or not\"", "\"not to be\""], &["\"be to\""]);
    check("set rate_limit now", &["\"set rate limit now\"", "\"rate_lim*\""], &["\"set limit\""]);
    check_order(&["api only", "rate limit", "the limit"], "\"rate limit\" api", &[1, 0, 2]);
    check("an \"open quote", &["\"open quote", "open \" quote"], &[]);
}

#[test]
fn prefix_matches_words_as_written() {
    check("deployments running happily", &["depl*", "deployme*", "runn*", "happil*", "d*"], &["ployments*", "rum*"]);
    check("Déploiement", &["dépl*", "depl*"], &[]);
    check("rate_limit", &["rate_l*", "lim*"], &["xrate*"]);
    check("* alone", &["alone *"], &["*", "**"]);
    // the stem begins with another letter
    check("الكتاب الجديد", &["الكت*", "كتاب"], &["البيت*"]);
}

#[test]
fn memory_with_more_matched_words_ranks_higher() {
    let texts = ["retry", "retry with backoff", "retry with backoff on the API", "lunch"];
    check_order(&texts, "Should we retry the API with backoff?", &[2, 1, 0]);
}

#[test]
fn stop_words_raise_scores_but_do_not_match() {
    check_order(&["is it the IT budget", "budget", "what is it"], "what is the IT budget", &[0, 1]);
    check_order(&["who is it", "lunch"], "who is it", &[0]);
    check("who is it", &["who", "is it"], &["where"]);
}

#[test]
fn rare_word_scores_higher() {
    check_order(
        &["deploy acme", "deploy bravo", "deploy charlie", "acme zulu", "deploy"],
        "deploy zulu",
        &[3, 4, 2, 1, 0],
    );
}

#[test]
fn long_text_scores_by_its_best_passage() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let scattered = format!("retry {filler} backoff {filler} jitter");
    let together = format!("{filler} retry backoff jitter {filler}");
    check_order(&[&scattered, &together], "retry backoff jitter", &[1, 0]);
}

/// One turn of a conversation: session, speaker, text.
type Turn<'t> = (&'t str, &'t str, &'t str);

/// The numbers of the `turns` that `query` finds, best first; each turn is an hour after the previous one.
fn found_in_turns(turns: &[Turn<'_>], query: &str, filter: &Filter, order: Order) -> Vec<u128> {
    let mut speakers: Vec<(&str, Byline, Vec<Doc>)> = Vec::new();
    for (number, (session, speaker, text)) in (0..).zip(turns) {
        let meta = Meta {
            id: Uuid::from_u128(number),
            created_at: MAY_2023 + number as i64 * HOUR,
            session_id: Some((*session).to_owned()).filter(|session| !session.is_empty()),
            ..Meta::default()
        };
        let doc = Doc { meta, analysis: analyze(text), embeddings: None };
        match speakers.iter_mut().find(|(name, ..)| name == speaker) {
            Some((.., docs)) => docs.push(doc),
            None => speakers.push((speaker, Byline::of(speaker), vec![doc])),
        }
    }
    let indexes: Vec<PartitionIndex> = speakers.iter().map(|(.., docs)| PartitionIndex::build(docs.clone())).collect();
    let partitions = (1..).zip(speakers.iter().zip(&indexes)).map(|(author, ((_, byline, _), index))| {
        let author = Uuid::from_u128(author);
        Partition { handle: (), author, byline, index }
    });
    let partitions: Vec<_> = partitions.collect();
    let request = PageRequest { order, ..PageRequest::default() };
    let hits = search(&partitions, &Query::parse(query), filter, &request, ReadTime::default());
    hits.iter().map(|hit| hit.id.as_u128()).collect()
}

const HOUR: i64 = 3_600_000_000;
/// 8 May 2023, noon.
const MAY_2023: i64 = 1_683_547_200_000_000;

#[track_caller]
fn check_turns(turns: &[Turn<'_>], query: &str, expected: &[u128]) {
    assert_eq!(found_in_turns(turns, query, &Filter::default(), Order::Relevance), expected, "`{query}`");
}

#[test]
fn answer_is_found_by_its_question() {
    let turns = [
        ("1", "Ann", "Which city hosts the offsite?"),
        ("1", "Bob", "Lisbon, I heard."),
        ("2", "Ann", "Lunch?"),
        ("2", "Bob", "Noodles."),
    ];
    check_turns(&turns, "offsite city", &[0, 1]);
    // without a session there is no context
    let no_sessions = turns.map(|(_, speaker, text)| ("", speaker, text));
    check_turns(&no_sessions, "offsite city", &[0]);
    // a list of the newest has matches only
    assert_eq!(found_in_turns(&turns, "offsite city", &Filter::default(), Order::Recent), [0]);
}

#[test]
fn memory_with_matching_neighbours_ranks_first() {
    let turns = [
        ("1", "Ann", "The budget is tight"),
        ("1", "Ann", "Travel budget and hotel budget both"),
        ("2", "Ann", "Noodles"),
        ("2", "Ann", "The budget is loose"),
        ("2", "Ann", "More noodles"),
    ];
    check_turns(&turns[..4], "budget", &[1, 0, 3, 2]);
}

#[test]
fn memory_is_found_by_the_name_of_its_author() {
    let turns = [("", "Ann Lee", "Noodles"), ("", "Bob", "Ann told me of rice"), ("", "Cid", "Bread")];
    check_turns(&turns, "ann", &[0, 1]);
    check_turns(&turns, "le*", &[0]);
    check_turns(&turns, "\"ann lee\"", &[]);
    let both = [("", "Ann", "I like noodles"), ("", "Bob", "Ann, I like noodles")];
    check_turns(&both, "noodles for Bob", &[1, 0]);
}

#[test]
fn date_in_query_raises_memories_of_that_date() {
    let texts: Vec<String> = (1..=60).map(|number| format!("deploy {}", "x".repeat(number))).collect();
    let turns: Vec<Turn<'_>> = texts.iter().map(|text| ("", "Ann", text.as_str())).collect();
    let first = |query: &str| found_in_turns(&turns, query, &Filter::default(), Order::Relevance)[0];
    assert_eq!(first("deploy"), 59, "the newest of equals");
    // from noon on there are twelve hours of the 8th, then the whole of the 9th
    for query in ["deploy on 8 May", "deploy on May 8th, 2023", "deploy 2023-05-08", "deploy am 8. Mai"] {
        assert_eq!(first(query), 11, "`{query}`");
    }
    assert_eq!(first("deploy on the 9th of May 2023"), 35);
    assert_eq!(first("deploy in June 2023"), 59);
    assert_eq!(first("deploy on 99 May, or may not"), 59);
}

#[test]
fn question_with_only_a_date_finds_the_memories_of_that_date() {
    let texts: Vec<String> = (1..=60).map(|number| format!("deploy {}", "x".repeat(number))).collect();
    let turns: Vec<Turn<'_>> = texts.iter().map(|text| ("", "Ann", text.as_str())).collect();
    let found = |query: &str| found_in_turns(&turns, query, &Filter::default(), Order::Relevance);
    // an hour apart, from noon of the 8th on; the newest first
    let day: Vec<u128> = (12..36).rev().collect();
    for query in ["what happened on 2023-05-09", "May 9, 2023", "was ist am 9. Mai passiert?", "anything on 9 May?"] {
        assert_eq!(found(query), day, "`{query}`");
    }
    assert_eq!(found("what did we do in May 2023").len(), 50, "a page");
    for query in ["what happened on 2023-06-09", "what happened in 2023", "zebras"] {
        assert_eq!(found(query), [0; 0], "`{query}`");
    }
    // a word that matches decides, and the date only raises
    assert_eq!(found("deploy on 2023-05-09").len(), 50, "a page");
}

#[test]
fn speaker_of_second_person_ranks_lower_for_first_person_question() {
    let turns = [("", "user", "I am fond of my noodles"), ("", "assistant", "You are fond of your noodles")];
    let others = ["You are fond of his noodles", "You are fond of her noodles"].map(|text| ("", "assistant", text));
    let turns = [turns[0], turns[1], others[0], others[1]];
    let first = |query| found_in_turns(&turns, query, &Filter::default(), Order::Relevance)[0];
    assert_eq!(first("was I fond of noodles?"), 0);
    assert_eq!(first("fond of noodles?"), 3);
}

#[test]
fn latest_session_before_until_ranks_first_among_equals() {
    let turns = [("1", "Ann", "I pay in cash"), ("2", "Ann", "I pay in cheques"), ("3", "Ann", "I pay in kind")];
    check_turns(&turns, "how do I pay", &[2, 1, 0]);
    let until = Filter { until: Some(MAY_2023 + HOUR + 1), ..Filter::default() };
    assert_eq!(found_in_turns(&turns, "how do I pay", &until, Order::Relevance), [1, 0]);
}

#[test]
fn repetition_is_returned_below_other_matches() {
    let texts =
        ["Deploys happen on Tuesdays", "deploys happen: on Tuesday!", "deploys do not happen on Tuesdays or so"];
    assert_eq!(found(&texts, "deploy tuesday"), [1, 2, 0]);
    assert_eq!(found(&["ann said so", "Ann said so"], ""), [1, 0], "a listing has no penalty");
    // by any author
    let said =
        ["deploys happen on Tuesdays", "Deploys happen on Tuesdays.", "hotfixes go out on any day, not just Tuesdays"];
    let turns = [("", "Ann", said[0]), ("", "Bob", said[1]), ("", "Cid", said[0]), ("", "Dan", said[2])];
    check_turns(&turns, "tuesday", &[2, 3, 1, 0]);
}

#[test]
fn memories_that_differ_in_a_sign_are_no_repetitions() {
    let pairs = [
        ("The offset is -5", "The offset is 5"),
        ("The balance is +100", "The balance is 100"),
        ("The balance is +100", "The balance is -100"),
        ("The service is written in C++", "The service is written in C"),
        ("The service is written in C#", "The service is written in C"),
        ("Compare ids with ==", "Compare ids with ="),
        ("Alert when load > 5", "Alert when load < 5"),
        ("Alert when load >= 5", "Alert when load > 5"),
        ("The seat costs 5 €", "The seat costs 5 $"),
        ("Traffic grew by 5 %", "Traffic grew by 5"),
        ("Is the limit 500?", "The limit is 500"),
        ("Deploys freeze on Fridays?", "Deploys freeze on Fridays."),
        ("Ann owes Bob", "Bob owes Ann"),
        ("Retry on failure", "Do not retry on failure"),
    ];
    for (one, other) in pairs {
        let index = PartitionIndex::build((0..).zip([one, other]).map(|(number, text)| {
            let meta = Meta { id: Uuid::from_u128(number), ..Meta::default() };
            Doc { meta, analysis: analyze(text), embeddings: None }
        }));
        let partitions = [Partition::without_author((), &index)];
        let query = Query::parse(&format!("{one} {other}"));
        let hits = search(&partitions, &query, &Filter::default(), &PageRequest::default(), ReadTime::default());
        assert_eq!(hits.len(), 2, "`{one}`, `{other}`");
        assert!(hits.iter().all(|hit| hit.repetition.is_none_or(|it| it.is_near_copy)), "`{one}`, `{other}`");
    }
}

#[test]
fn many_repetitions_do_not_fill_the_first_page() {
    let copies: Vec<String> =
        (0..300).map(|number| format!("Deploys freeze on Fridays{}", "!".repeat(number % 3))).collect();
    let mut texts: Vec<&str> = copies.iter().map(String::as_str).collect();
    texts.extend(["A hotfix may go out on Fridays after the on-call engineer agreed", "Ask Ada before deploys"]);
    let hits = found(&texts, "deploys on fridays");
    assert_eq!(hits.len(), 50);
    let place = |number: u128| hits.iter().position(|hit| *hit == number).expect("on the first page");
    assert!(place(300) < 5 && place(301) < 5, "{hits:?}");
}

#[test]
fn near_copies_of_one_author_do_not_fill_the_page() {
    let notes: Vec<String> = (1..=80).map(|number| format!("Deploys freeze on Fridays, note {number}")).collect();
    for (count, page) in [(10, 10), (80, 50)] {
        let copies = notes[..count].iter().map(|note| ("", "Ann", note.as_str()));
        let turns: Vec<_> = copies.chain([("", "Bob", "Fridays: Ada approves urgent deploys")]).collect();
        let hits = found_in_turns(&turns, "deploys on fridays", &Filter::default(), Order::Relevance);
        let place = hits.iter().position(|hit| *hit == count as u128);
        assert!(place.is_some_and(|place| place < 5), "{count}: {place:?} of {page}");
    }
}

#[test]
fn long_query_does_not_match_memories_with_one_common_word() {
    let page: Vec<String> = (0..100).map(|number| format!("subject{number}")).collect();
    let page = format!("{} noodles", page.join(" "));
    let texts: Vec<String> = (0..30).map(|number| format!("noodles number {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(found(&texts, &page), [0; 0]);
    assert_eq!(found(&texts, "noodles").len(), 30);
}

#[test]
fn blank_query_lists_all_and_empty_query_matches_nothing() {
    let blank = ["", " \n\t", "\0", "\u{feff}"];
    assert!(blank.iter().all(|text| Query::parse(text).is_blank()));
    let empty = ["?", "***", "\"\"", "()&|!<->", "'"];
    assert!(empty.iter().all(|text| !Query::parse(text).is_blank() && Query::parse(text).is_empty()));
    check("anything", &blank, &empty);
}

#[test]
fn long_query_is_truncated_and_long_text_is_not() {
    let words: Vec<String> = (0..20_000).map(|number| format!("word{number}x")).collect();
    let text = words.join(" ");
    check(&text, &[&text, "word0x", "word19999x"], &["word20000x"]);
    check("word19999x", &[], &[&text]);
    check("word19999x", &[], &[&format!("\"{text}\"")]);
    check("a b", &["\"a b\" ".repeat(9000).as_str()], &["\"b a\" ".repeat(9000).as_str()]);
    check(&"a".repeat(70_000), &[&"a".repeat(70_000)], &["a"]);
}

#[test]
fn fold_text_unifies_case_compatibility_forms_and_white_space() {
    let check = |text: &str, expected: &str| assert_eq!(fold_text(text), expected);
    check("  Hello\t\n WORLD ", "hello world");
    check("ẞ ß SS", "ss ss ss");
    check("ΣΊΣΥΦΟΣ Ｆｕｌｌ\u{a0}ﬁ", "σίσυφοσ full fi");
    check("nul\0l \u{200b}", "null");
    check("日本　語", "日本 語");
}
