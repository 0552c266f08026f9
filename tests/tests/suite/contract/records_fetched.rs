//! Fetched records: sources of record that answer for the claims of reads, and sources that do not.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use uuid::Uuid;

for_each_store!(
    claim_is_compared_with_the_record_of_a_source,
    failing_source_asserts_nothing,
    private_address_is_refused_unless_its_host_is_named,
    concurrent_reads_share_one_request_and_block_no_other_org,
    source_that_fails_repeatedly_is_not_asked,
);

/// A source of record that answers well or badly, by the end of the entity.
#[derive(Default)]
struct StandIn {
    /// The head of each request.
    requests: Mutex<Vec<String>>,
    /// A request for a slow entity has arrived.
    slow_began: Notify,
    /// It may be answered.
    slow_may_end: Notify,
}

async fn serve(mut stream: TcpStream, stand_in: &StandIn) -> Option<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        let mut piece = [0; 1024];
        let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        head.extend_from_slice(&piece[..read]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1)?.to_owned();
    stand_in.requests.lock().push(head);
    let record = |amount: Value| json!({"offer": {"amount": amount, "currency": "EUR"}}).to_string();
    let (status, more, body) = match path.rsplit('-').next()? {
        "absent" => ("404 Not Found", "", String::new()),
        "broken" => ("500 Internal Server Error", "", record(json!(21))),
        "html" => ("200 OK", "", "<html>21 EUR</html>".to_owned()),
        "moved" => ("302 Found", "location: http://169.254.169.254/latest\r\n", String::new()),
        "object" => ("200 OK", "", record(json!({"value": 21}))),
        "huge" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n{").await.ok()?;
            return std::future::pending().await;
        }
        "flood" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
            loop {
                stream.write_all(&[b' '; 4096]).await.ok()?;
            }
        }
        "endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
            loop {
                stream.write_all(b" ").await.ok()?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        "hangup" => return None,
        "slow" => {
            stand_in.slow_began.notify_one();
            stand_in.slow_may_end.notified().await;
            ("200 OK", "", record(json!(21)))
        }
        _ => ("200 OK", "", record(json!(21))),
    };
    let response =
        format!("HTTP/1.1 {status}\r\n{more}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    stream.write_all(response.as_bytes()).await.ok()
}

struct Shop {
    app: TestApp,
    root: Uuid,
    bot: Uuid,
    source: Arc<StandIn>,
}

impl Shop {
    async fn new(on: On) -> Self {
        Self::with(on, "1000").await
    }

    async fn with(on: On, timeout_ms: &str) -> Self {
        let (address, source) = stand_in().await;
        let app = TestApp::builder(on)
            .with("ORGMEM_SOURCES_CATALOG_URL", &format!("http://{address}/items/{{entity}}"))
            .with("ORGMEM_SOURCES_CATALOG_PRIVATE_HOST", "127.0.0.1")
            .with("ORGMEM_SOURCES_CATALOG_ENTITIES", "sku[ /].*")
            .with("ORGMEM_SOURCES_CATALOG_FIELDS", "price=/offer/amount")
            .with("ORGMEM_SOURCES_CATALOG_UNITS", "price=/offer/currency")
            .with("ORGMEM_SOURCES_CATALOG_HEADER", "X-Shop-Key")
            .with("ORGMEM_SOURCES_CATALOG_HEADER_VALUE", "key of the shop")
            .with("ORGMEM_SOURCES_CATALOG_TIMEOUT_MS", timeout_ms)
            .start()
            .await;
        let org = app.plant("acme\n  bot").await;
        Self { root: org.id("acme"), bot: org.id("bot"), app, source }
    }

    fn agent(&self) -> Caller {
        self.app.agent(self.bot)
    }

    async fn commit(&self, entity: &str, field: &str) -> Uuid {
        commit(&self.app, self.bot, entity, field).await
    }

    async fn claim(&self, id: Uuid) -> Value {
        let memory = self.agent().get(&format!("/workspaces/{}/memories/{id}", self.bot)).await.expect(200);
        memory.json()["claims"][0].clone()
    }

