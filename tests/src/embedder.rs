//! An embedder that speaks as OpenAI's does, and does what a test wants of it.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, web};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};

/// Words that mean the same; each line is a direction.
const MEANINGS: [&[&str]; 6] = [
    &["car", "automobile", "vehicle", "drives"],
    &["doctor", "physician", "surgeon"],
    &["refund", "reimburse", "money", "repay"],
    &["deploy", "release", "ship", "rollout"],
    &["cat", "kitten", "feline"],
    &["holiday", "vacation", "leave"],
];

/// How it feels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// It embeds.
    #[default]
    Well,
    /// It answers 500.
    Broken,
    /// It answers 429, and asks to be left alone for a second.
    Busy,
    /// It never answers.
    Hanging,
    /// Its vectors are shorter than they were.
    Short,
    /// It answers one vector, however many texts there are.
    Lost,
    /// It answers something else.
    Foreign,
}

/// One that runs.
pub struct StubEmbedder {
    address: String,
    state: Arc<State>,
    server: ServerHandle,
}

#[derive(Default)]
struct State {
    mood: Mutex<Mood>,
    texts: Mutex<Vec<String>>,
    keys: Mutex<Vec<String>>,
}

#[derive(Deserialize)]
struct Request {
    model: String,
    input: Vec<String>,
}

impl StubEmbedder {
    /// At a port that was free.
    ///
    /// # Panics
    /// When it does not start.
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

    /// What `embedder` is set to: `http://127.0.0.1:<port>/v1`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// From now on it feels like this.
    pub fn feels(&self, mood: Mood) {
        *self.state.mood.lock() = mood;
    }

    /// Every text that it was asked to embed.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.state.texts.lock().clone()
    }

    /// Every value of `Authorization` that it was shown.
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

/// A hub that has one model, by the name `stub/model`.
pub struct StubHub {
    address: String,
    server: ServerHandle,
}

impl StubHub {
    /// At a port that was free, with the files of this folder.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("http://{}", listener.local_addr().expect("it has an address"));
        let folder = web::Data::new(folder.to_owned());
        let file = async |folder: web::Data<std::path::PathBuf>, name: web::Path<String>| {
            let bytes = tokio::fs::read(folder.join(name.as_str())).await;
            bytes.map_or_else(|_| HttpResponse::NotFound().finish(), |bytes| HttpResponse::Ok().body(bytes))
        };
        let app =
            move || App::new().app_data(folder.clone()).route("/stub/model/resolve/main/{name}", web::get().to(file));
        let server = HttpServer::new(app).workers(1).disable_signals().shutdown_timeout(0).listen(listener);
        let server = server.expect("it listens").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { address, server: handle }
    }

    /// What `embedding.hub` is set to.
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
    let mood = *state.mood.lock();
    let texts = match mood {
        Mood::Broken => return HttpResponse::InternalServerError().body("out of order"),
        Mood::Busy => return HttpResponse::TooManyRequests().insert_header(("retry-after", "1")).body("slow down"),
        Mood::Foreign => return HttpResponse::Ok().json(json!({"hello": "world"})),
        Mood::Hanging => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            return HttpResponse::Ok().finish();
        }
        Mood::Lost => &request.input[..1],
        Mood::Well | Mood::Short => &request.input[..],
    };
    if request.input.iter().any(|text| text.contains("unbearable")) {
        return HttpResponse::BadRequest().json(json!({"error": {"message": "this text is unbearable"}}));
    }
    let length = if mood == Mood::Short { 3 } else { MEANINGS.len() + 1 };
    let one = |(index, text): (usize, &String)| {
        let vector: Vec<Value> = vector(&request.model, text).into_iter().take(length).collect();
        json!({"object": "embedding", "index": index, "embedding": vector})
    };
    // in whichever order
    let data: Vec<Value> = texts.iter().enumerate().map(one).rev().collect();
    HttpResponse::Ok().json(json!({"object": "list", "model": request.model, "data": data}))
}

/// One direction for each meaning, and one for what means nothing known. Another model's space is another.
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
