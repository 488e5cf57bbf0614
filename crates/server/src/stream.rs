//! Answers that are written while they are sent. What writes them runs on a thread of its own and ends when the client is gone.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

/// The end of a stream at which an answer is written.
#[derive(Debug, Clone)]
pub(crate) struct Sink(mpsc::Sender<io::Result<Bytes>>);

/// The reader of a stream is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

impl Sink {
    /// Waits until there is room, and writes some bytes.
    pub(crate) fn send(&self, bytes: impl Into<Bytes>) -> Result<(), Gone> {
        self.0.blocking_send(Ok(bytes.into())).map_err(|_| Gone)
    }

    /// Breaks the stream off, so that its reader does not take it for a whole answer.
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

/// The body of an answer that `write` writes, and something that is dropped with it, when it has been sent or its reader is gone.
pub(crate) fn written<G: Send + Unpin + 'static>(
    guard: G,
    write: impl FnOnce(&Sink) + Send + 'static,
) -> Body {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let sink = Sink(sender);
        // The end of the thread alone would look like the end of the answer.
        if catch_unwind(AssertUnwindSafe(|| write(&sink))).is_err() {
            sink.fail("the server failed on this request");
        }
    });
    Body::from_stream(Guarded { inner: ReceiverStream::new(receiver), _guard: guard })
}

/// A stream with something that lives as long.
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

    /// A reader of an answer that could not be finished gets an error, not an end.
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