    async fn block(&self) -> String {
        let context = self.agent().post(&format!("/workspaces/{}/context", self.bot), json!({"query": "violin"})).await;
        context.expect(200).json()["block"].as_str().expect("a block").to_owned()
    }

    fn sent(&self) -> usize {
        self.source.requests.lock().len()
    }
}

async fn stand_in() -> (std::net::SocketAddr, Arc<StandIn>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let source = Arc::new(StandIn::default());
    let shared = Arc::clone(&source);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let source = Arc::clone(&shared);
            tokio::spawn(async move { serve(stream, &source).await });
        }
    });
    (address, source)
}

async fn commit(app: &TestApp, workspace: Uuid, entity: &str, field: &str) -> Uuid {
    let claims = json!([{"entity": entity, "field": field, "value": 19}]);
    let memory = json!({"scope": "LOCAL", "content": "The violin is red. It costs 19 EUR.", "claims": claims});
    app.agent(workspace).post(&format!("/workspaces/{workspace}/memories"), memory).await.expect(201).id("id")
}

/// How many requests of a source had this outcome.
async fn count(app: &TestApp, source: &str, outcome: &str) -> u64 {
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let name = format!("orgmem_record_fetches_total{{source=\"{source}\",outcome=\"{outcome}\"}} ");
    let text = String::from_utf8_lossy(&metrics.body).into_owned();
    text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap_or(0)
}

