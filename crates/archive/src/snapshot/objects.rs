//! Archives in object stores: blocking requests from any thread.
//!
//! Stores are asynchronous, and searches are not: a search blocks the thread that it runs on. So requests run on
//! separate threads, and the caller waits for the response, on a thread of any kind.

use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};

use bytes::Bytes;
use delta_kernel::Engine;
use delta_kernel_default_engine::DefaultEngineBuilder;
use futures::stream::{self, StreamExt};
use object_store::path::Path as StorePath;
use object_store::prefix::PrefixStore;
use object_store::{OBJECT_STORE_COALESCE_DEFAULT, ObjectStore, ObjectStoreExt, coalesce_ranges};
use tokio::runtime::{Builder, Runtime};
use url::Url;

use super::reader::{FileReader, RemoteFile};
use super::storage::Storage;
use crate::error::ArchiveError;
use crate::options::StoreOptions;

/// The URL that the engines use for the location of any archive. With this ending of the host, the Delta kernel sorts
/// lists of files itself; not all stores sort them.
const URL: &str = "store://archive--x-s3/";

/// The number of small objects that are read at a time.
const AT_ONCE: usize = 32;

/// A location in an object store.
pub(crate) struct Objects {
    /// The store, with the location as prefix of all names.
    store: Arc<dyn ObjectStore>,
    /// The display name.
    path: Arc<Path>,
    /// The URL for the engines.
    url: Url,
    requests: Arc<Requests>,
}

/// The threads that run requests to the store.
struct Requests {
    /// `None` only while this value is dropped.
    runtime: Option<Runtime>,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The store may contain a password.
        f.debug_struct("Objects").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Drop for Requests {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Without waiting, which is forbidden on a thread of another runtime.
            runtime.shutdown_background();
        }
    }
}

impl Objects {
    pub(super) fn new(
        store: Arc<dyn ObjectStore>,
        prefix: StorePath,
        shown: PathBuf,
    ) -> Result<Self, ArchiveError> {
        let failed = |error| ArchiveError::io(&shown, error);
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("halfmove-store")
            .enable_all()
            .build()
            .map_err(failed)?;
        let url = Url::parse(URL).map_err(|error| failed(io::Error::other(error)))?;
        let store = Arc::new(PrefixStore::new(store, prefix));
        let requests = Arc::new(Requests { runtime: Some(runtime) });
        Ok(Self { store, path: shown.into(), url, requests })
    }

    /// The name of the object of a file.
    pub(super) fn at(&self, file: &Path) -> io::Result<StorePath> {
        let wrong =
            || io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of an object");
        let below = file.strip_prefix(&self.path).map_err(|_| wrong())?;
        let mut name = String::new();
        for part in below.components() {
            let Component::Normal(part) = part else { return Err(wrong()) };
            if !name.is_empty() {
                name.push('/');
            }
            name.push_str(part.to_str().ok_or_else(wrong)?);
        }
        StorePath::parse(name).map_err(|_| wrong())
    }
}

impl Requests {
    /// Waits for a request.
    fn wait<T: Send + 'static, E: Into<io::Error> + Send + 'static>(
        &self,
        request: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> io::Result<T> {
        let Some(runtime) = &self.runtime else { return Err(abandoned()) };
        let (sender, receiver) = mpsc::sync_channel(1);
        // A thread of a runtime must not block on a future, but it may wait for a channel.
        runtime.spawn(async move {
            let _ = sender.send(request.await);
        });
        receiver.recv().map_err(|_| abandoned())?.map_err(Into::into)
    }
}

impl Storage for Objects {
    fn path(&self) -> &Arc<Path> {
        &self.path
    }

    fn url(&self) -> &Url {
        &self.url
    }

    fn is_folder(&self) -> bool {
        false
    }

    /// The names of the objects and of the common prefixes below a folder.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let (store, at) = (Arc::clone(&self.store), self.at(folder)?);
        let found =
            self.requests.wait(async move { store.list_with_delimiter(Some(&at)).await })?;
        let objects = found.objects.into_iter().map(|object| object.location);
        let all = objects.chain(found.common_prefixes);
        Ok(all.filter_map(|at| at.filename().map(str::to_owned)).collect())
    }

    fn read(&self, file: &Path) -> io::Result<Bytes> {
        let (store, at) = (Arc::clone(&self.store), self.at(file)?);
        self.requests.wait(async move { store.get(&at).await?.bytes().await })
    }

