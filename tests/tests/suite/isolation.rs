//! A search response does not depend on unreadable memories, and events in one org do not affect the responses of
//! another.

use chrono::TimeDelta;
use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Memory, Oracle, Scope, Step};
use orgmem_tests::steps::body_of;
use orgmem_tests::{Caller, On, TestApp, for_each_store, with_query};
use uuid::Uuid;

for_each_store!(
    search_is_independent_of_unreadable_memories,
    search_over_workspaces_is_independent_of_unreadable_memories,
    search_is_independent_of_memories_excluded_by_a_profile,
    word_weight_is_independent_of_other_orgs,
    responses_are_independent_of_other_orgs,
);

/// Searches that are sensitive to statistics: common and rare words, phrases, prefixes, filters, orders.
const SEARCHES: &[&[(&str, &str)]] = &[
    &[],
    &[("q", "invoice")],
    &[("q", "harbour compass")],
    &[("q", "rocket garden violin copper winter")],
    &[("q", "\"ticket bridge\" falcon")],
    &[("q", "pep* mag*")],
    &[("q", "the orbit of lantern and canvas")],
    &[("q", "garden"), ("scope", "TEAM")],
    &[("q", "garden"), ("order", "recent")],
    &[("q", "winter ticket"), ("limit", "2")],
    &[("scope", "LOCAL")],
    &[("order", "confidence"), ("limit", "3")],
    &[("q", "garden"), ("limit", "4"), ("neighbours", "2")],
    &[("scope", "TEAM"), ("neighbours", "1")],
    &[("q", "garden winter"), ("collapse", "true")],
    &[("collapse", "true"), ("limit", "3")],
    &[("q", "ticket"), ("explain", "true")],
    // words that are typed otherwise
    &[("q", "invioce hrabour")],
    &[("q", "gard compasss wintre"), ("explain", "true")],
    &[("q", "\"which winter has the violin a lantern\"")],
    &[("q", "falconry rocketgarden copp"), ("collapse", "true")],
];

/// Topics of context blocks; a blank one gives the mixture.
const TOPICS: [&str; 3] = ["", "invoice garden", "what about the winter ticket?"];

async fn search_is_independent_of_unreadable_memories(on: On) {
    for seed in 0..6 {
        let mut seeded = Seeded::new(seed);
        let history = history(&mut seeded, &[14, 5], 160);
        let oracle = world_after(&history);
        let whole = TestApp::new(on).await;
        replay(&whole, &history, |_| true).await;
        for _ in 0..3 {
            let reader = seeded.one_of(&oracle.live());
            let fresh = TestApp::new(on).await;
            replay(&fresh, &history, |memory| oracle.can_read_memory(reader, memory)).await;
            for search in SEARCHES {
                for (role, whole, fresh) in [
                    ("agent", whole.agent(reader), fresh.agent(reader)),
                    ("viewer", whole.viewer(reader), fresh.viewer(reader)),
                ] {
                    let path = with_query(&format!("/workspaces/{reader}/memories"), search);
                    assert_eq!(pages(&whole, &path).await, pages(&fresh, &path).await, "{role}: {path}, seed {seed}");
                }
            }
            for topic in TOPICS {
                let (whole, fresh) = (whole.agent(reader), fresh.agent(reader));
                assert_eq!(
                    block(&whole, reader, topic).await,
                    block(&fresh, reader, topic).await,
                    "{topic}, seed {seed}"
                );
            }
        }
    }
}

/// For a person, the memories that any workspace of the subtree reads are all that count.
async fn search_over_workspaces_is_independent_of_unreadable_memories(on: On) {
    for seed in 20..23 {
        let mut seeded = Seeded::new(seed);
        let history = history(&mut seeded, &[14, 5], 160);
        let oracle = world_after(&history);
        let whole = TestApp::new(on).await;
        replay(&whole, &history, |_| true).await;
        for _ in 0..3 {
            let top = seeded.one_of(&oracle.live());
            let fresh = TestApp::new(on).await;
            let is_readable =
                |memory: &Memory| oracle.subtree(top).into_iter().any(|reader| oracle.can_read_memory(reader, memory));
            replay(&fresh, &history, is_readable).await;
            for q in
                ["", "invoice", "harbour compass", "rocket garden violin copper winter", "pep* mag*", "invioce gard"]
            {
                let path = with_query("/search", &[("q", q), ("limit", "20")]);
                let (whole, fresh) = (whole.viewer(top), fresh.viewer(top));
                assert_eq!(pages(&whole, &path).await, pages(&fresh, &path).await, "{path}, seed {seed}");
            }
        }
    }
}

