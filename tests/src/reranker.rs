//! A stub of a rerank API in both of its forms, with selectable faults.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RerankMode {
    #[default]
    Normal,
    /// Responds with 500.
    Error,
    /// Never responds.
    Hanging,
    /// Responds after [`StubReranker::release`].
    Held,
    /// Redirects to itself.
    Redirecting,
    /// One score fewer than texts.
    MissingScore,
    /// An index that no text has.
    WrongIndex,
    /// The same index for all texts.
    SameIndex,
    /// No JSON, because of a NaN.
    NotANumber,
    /// Null instead of a score.
    Null,
    /// A JSON object of another form.
    UnknownFormat,
    /// A response of 2 MiB.
    Large,
}

impl RerankMode {
    /// The faults, and a part of the error that each causes.
    pub const FAULTS: [(Self, &'static str); 10] = [
        (Self::Error, "500"),
        (Self::Hanging, "in time"),
        (Self::Redirecting, "307"),
        (Self::MissingScore, "scores for"),
        (Self::WrongIndex, "or beyond"),
        (Self::SameIndex, "twice"),
        (Self::NotANumber, "not that of a reranker"),
        (Self::Null, "is not a number"),
        (Self::UnknownFormat, "not that of a reranker"),
        (Self::Large, "too large"),
    ];
}

/// A reranker that prefers texts with a great number after `worth`.
pub struct StubReranker {
    address: String,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    mode: Mutex<RerankMode>,
    requests: Mutex<Vec<Value>>,
    keys: Mutex<Vec<String>>,
    arrived: Notify,
    released: Notify,
}

impl StubReranker {
    #[must_use]
    pub fn start() -> Self {
        let state = Arc::new(State::default());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("http://{}/v1", listener.local_addr().expect("it has an address"));
        let shared = web::Data::from(Arc::clone(&state));
        let app = move || App::new().app_data(shared.clone()).route("/v1/rerank", web::post().to(rerank));
        let server = HttpServer::new(app).workers(1).disable_signals().shutdown_timeout(0).listen(listener);
        let server = server.expect("it listens").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { address, state, server: handle }
    }

    /// The value of the setting `reranker`: `http://127.0.0.1:<port>/v1`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn set_mode(&self, mode: RerankMode) {
        *self.state.mode.lock() = mode;
    }

    /// Waits for a request that is held.
    pub async fn arrived(&self) {
        self.state.arrived.notified().await;
    }

    /// Responds to the held request, or to the next one.
    pub fn release(&self) {
        self.state.released.notify_one();
    }

    /// The bodies of all requests.
    #[must_use]
    pub fn requests(&self) -> Vec<Value> {
        self.state.requests.lock().clone()
    }

    /// All texts of all requests.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.requests().iter().flat_map(texts_of).collect()
    }

    /// The `Authorization` header of each request.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.state.keys.lock().clone()
    }
}

impl Drop for StubReranker {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

fn texts_of(request: &Value) -> Vec<String> {
    let texts = request["documents"].as_array().or(request["texts"].as_array());
    texts.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

async fn rerank(state: web::Data<State>, call: HttpRequest, request: web::Json<Value>) -> HttpResponse {
    let key = call.headers().get("authorization").and_then(|key| key.to_str().ok()).unwrap_or_default();
    state.keys.lock().push(key.to_owned());
    state.requests.lock().push(request.clone());
    let (texts, mode) = (texts_of(&request), *state.mode.lock());
    let (mut scores, mut indices): (Vec<Value>, Vec<usize>) =
        texts.iter().enumerate().map(|(index, text)| (json!(worth(text)), index)).unzip();
    match mode {
        RerankMode::Normal => {}
        RerankMode::Held => {
            state.arrived.notify_one();
            state.released.notified().await;
        }
        RerankMode::Error => return HttpResponse::InternalServerError().body("out of order"),
        RerankMode::Hanging => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            return HttpResponse::Ok().finish();
        }
        RerankMode::Redirecting => {
            return HttpResponse::TemporaryRedirect().insert_header(("location", "/v1/rerank")).finish();
        }
        RerankMode::MissingScore => drop(indices.pop()),
        RerankMode::WrongIndex => indices[0] = texts.len(),
        RerankMode::SameIndex => indices.fill(0),
        RerankMode::NotANumber => {
            return HttpResponse::Ok().body(r#"{"results": [{"index": 0, "relevance_score": NaN}]}"#);
        }
        RerankMode::Null => scores[0] = Value::Null,
        RerankMode::UnknownFormat => return HttpResponse::Ok().json(json!({"hello": "world"})),
        RerankMode::Large => return HttpResponse::Ok().body(" ".repeat(2 << 20)),
    }
    let has_model = request.get("model").is_some();
    let name = if has_model { "relevance_score" } else { "score" };
    // clients must not rely on the order
    let rows: Vec<Value> =
        indices.iter().zip(&scores).map(|(index, score)| json!({"index": index, name: score})).rev().collect();
    if has_model { HttpResponse::Ok().json(json!({"id": "1", "results": rows})) } else { HttpResponse::Ok().json(rows) }
}

/// The number after the word `worth`; -1 without one.
fn worth(text: &str) -> f64 {
    let mut words = text.split_whitespace().skip_while(|word| *word != "worth").skip(1);
    words.next().and_then(|number| number.parse().ok()).unwrap_or(-1.0)
}
