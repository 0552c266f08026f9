//! "Hello": a constant response of the HTTP framework.

use std::time::Duration;

use actix_web::{App, HttpServer, web};

use crate::error::Outcome;

/// Serves until it is killed; prints its address.
pub(crate) fn serve() -> Outcome<()> {
    actix_web::rt::System::new().block_on(async {
        let app = || App::new().route("/", web::get().to(|| async { "hello" }));
        let workers = std::thread::available_parallelism().map_or(1, Into::into);
        let server = HttpServer::new(app).workers(workers).keep_alive(Duration::from_secs(75));
        let server = server.bind(("127.0.0.1", 0))?;
        for address in server.addrs() {
            println!("hello listens on http://{address}");
        }
        server.run().await
    })?;
    Ok(())
}