async fn block(caller: &Caller, reader: Uuid, topic: &str) -> serde_json::Value {
    let request = serde_json::json!({"query": topic});
    let context = caller.post(&format!("/workspaces/{reader}/context"), request).await.expect(200).json();
    serde_json::json!([context["block"], context["entries"], context["left_out"]])
}

async fn search_is_independent_of_memories_excluded_by_a_profile(on: On) {
    for (seed, isolation) in [(3, "team"), (3, "isolated"), (4, "team"), (4, "isolated")] {
        let mut seeded = Seeded::new(seed);
        let history = history(&mut seeded, &[12], 140);
        let oracle = world_after(&history);
        let (whole, reader) = (TestApp::new(on).await, seeded.one_of(&oracle.live()));
        replay(&whole, &history, |_| true).await;
        let fresh = TestApp::new(on).await;
        let is_left = |memory: &Memory| {
            let reads = match isolation {
                "team" => memory.scope != Scope::Global,
                _ => false,
            };
            oracle.can_read_memory(reader, memory) && (memory.author == reader || reads)
        };
        replay(&fresh, &history, is_left).await;
        // memories of excluded kinds are absent too
        let kinds = [("fact", "invoice garden falcon copper"), ("trace", "invoice invoice garden garden rocket")];
        for (app, kinds) in [(&whole, &kinds[..]), (&fresh, &kinds[..1])] {
            for (kind, content) in kinds {
                let id = Uuid::from_u128(if *kind == "fact" { 0xfac7 } else { 0x7ace });
                let memory = serde_json::json!({"id": id, "scope": "LOCAL", "kind": kind, "content": content});
                app.admin().post(&format!("/workspaces/{reader}/memories"), memory).await.expect(201);
            }
            let profile = serde_json::json!({"isolation": isolation, "excluded_kinds": ["trace"]});
            app.admin().patch(&format!("/workspaces/{reader}/profiles/{reader}"), profile).await.expect(200);
        }
        for search in SEARCHES {
            for (whole, fresh) in
                [(whole.agent(reader), fresh.agent(reader)), (whole.viewer(reader), fresh.viewer(reader))]
            {
                let path = with_query(&format!("/workspaces/{reader}/memories"), search);
                assert_eq!(pages(&whole, &path).await, pages(&fresh, &path).await, "{isolation}: {path}, seed {seed}");
            }
        }
    }
}

/// Statistics over the whole table would reverse this order.
async fn word_weight_is_independent_of_other_orgs(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops\nrival").await;
    let bot = app.agent(org.id("bot"));
    for content in ["falcon canvas", "falcon falcon pepper", "canvas lantern", "lantern falcon"] {
        bot.commit(org.id("bot"), "LOCAL", content).await;
    }
    let search = with_query(&format!("/workspaces/{}/memories", org.id("bot")), &[("q", "canvas lantern falcon")]);
    let before = pages(&bot, &search).await;
    for (workspace, scope) in [("ops", "TEAM"), ("ops", "LOCAL"), ("dev", "LOCAL"), ("rival", "GLOBAL")] {
        for _ in 0..40 {
            app.admin().commit(org.id(workspace), scope, "canvas canvas canvas lantern").await;
        }
    }
    assert_eq!(pages(&bot, &search).await, before);
}

async fn responses_are_independent_of_other_orgs(on: On) {
    let app = TestApp::new(on).await;
    let mut seeded = Seeded::new(77);
    let ours = history(&mut seeded, &[12], 90);
    replay(&app, &ours, |_| true).await;
    let oracle = world_after(&ours);
    for workspace in oracle.live() {
        let agent = app.agent(workspace);
        agent.post(&format!("/workspaces/{workspace}/memory"), entry(workspace)).await.expect(200);
    }
    let before = all_responses(&app, &oracle).await;
    let theirs = history(&mut seeded, &[20, 8], 150);
    replay(&app, &theirs, |_| true).await;
    for workspace in world_after(&theirs).live() {
        let agent = app.agent(workspace);
        agent.post(&format!("/workspaces/{workspace}/memory"), entry(workspace)).await.expect(200);
        agent.post(&format!("/workspaces/{workspace}/activity"), episode()).await.expect(201);
    }
    for (after, before) in all_responses(&app, &oracle).await.into_iter().zip(before) {
        assert_eq!(after, before);
    }
}

