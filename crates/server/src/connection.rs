//! Connections: their number is bounded, and there are timeouts for sending a request head and for receiving a
//! response.

use std::collections::VecDeque;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_io_timeout::TimeoutStream;
use tower_service::Service as _;

use crate::app;
use crate::archives::Archives;
use crate::options::{Limits, Options};

/// The size of the head of a request in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// The interval at which a server checks whether it should stop.
const POLL: Duration = Duration::from_millis(50);

/// The time for requests in progress to complete when a server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Serves archives until `is_stopped` returns true; then it accepts no more connections, and requests in progress have five
/// seconds to end. It blocks.
///
/// # Errors
///
/// The threads cannot be started, or the listener cannot be used.
pub fn run(
    listener: TcpListener,
    archives: Archives,
    options: Options,
    is_stopped: impl Fn() -> bool,
) -> io::Result<()> {
    let limits = options.limits;
    let router = app(archives, options);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("halfmove-server")
        .build()?;
    let served = runtime.block_on(serve(listener, router, &limits, is_stopped));
    // Searches that are still running are not awaited.
    runtime.shutdown_timeout(POLL);
    served
}

/// A connection, and true once it has sent a request.
struct Open {
    task: JoinHandle<()>,
    has_asked: Arc<AtomicBool>,
}

async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    is_stopped: impl Fn() -> bool,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let graceful = GracefulShutdown::new();
    let mut open: VecDeque<Open> = VecDeque::new();
    while !is_stopped() {
        let Ok(accepted) = tokio::time::timeout(POLL, listener.accept()).await else { continue };
        let Ok((stream, _)) = accepted else {
            // For example, too many open files; others may be closed soon.
            tokio::time::sleep(POLL).await;
            continue;
        };
        if open.len() >= limits.connections {
            open.retain(|open| !open.task.is_finished());
        }
        if open.len() >= limits.connections {
            let idle = open.iter().position(|open| !open.has_asked.load(Ordering::Relaxed));
            match idle.and_then(|idle| open.remove(idle)) {
                Some(oldest) => oldest.task.abort(),
                None => continue,
            }
        }
        let has_asked = Arc::new(AtomicBool::new(false));
        let task = answer(stream, router.clone(), limits, &graceful, Arc::clone(&has_asked));
        open.push_back(Open { task, has_asked });
    }
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
    Ok(())
}

/// Handles the requests of a connection.
fn answer(
    stream: TcpStream,
    router: Router,
    limits: &Limits,
    graceful: &GracefulShutdown,
    has_asked: Arc<AtomicBool>,
) -> JoinHandle<()> {
    // Small responses are sent at once.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write));
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        has_asked.store(true, Ordering::Relaxed);
        let mut router = router.clone();
        async move { router.call(request.map(Body::new)).await }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // A client that disconnects or sends no request is not an error of the server.
        let _ = connection.await;
    })
}
