//! Streamed responses. Each is written on a separate thread, which ends when the client disconnects.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

/// The writing end of a streamed response.
#[derive(Debug, Clone)]
pub(crate) struct Sink(mpsc::Sender<io::Result<Bytes>>);

/// The client has disconnected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

impl Sink {
    /// Waits until there is room, and writes some bytes.
    pub(crate) fn send(&self, bytes: impl Into<Bytes>) -> Result<(), Gone> {
        self.0.blocking_send(Ok(bytes.into())).map_err(|_| Gone)
    }

    /// Aborts the stream, so that the client does not take it for a complete response.
    pub(crate) fn fail(&self, error: impl std::fmt::Display) {
        let _ = self.0.blocking_send(Err(io::Error::other(error.to_string())));
    }

    /// An event of `text/event-stream`.
    pub(crate) fn event(&self, name: &str, data: &serde_json::Value) -> Result<(), Gone> {
        self.send(format!("event: {name}\ndata: {data}\n\n"))
    }
}

/// The number of pieces that wait for a slow reader.
const WAITING: usize = 4;

/// A response body that `write` writes, and a value that is dropped when the body has been sent or the client
/// disconnects.
pub(crate) fn written<G: Send + Unpin + 'static>(
    guard: G,
    write: impl FnOnce(&Sink) + Send + 'static,
) -> Body {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let sink = Sink(sender);
        // The end of the thread alone would look like the end of the response.
        if catch_unwind(AssertUnwindSafe(|| write(&sink))).is_err() {
            sink.fail("the server failed on this request");
        }
    });
    Body::from_stream(Guarded { inner: ReceiverStream::new(receiver), _guard: guard })
}

/// A stream, and a value that is dropped with it.
struct Guarded<G> {
    inner: ReceiverStream<io::Result<Bytes>>,
    _guard: G,
}

impl<G: Unpin> Stream for Guarded<G> {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.inner).poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use http_body_util::BodyExt as _;

    /// The client of a response that could not be completed gets an error, not an end.
    #[test]
    fn a_panic_breaks_the_answer_off() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let whole = written((), |sink| sink.send("all").unwrap()).collect().await;
            assert_eq!(whole.unwrap().to_bytes(), "all");
            let broken = written((), |sink| {
                sink.send("some").unwrap();
                panic!("a fault");
            });
            assert!(broken.collect().await.is_err());
        });
    }
}