fn entry(workspace: Uuid) -> serde_json::Value {
    serde_json::json!({"key": "state", "value": {"of": workspace}})
}

fn episode() -> serde_json::Value {
    serde_json::json!({"activity_type": "agent_log", "summary": "invoice rocket falcon"})
}

/// Orgs of these sizes and `steps` valid steps.
fn history(seeded: &mut Seeded, sizes: &[usize], steps: usize) -> Vec<Step> {
    let mut history: Vec<Step> = sizes.iter().flat_map(|&size| seeded.org(size)).collect();
    let mut oracle = Oracle::after(&history);
    while history.len() < sizes.iter().sum::<usize>() + steps {
        let step = seeded.step(&oracle);
        // few removals, because they leave little to read
        let is_wanted = !matches!(step, Step::Remove { .. }) || seeded.one_of(&[true, false, false]);
        if is_wanted && oracle.apply(&step).is_ok() {
            history.push(step);
        }
    }
    history
}

fn world_after(history: &[Step]) -> Oracle {
    Oracle::after(history)
}

/// The same history at the same times, but only with the memories that are `wanted`. Every second memory belongs to a
/// session shared by all workspaces.
async fn replay(app: &TestApp, history: &[Step], wanted: impl Fn(&Memory) -> bool) {
    let admin = app.admin();
    for step in history {
        app.advance(TimeDelta::milliseconds(3));
        let is_wanted = match step {
            Step::Commit(memory) => wanted(memory),
            _ => true,
        };
        if is_wanted {
            let response = match step {
                Step::Commit(memory) => {
                    let mut body = body_of(memory);
                    if memory.id.as_u128().is_multiple_of(2) {
                        body["session_id"] = serde_json::json!(format!("s{}", memory.id.as_u128() / 2 % 4));
                    }
                    admin.post(&format!("/workspaces/{}/memories", memory.author), body).await
                }
                _ => admin.run_step(step).await,
            };
            assert!(matches!(response.status, 200 | 201), "{}", response.describe());
        }
    }
}

/// The pages of a list as bytes.
async fn pages(caller: &Caller, path: &str) -> Vec<String> {
    let mut pages = Vec::new();
    let mut at = Some(path.to_owned());
    while let Some(path) = at {
        let page = caller.get(&path).await.expect(200);
        at = page.next();
        pages.push(String::from_utf8(page.body).expect("JSON is UTF-8"));
    }
    pages
}

/// The responses of all reads by callers of these orgs, with their addresses.
async fn all_responses(app: &TestApp, oracle: &Oracle) -> Vec<(String, Vec<String>)> {
    let mut responses = Vec::new();
    for workspace in oracle.live() {
        let operator = app.operator(workspace);
        let agent = app.agent(workspace);
        let at = |rest: &str| format!("/workspaces/{workspace}{rest}");
        for address in [at(""), at("/tree"), at("/reach"), at("/memory/state")] {
            let response = operator.get(&address).await.expect(200);
            responses.push((address, vec![String::from_utf8(response.body).expect("JSON is UTF-8")]));
        }
        // an agent's own searches appear in its activity
        let activity = ["agent_log", "memory_write"].map(|of| at(&format!("/activity?limit=5&type={of}")));
        let lists = [at("/memory"), at("/session-search?q=invoice"), "/workspaces".into()];
        for address in activity.into_iter().chain(lists) {
            let all = pages(&operator, &address).await;
            responses.push((address, all));
        }
        for search in SEARCHES {
            let address = with_query(&at("/memories"), search);
            let all = pages(&agent, &address).await;
            responses.push((address, all));
        }
    }
    for memory in oracle.memories() {
        for reader in oracle.live() {
            let address = format!("/workspaces/{reader}/memories/{}", memory.id);
            let response = app.viewer(reader).get(&address).await;
            if response.status == 200 {
                responses.push((address, vec![String::from_utf8(response.body).expect("JSON is UTF-8")]));
            }
        }
    }
    responses
}
