//! A stub of OpenAI's embeddings API, with selectable faults, and a stub of a model hub.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, web};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};

/// Synonyms; each line is one dimension.
const MEANINGS: [&[&str]; 6] = [
    &["car", "automobile", "vehicle", "drives"],
    &["doctor", "physician", "surgeon"],
    &["refund", "reimburse", "money", "repay"],
    &["deploy", "release", "ship", "rollout"],
    &["cat", "kitten", "feline"],
    &["holiday", "vacation", "leave"],
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StubMode {
    #[default]
    Normal,
    /// Responds with 500.
    Error,
    /// Responds with 429 and `retry-after: 1`.
    RateLimited,
    /// Never responds.
    Hanging,
    /// Vectors with fewer dimensions than before.
    ShortVectors,
    /// One vector, independent of the number of texts.
    MissingVectors,
    /// A JSON object of another form.
    UnknownFormat,
}

pub struct StubEmbedder {
    address: String,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    mode: Mutex<StubMode>,
    texts: Mutex<Vec<String>>,
    keys: Mutex<Vec<String>>,
}

#[derive(Deserialize)]
struct Request {
    model: String,
    input: Vec<String>,
}

impl StubEmbedder {
    #[must_use]
    pub fn start() -> Self {
        let state = Arc::new(State::default());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("http://{}/v1", listener.local_addr().expect("it has an address"));
        let shared = web::Data::from(Arc::clone(&state));
        let app = move || App::new().app_data(shared.clone()).route("/v1/embeddings", web::post().to(embed));
        let server = HttpServer::new(app).workers(1).disable_signals().shutdown_timeout(0).listen(listener);
        let server = server.expect("it listens").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { address, state, server: handle }
    }

    /// The value of the setting `embedder`: `http://127.0.0.1:<port>/v1`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn set_mode(&self, mode: StubMode) {
        *self.state.mode.lock() = mode;
    }

    /// All texts of all requests.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.state.texts.lock().clone()
    }

    /// The `Authorization` header of each request.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.state.keys.lock().clone()
    }
}

impl Drop for StubEmbedder {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

/// A hub with one model, `stub/model`.
pub struct StubHub {
    address: String,
    server: ServerHandle,
}

impl StubHub {
    /// Serves the files of this folder.
    #[must_use]
    pub fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let folder = web::Data::new(folder.to_owned());
        let file = async |folder: web::Data<std::path::PathBuf>, name: web::Path<String>| {
            let bytes = tokio::fs::read(folder.join(name.as_str())).await;
            bytes.map_or_else(|_| HttpResponse::NotFound().finish(), |bytes| HttpResponse::Ok().body(bytes))
        };
        let app = move || {
            App::new().app_data(folder.clone()).route("/stub/model/resolve/main/{name:.*}", web::get().to(file))
        };
        let server = HttpServer::new(app).workers(1).disable_signals().shutdown_timeout(0).listen(listener);
        let server = server.expect("it listens").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { address, server: handle }
    }

    /// The value of the setting `embedding.hub`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for StubHub {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn embed(state: web::Data<State>, call: actix_web::HttpRequest, request: web::Json<Request>) -> HttpResponse {
    let key = call.headers().get("authorization").and_then(|key| key.to_str().ok()).unwrap_or_default();
    state.keys.lock().push(key.to_owned());
    state.texts.lock().extend(request.input.iter().cloned());
    let mode = *state.mode.lock();
    let texts = match mode {
        StubMode::Error => return HttpResponse::InternalServerError().body("out of order"),
        StubMode::RateLimited => {
            return HttpResponse::TooManyRequests().insert_header(("retry-after", "1")).body("slow down");
        }
        StubMode::UnknownFormat => return HttpResponse::Ok().json(json!({"hello": "world"})),
        StubMode::Hanging => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            return HttpResponse::Ok().finish();
        }
        StubMode::MissingVectors => &request.input[..1],
        StubMode::Normal | StubMode::ShortVectors => &request.input[..],
    };
    if request.input.iter().any(|text| text.contains("unbearable")) {
        return HttpResponse::BadRequest().json(json!({"error": {"message": "this text is unbearable"}}));
    }
    let length = if mode == StubMode::ShortVectors { 3 } else { MEANINGS.len() + 1 };
    let one = |(index, text): (usize, &String)| {
        let vector: Vec<Value> = vector(&request.model, text).into_iter().take(length).collect();
        json!({"object": "embedding", "index": index, "embedding": vector})
    };
    // clients must not rely on the order
    let data: Vec<Value> = texts.iter().enumerate().map(one).rev().collect();
    HttpResponse::Ok().json(json!({"object": "list", "model": request.model, "data": data}))
}

/// One dimension for each meaning and one for text without any of them. The model `second` has a different space.
fn vector(model: &str, text: &str) -> Vec<Value> {
    let text = text.to_lowercase();
    if text.contains("unspeakable") {
        return vec![Value::Null; MEANINGS.len() + 1];
    }
    let has = |words: &&[&str]| {
        words.iter().any(|word| text.split(|char: char| !char.is_alphanumeric()).any(|own| own == *word))
    };
    let mut numbers: Vec<f64> = MEANINGS.iter().map(|words| f64::from(u8::from(has(words)))).collect();
    let nothing = if numbers.iter().sum::<f64>() == 0.0 { 1.0 } else { 0.1 };
    numbers.push(nothing);
    if model == "second" {
        numbers.reverse();
    }
    numbers.into_iter().map(|number| json!(number)).collect()
}
