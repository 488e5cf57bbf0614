//! State that all requests share: the archives, the limits, and the threads on which searches run.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use halfmove_archive::{Archive, CancelToken};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::answers::{Answers, CacheKey, answers};
use crate::archives::Archives;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::problem::Problem;

/// The state of the server.
#[derive(Clone)]
pub(crate) struct State(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) archives: Archives,
    pub(crate) options: Options,
    pub(crate) metrics: Metrics,
    answers: Answers,
    /// The number of cores.
    cores: usize,
    /// Searches at once.
    searches: Arc<Semaphore>,
    /// Requests that wait for a search or run one.
    waiting: AtomicUsize,
    /// Searches of the engine at once.
    pub(crate) engines: Arc<Semaphore>,
    /// Downloads of many games at once.
    downloads: Arc<Semaphore>,
    /// Queries in SQL at once.
    queries: Arc<Semaphore>,
    /// One change at a time.
    pub(crate) changes: Arc<Semaphore>,
}

impl std::ops::Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Cancels the search of a request when the client disconnects, or at the timeout.
pub(crate) struct Cancelling(pub(crate) CancelToken);

impl Drop for Cancelling {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Counts a request among those that wait.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl State {
    pub(crate) fn new(archives: Archives, options: Options) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let limits = options.limits;
        Self(Arc::new(Shared {
            archives,
            metrics: Metrics::default(),
            answers: answers(),
            cores: cores(),
            searches: semaphore(limits.searches),
            waiting: AtomicUsize::new(0),
            engines: semaphore(limits.engines),
            downloads: semaphore(limits.downloads),
            queries: semaphore(limits.queries),
            changes: semaphore(1),
            options,
        }))
    }

    /// The last id of an archive, as it is now.
    pub(crate) fn last_id(&self, number: usize) -> Result<i64, Problem> {
        Ok(self.archives.current(number)?.0.last_id())
    }

    /// Queues a query of an archive, and runs it on a thread that may block, within the time limit. If the request is
    /// dropped, its search ends.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        number: usize,
        answer: impl FnOnce(&Archive) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.ask_version(number, |archive, _| answer(archive)).await
    }

    /// Answers a question with JSON. With a text of all that it depends on, the answer is kept for the next request with this
    /// question, until the archive changes.
    pub(crate) async fn ask_once<T: Serialize>(
        &self,
        number: usize,
        text: Option<String>,
        answer: impl FnOnce(&Archive) -> Result<T, Problem> + Send + 'static,
    ) -> Result<Bytes, Problem> {
        let json = |archive: &Archive| {
            let json = serde_json::to_vec(&answer(archive)?);
            Ok(Bytes::from(json.map_err(|_| failed())?))
        };
        let Some(text) = text else { return self.ask(number, json).await };
        let mut key = CacheKey { archive: (number, 0), text };
        if let Some(version) = self.archives.known_version(number) {
            key.archive.1 = version;
            if let Some(kept) = self.answers.get(&key) {
                return Ok(kept);
            }
        }
        let state = self.clone();
        let answer = move |archive: &Archive, version| {
            key.archive.1 = version;
            // Of several requests with the same question at once, one is computed.
            state.answers.get_or_insert_with(&key, || json(archive))
        };
        self.ask_version(number, answer).await
    }

    async fn ask_version<T: Send + 'static>(
        &self,
        number: usize,
        answer: impl FnOnce(&Archive, u64) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let token = CancelToken::default();
        let cancelling = Cancelling(token.clone());
        let state = self.clone();
        let answer = self.block(move || {
            let (archive, version) = state.archives.current(number)?;
            // One search alone may use all cores; of many at once, each is faster on one thread.
            let others = state.waiting.load(Ordering::Relaxed);
            let threads =
                NonZero::new(state.cores / others.max(1)).unwrap_or(NonZero::<usize>::MIN);
            answer(&archive.with_cancel(&token).with_threads(threads), version)
        });
        let answer = answer.await;
        drop(cancelling);
        answer
    }

    /// Queues work, and runs it on a thread that may block, within the time limit. The work itself is not stopped.
    pub(crate) async fn block<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let limits = self.options.limits;
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= limits.waiting {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(Problem::busy());
        }
        let _waiting = Waiting(&self.waiting);
        let searches = Arc::clone(&self.searches);
        let run = async move {
            let permit = searches.acquire_owned().await.map_err(|_| Problem::busy())?;
            let task = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                work()
            });
            task.await.unwrap_or_else(|_| Err(failed()))
        };
        tokio::time::timeout(limits.time, run).await.unwrap_or_else(|_| Err(Problem::too_slow()))
    }

    /// Runs a query in SQL on a thread that may block, within the time allowed. It takes no turn of a search, so that searches
    /// are answered while queries run.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let task = tokio::task::spawn_blocking(work);
        match tokio::time::timeout(self.options.limits.time, task).await {
            Ok(done) => done.unwrap_or_else(|_| Err(failed())),
            Err(_) => Err(Problem::query_too_slow(self.options.limits.time)),
        }
    }

    /// The numbers of searches, queries and downloads that run now, by their names in the metrics.
    pub(crate) fn running(&self) -> [(&'static str, usize); 4] {
        let limits = &self.options.limits;
        let running = |limit: usize, free: &Semaphore| limit - free.available_permits();
        [
            ("search", running(limits.searches, &self.searches)),
            ("query", running(limits.queries, &self.queries)),
            ("engine", running(limits.engines, &self.engines)),
            ("download", running(limits.downloads, &self.downloads)),
        ]
    }

    /// Permission for a download, if not too many are running.
    pub(crate) fn download(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.downloads).try_acquire_owned().map_err(|_| Problem::busy())
    }

    /// Permission for a query in SQL, if not too many are running.
    pub(crate) fn query(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.queries).try_acquire_owned().map_err(|_| Problem::busy())
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The problem of work that has panicked.
fn failed() -> Problem {
    let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
    Problem::new(status, "the server failed on this request")
}

