//! Random orgs and histories: each search returns exactly the memories that the oracle expects.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Memory, Oracle, Scope, Step};
use orgmem_tests::steps::{assert_allowed, name_of};
use orgmem_tests::{Caller, On, TestApp, for_each_store, with_query};
use serde_json::Value;
use uuid::Uuid;

for_each_store!(
    searches_match_oracle_in_org_of_five_hundred,
    searches_match_oracle_in_orgs_of_a_hundred,
    searches_match_oracle_in_many_small_orgs,
);

async fn searches_match_oracle_in_org_of_five_hundred(on: On) {
    Trial { seed: 500, orgs: &[500, 3], steps: 1_500, searches: 2_500, rounds: 25 }.run(on).await;
}

async fn searches_match_oracle_in_orgs_of_a_hundred(on: On) {
    Trial { seed: 100, orgs: &[100, 100, 40], steps: 1_200, searches: 3_500, rounds: 60 }.run(on).await;
}

async fn searches_match_oracle_in_many_small_orgs(on: On) {
    for seed in 0..8 {
        Trial { seed, orgs: &[1, 2, 6, 12, 25], steps: 200, searches: 500, rounds: 40 }.run(on).await;
    }
}

/// Orgs of these sizes, with random steps and searches after their creation.
struct Trial {
    seed: u64,
    orgs: &'static [usize],
    steps: usize,
    searches: usize,
    rounds: usize,
}

impl Trial {
    async fn run(&self, on: On) {
        let mut seeded = Seeded::new(self.seed);
        let made: Vec<Step> = self.orgs.iter().flat_map(|&size| seeded.org(size)).collect();
        let app = TestApp::new(on).await;
        let mut fixture = Fixture::new(app, seeded);
        fixture.app.admin().run_steps(&made).await;
        for step in &made {
            fixture.oracle.apply(step).expect("an org can be created");
        }
        for round in 0..self.rounds {
            for _ in 0..self.steps / self.rounds {
                fixture.step().await;
            }
            fixture.revoke_a_token().await;
            let wanted = self.searches * (round + 1) / self.rounds;
            while fixture.searches < wanted {
                fixture.search().await;
                fixture.read_one().await;
            }
        }
        // small orgs have few memories; it suffices that some searches return memories
        assert!(4 * fixture.found > self.searches, "the searches found next to nothing; seed {}", self.seed);
    }
}

/// A server and its oracle.
struct Fixture {
    app: TestApp,
    seeded: Seeded,
    oracle: Oracle,
    /// Agents with a token, which is revoked now and then.
    agents: BTreeMap<Uuid, (Caller, Uuid)>,
    /// The number of searches and lists, by page.
    searches: usize,
    found: usize,
}

impl Fixture {
    fn new(app: TestApp, seeded: Seeded) -> Self {
        Self { app, seeded, oracle: Oracle::default(), agents: BTreeMap::new(), searches: 0, found: 0 }
    }

    /// A step; the server and the oracle must agree whether it is valid.
    async fn step(&mut self) {
        let step = self.seeded.step(&self.oracle);
        let objections = self.oracle.apply(&step).err().unwrap_or_default();
        let response = self.app.admin().run_step(&step).await;
        assert_allowed(&objections, &step, &response);
        if let Step::Commit(_) = step {
            self.app.advance(TimeDelta::microseconds(i64::from(self.seeded.one_of(&[0, 1, 700]))));
        }
    }

    fn agent(&mut self, workspace: Uuid) -> Caller {
        let app = &self.app;
        let issued = || {
            let token = app.token("agent", Some(workspace));
            (app.bearer(&token.text()), token.jti())
        };
        self.agents.entry(workspace).or_insert_with(issued).0.clone()
    }

    /// A caller that may read as `reader`: its agent, or a person covering it.
    fn caller_for(&mut self, reader: Uuid) -> Caller {
        let above: Vec<Uuid> = [reader].into_iter().chain(self.oracle.path(reader)).collect();
        match self.seeded.one_of(&[0, 0, 0, 1, 2, 3]) {
            0 => self.agent(reader),
            1 => self.app.viewer(self.seeded.one_of(&above)),
            2 => self.app.operator(self.seeded.one_of(&above)),
            _ => self.app.admin(),
        }
    }

    /// Revokes the token of an agent, or all tokens of its workspace; the next token works.
    async fn revoke_a_token(&mut self) {
        let holders: Vec<Uuid> = self.agents.keys().copied().collect();
        if holders.is_empty() {
            return;
        }
        let workspace = self.seeded.one_of(&holders);
        let (agent, jti) = self.agents.remove(&workspace).expect("it holds a token");
        if self.oracle.is_live(workspace) {
            agent.get("/me").await.expect(200);
            let all = self.seeded.one_of(&[true, false]);
            let address = if all { format!("/workspaces/{workspace}/tokens") } else { format!("/tokens/{jti}") };
            self.app.admin().delete(&address).await.expect(200);
            // tokens of the same second are revoked too
            self.app.advance(TimeDelta::seconds(1));
        }
        agent.get(&format!("/workspaces/{workspace}/memories")).await.refused(401, "token_invalid");
    }