async fn claim_is_compared_with_the_record_of_a_source(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit("sku/1 ?", "price").await;
    let claim = shop.claim(id).await;
    assert_eq!((&claim["status"], &claim["value"]), (&json!("stale"), &json!(19)));
    assert_eq!((&claim["record"]["value"], &claim["record"]["unit"]), (&json!(21), &json!("EUR")));
    assert_eq!(claim["record"]["source"], "catalog");
    let head = shop.source.requests.lock()[0].clone();
    assert!(head.starts_with("GET /items/sku%2F1%20%3F HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("x-shop-key: key of the shop\r\n"), "{head}");
    let block = shop.block().await;
    assert!(block.contains("price=21 EUR") && !block.contains("costs 19"), "{block}");
    let search = format!("/workspaces/{}/memories?q=violin", shop.bot);
    assert_eq!(shop.agent().get(&search).await.expect(200).items()[0]["claims"][0]["status"], "stale");
    assert_eq!(shop.sent(), 1, "the answer is cached");
    shop.app.advance(TimeDelta::seconds(61));
    shop.claim(id).await;
    assert_eq!(shop.sent(), 2);
    let reviews = shop.agent().get(&format!("/workspaces/{}/reviews", shop.bot)).await.expect(200).items();
    assert_eq!(reviews.iter().map(|review| review["status"].clone()).collect::<Vec<_>>(), ["open"]);
    // a pushed record comes first
    let source = shop.app.bearer(&shop.app.token("source", Some(shop.root)).text());
    let body = json!({"fields": {"price": {"value": 19}}, "as_of": shop.app.now()});
    source.put(&format!("/workspaces/{}/records/sku%2F1%20%3F", shop.root), body).await.expect(200);
    assert_eq!(shop.claim(id).await["status"], "agrees");
    // other fields, entities and absent records
    for (entity, field) in [("sku 2", "stock"), ("other 2", "price"), ("sku 2-absent", "price")] {
        let id = shop.commit(entity, field).await;
        assert_eq!(shop.claim(id).await["status"], "unverified", "{entity} {field}");
    }
    assert_eq!(shop.sent(), 3, "only for the absent one");
    assert_eq!((count(&shop.app, "catalog", "answered").await, count(&shop.app, "catalog", "absent").await), (2, 1));
}

async fn failing_source_asserts_nothing(on: On) {
    let shop = Shop::with(on, "2000").await;
    for (end, outcome) in [
        ("broken", "status"),
        ("html", "not_json"),
        ("moved", "redirected"),
        ("object", "wrong_type"),
        ("huge", "too_large"),
        ("flood", "too_large"),
        ("endless", "timeout"),
        ("hangup", "unreachable"),
    ] {
        let before = count(&shop.app, "catalog", outcome).await;
        let id = shop.commit(&format!("sku 1-{end}"), "price").await;
        assert_eq!(
            shop.claim(id).await,
            json!({"entity": format!("sku 1-{end}"), "field": "price", "value": 19,
            "status": "unverified"})
        );
        // the outcome of a request that outlives its reader is counted a moment later
        let counted = async {
            while count(&shop.app, "catalog", outcome).await == before {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), counted).await.expect(end);
        assert_eq!(count(&shop.app, "catalog", outcome).await, before + 1, "{end}");
        // beyond the pause after repeated failures
        shop.app.advance(TimeDelta::seconds(31));
    }
    assert_eq!(shop.block().await, "", "an unverified value is not in a block");
}

async fn private_address_is_refused_unless_its_host_is_named(on: On) {
    let (address, source) = stand_in().await;
    // the name is checked by its addresses, not by its text
    let app = TestApp::builder(on)
        .with("ORGMEM_SOURCES_NEAR_URL", &format!("https://localhost:{}/{{entity}}", address.port()))
        .with("ORGMEM_SOURCES_NEAR_ENTITIES", "sku .*")
        .with("ORGMEM_SOURCES_NEAR_FIELDS", "price=/offer/amount")
        .start()
        .await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let id = commit(&app, bot, "sku 1", "price").await;
    let memory = app.agent(bot).get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(200).json();
    assert_eq!(memory["claims"][0]["status"], "unverified");
    assert_eq!(count(&app, "near", "private_address").await, 1);
    assert!(source.requests.lock().is_empty());
}

async fn concurrent_reads_share_one_request_and_block_no_other_org(on: On) {
    let shop = Shop::with(on, "5000").await;
    let id = shop.commit("sku 1-slow", "price").await;
    let other = shop.app.admin().create("umbrella", None).await;
    let foreign = commit(&shop.app, other, "sku 2", "price").await;
    let waiting = async {
        let (one, two, three) = tokio::join!(shop.claim(id), shop.claim(id), shop.claim(id));
        [one, two, three]
    };
    let foreign_read = async {
        shop.source.slow_began.notified().await;
        let path = format!("/workspaces/{other}/memories/{foreign}");
        let memory = shop.app.agent(other).get(&path).await.expect(200).json();
        // a read that waited for the one of another org would have ended by the time limit of that one
        shop.source.slow_may_end.notify_one();
        memory["claims"][0]["status"].clone()
    };
    let (claims, foreign_status) = tokio::join!(waiting, foreign_read);
    assert!(claims.iter().all(|claim| claim["status"] == "stale"), "{claims:?}");
    assert_eq!(foreign_status, "stale");
    let slow = shop.source.requests.lock().iter().filter(|head| head.contains("slow")).count();
    assert_eq!(slow, 1);
}

async fn source_that_fails_repeatedly_is_not_asked(on: On) {
    let shop = Shop::new(on).await;
    for number in 0..7 {
        let id = shop.commit(&format!("sku {number}-broken"), "price").await;
        assert_eq!(shop.claim(id).await["status"], "unverified");
    }
    assert_eq!((shop.sent(), count(&shop.app, "catalog", "circuit_open").await), (5, 2));
    // the failures of one org are not those of another
    let other = shop.app.admin().create("umbrella", None).await;
    let foreign = commit(&shop.app, other, "sku 9", "price").await;
    let path = format!("/workspaces/{other}/memories/{foreign}");
    let memory = shop.app.agent(other).get(&path).await.expect(200).json();
    assert_eq!(memory["claims"][0]["status"], "stale");
    shop.app.advance(TimeDelta::seconds(31));
    let id = shop.commit("sku 8", "price").await;
    assert_eq!(shop.claim(id).await["status"], "stale");
}