/// Limits on the resources of each request, and of all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The number of searches at once; the default is the number of cores.
    pub searches: usize,
    /// The number of requests that may wait for a search or run one; others are rejected with status 503. The default
    /// is 512.
    pub waiting: usize,
    /// The time for a search, with the time that it waits; the default is 30 seconds.
    pub time: Duration,
    /// The number of searches of the engine at once; the default is 2.
    pub engines: usize,
    /// The number of downloads of many games at once; the default is 4.
    pub downloads: usize,
    /// The number of queries in SQL at once; the default is 2.
    pub queries: usize,
    /// The memory in bytes of the sorts, groups and joins of a query in SQL; the default is 128 MiB.
    pub query_bytes: usize,
    /// The number of connections; a new one replaces the oldest that has not yet sent a request. The default is 1,024.
    pub connections: usize,
    /// The time for a client to send the head of a request; the default is 10 seconds.
    pub head: Duration,
    /// The time for a client to receive some bytes of a response; the default is 30 seconds.
    pub write: Duration,
    /// The size in bytes of the body of an import; the default is 1 GiB.
    pub body: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            searches: cores(),
            waiting: 512,
            time: Duration::from_secs(30),
            engines: 2,
            downloads: 4,
            queries: 2,
            query_bytes: 128 << 20,
            connections: 1024,
            head: Duration::from_secs(10),
            write: Duration::from_secs(30),
            body: 1 << 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, State};
    use crate::{Archives, Options};
    use halfmove_archive::{Archive, Filter};
    use std::time::Duration;
    use tokio::sync::oneshot;

    /// All searches run through `ask`. This one repeats until it is cancelled.
    #[test]
    fn a_dropped_request_stops_its_search() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path().join("club")).unwrap();
        let mut importer = archive.importer();
        importer.push(&halfmove_game::Game::default(), None).unwrap();
        importer.commit().unwrap();
        let archive = archive.refresh().unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let state = State::new(Archives::new([("club".to_owned(), archive)]), Options::default());
        let (begin, begun) = oneshot::channel();
        let (stop, stopped) = oneshot::channel();
        let status = runtime.block_on(async {
            let request = tokio::spawn(async move {
                let search = state.ask(0, move |archive| {
                    begin.send(archive.count(&Filter::default())?).unwrap();
                    loop {
                        if let Err(error) = archive.search(&Filter::default(), 10) {
                            let problem = Problem::from(error);
                            stop.send(problem.status).unwrap();
                            return Err::<(), Problem>(problem);
                        }
                    }
                });
                search.await
            });
            let begun = begun.await;
            request.abort();
            (begun, tokio::time::timeout(Duration::from_secs(60), stopped).await)
        });
        runtime.shutdown_background();
        let (begun, stopped) = status;
        assert_eq!(begun, Ok(1));
        assert_eq!(stopped.expect("the search goes on"), Ok(504));
    }
}