    /// A search, through all its pages, as a caller for a random reader.
    async fn search(&mut self) {
        let everyone = self.oracle.everyone();
        let reader = self.seeded.one_of(&everyone);
        let query = self.random_query();
        let path = with_query(&format!("/workspaces/{reader}/memories"), &query.query());
        if !self.oracle.is_live(reader) {
            self.searches += 1;
            self.app.admin().get(&path).await.refused(410, "gone");
            self.agent(reader).get(&path).await.refused(401, "token_invalid");
            return;
        }
        let caller = self.caller_for(reader);
        let expected = self.expected(reader, &query);
        let (items, pages) = caller.all_pages(&path).await;
        self.searches += pages;
        self.found += items.len();
        let found: Vec<Uuid> = items.iter().map(|item| orgmem_tests::id_of(item, "id")).collect();
        let unique: BTreeSet<Uuid> = found.iter().copied().collect();
        let wanted: BTreeSet<Uuid> = expected.keys().copied().collect();
        let about = || format!("{path} in\n{}", self.oracle);
        assert_eq!(unique.len(), found.len(), "duplicate result: {}", about());
        assert_eq!(unique.difference(&wanted).collect::<Vec<_>>(), Vec::<&Uuid>::new(), "leaked: {}", about());
        assert_eq!(wanted.difference(&unique).collect::<Vec<_>>(), Vec::<&Uuid>::new(), "missed: {}", about());
        let full = expected.len().div_ceil(query.page()).max(1);
        assert_eq!(pages, full, "every page but the last is full: {}", about());
        for item in &items {
            let (memory, via) = &expected[&orgmem_tests::id_of(item, "id")];
            check_item(item, memory, via);
        }
    }

    fn random_query(&mut self) -> Query {
        let scope = self.seeded.one_of(&[None, None, Some(Scope::Local), Some(Scope::Team), Some(Scope::Global)]);
        let words = ["", "invoice", "rocket", "garden violin", "falcon orbit pepper magnet", "zeppelin"];
        let words = self.seeded.one_of(&words);
        // small pages of a large result would cause many requests
        let limits = if words.is_empty() { [None, Some("20"), Some("50")] } else { [None, Some("1"), Some("7")] };
        Query { scope, words, limit: self.seeded.one_of(&limits) }
    }

    /// The expected memories of `reader`, and the reason of each.
    fn expected(&self, reader: Uuid, query: &Query) -> BTreeMap<Uuid, (Memory, &'static str)> {
        let readable = self.oracle.memories_read_by(reader).into_iter();
        let wanted = readable.filter(|memory| query.wants(memory));
        wanted.map(|memory| (memory.id, (memory.clone(), self.via(reader, memory)))).collect()
    }

    fn via(&self, reader: Uuid, memory: &Memory) -> &'static str {
        let via = self.oracle.via(reader, memory.author, memory.scope, memory.team);
        via.expect("what can be read is read by some way").as_str()
    }

    /// Reads a random memory by its id, as a caller for a random reader.
    async fn read_one(&mut self) {
        let (readers, memories) = (self.oracle.live(), self.oracle.memories().len());
        if memories == 0 || readers.is_empty() {
            return;
        }
        let reader = self.seeded.one_of(&readers);
        let at = self.seeded.one_of(&(0..memories).collect::<Vec<_>>());
        let caller = self.caller_for(reader);
        let memory = self.oracle.memories()[at].clone();
        let response = caller.get(&format!("/workspaces/{reader}/memories/{}", memory.id)).await;
        if self.oracle.can_read_memory(reader, &memory) {
            check_item(&response.expect(200).json(), &memory, self.via(reader, &memory));
        } else {
            response.refused(404, "not_found");
        }
    }
}

fn check_item(item: &Value, memory: &Memory, via: &str) {
    assert_eq!(item["via"], via, "{item}");
    assert_eq!(item["scope"], memory.scope.as_str(), "{item}");
    assert_eq!(orgmem_tests::id_of(item, "workspace_id"), memory.author, "{item}");
    assert_eq!(item["workspace_name"], name_of(memory.author), "{item}");
    assert_eq!(item.get("team").is_some(), memory.team.is_some(), "{item}");
    let content = item["content"].as_str().unwrap_or_default();
    assert!(content.ends_with(&memory.content), "{item}");
}

struct Query {
    scope: Option<Scope>,
    /// Any of these words; a list if empty.
    words: &'static str,
    limit: Option<&'static str>,
}

impl Query {
    fn query(&self) -> Vec<(&'static str, &'static str)> {
        let scope = self.scope.map(|scope| ("scope", scope.as_str()));
        let words = Some(("q", self.words)).filter(|_| !self.words.is_empty());
        scope.into_iter().chain(words).chain(self.limit.map(|limit| ("limit", limit))).collect()
    }

    fn wants(&self, memory: &Memory) -> bool {
        let has_word = || memory.content.split(' ').any(|word| self.words.split(' ').any(|wanted| wanted == word));
        self.scope.is_none_or(|scope| scope == memory.scope) && (self.words.is_empty() || has_word())
    }

    fn page(&self) -> usize {
        self.limit.map_or(50, |limit| limit.parse().expect("a limit is a number"))
    }
}