    /// Reads many small objects, several at a time.
    fn read_all<'a>(
        &'a self,
        files: &'a [PathBuf],
    ) -> Box<dyn Iterator<Item = io::Result<Bytes>> + 'a> {
        Box::new(files.chunks(AT_ONCE).flat_map(|files| {
            let store = Arc::clone(&self.store);
            let names: io::Result<Vec<StorePath>> =
                files.iter().map(|file| self.at(file)).collect();
            let read = names.and_then(|names| {
                self.requests.wait(async move {
                    let reads = names.into_iter().map(|at| {
                        let store = Arc::clone(&store);
                        async move { store.get(&at).await?.bytes().await }
                    });
                    Ok::<_, io::Error>(
                        stream::iter(reads).buffered(AT_ONCE).collect::<Vec<_>>().await,
                    )
                })
            });
            match read {
                Ok(all) => all.into_iter().map(|bytes| Ok(bytes?)).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            }
        }))
    }

    fn open(&self, file: &Path) -> io::Result<FileReader> {
        Ok(FileReader::Remote(Arc::new(Object {
            store: Arc::clone(&self.store),
            requests: Arc::clone(&self.requests),
            at: self.at(file)?,
            length: OnceLock::new(),
            fetched: Mutex::default(),
        })))
    }

    fn base(&self) -> Option<Url> {
        Url::parse("store://archive/games/").ok()
    }

    fn below(&self, base: &Url, url: &Url) -> Option<PathBuf> {
        let base = StorePath::from_url_path(base.path()).ok()?;
        let at = StorePath::from_url_path(url.path()).ok()?;
        Some(at.prefix_match(&base)?.map(|part| part.as_ref().to_owned()).collect())
    }

    fn engine(&self) -> Arc<dyn Engine> {
        Arc::new(DefaultEngineBuilder::new(Arc::clone(&self.store)).build())
    }
}

/// An object that is being read.
struct Object {
    store: Arc<dyn ObjectStore>,
    requests: Arc<Requests>,
    at: StorePath,
    length: OnceLock<u64>,
    /// Bytes that have been fetched, each range with its start.
    fetched: Mutex<Vec<(u64, Bytes)>>,
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Object").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Object {
    /// The bytes of some ranges.
    fn ranges(&self, ranges: Vec<Range<u64>>) -> io::Result<Vec<Bytes>> {
        self.requests.wait(read_ranges(Arc::clone(&self.store), self.at.clone(), ranges))
    }
}

impl RemoteFile for Object {
    fn length(&self) -> io::Result<u64> {
        if let Some(length) = self.length.get() {
            return Ok(*length);
        }
        let (store, at) = (Arc::clone(&self.store), self.at.clone());
        let length =
            self.requests.wait(async move { store.head(&at).await.map(|found| found.size) })?;
        Ok(*self.length.get_or_init(|| length))
    }

    fn fetch(&self, mut ranges: Vec<Range<u64>>) -> io::Result<()> {
        ranges.retain(|range| range.start < range.end);
        let all = self.ranges(ranges.clone())?;
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        fetched.extend(ranges.iter().map(|range| range.start).zip(all));
        Ok(())
    }

    fn fetched(&self, start: u64) -> Option<Bytes> {
        let fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        fetched.iter().find_map(|(from, bytes)| {
            let skipped = usize::try_from(start.checked_sub(*from)?).ok()?;
            (skipped < bytes.len()).then(|| bytes.slice(skipped..))
        })
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        match self.fetched(range.start) {
            Some(bytes) if bytes.len() >= length => Ok(bytes.slice(..length)),
            _ => {
                let mut all = self.ranges(vec![range])?;
                all.pop().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        }
    }
}

/// The bytes of some ranges. Ranges that are close together are read by one request.
async fn read_ranges(
    store: Arc<dyn ObjectStore>,
    at: StorePath,
    ranges: Vec<Range<u64>>,
) -> io::Result<Vec<Bytes>> {
    let read = |range: Range<u64>| {
        let (store, at) = (&store, &at);
        async move {
            let length = range.end - range.start;
            let bytes = store.get_range(at, range).await?;
            // The object may have become shorter.
            let is_whole = bytes.len() as u64 == length;
            if is_whole { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        }
    };
    coalesce_ranges(&ranges, read, OBJECT_STORE_COALESCE_DEFAULT).await
}

/// The error if the thread of a request has ended early.
fn abandoned() -> io::Error {
    io::Error::other("a request to the object store was abandoned")
}

/// The store that a URL names, and the location in it.
pub(super) fn store_of(
    url: &Url,
    options: &StoreOptions,
) -> Result<(Arc<dyn ObjectStore>, StorePath), ArchiveError> {
    let refuse = |why: String| ArchiveError::Url { url: url.to_string(), why };
    let store = object_store::parse_url_opts(url, options.iter());
    let (store, prefix) = store.map_err(|error| refuse(error.to_string()))?;
    Ok((store.into(), prefix))
}
