//! Archives in object stores: blocking requests, whoever makes them.
//!
//! Stores are asynchronous, and searches are not: a search blocks the thread that it runs on. So requests run on threads of
//! their own, and whoever makes one waits for the answer, on a thread of any kind.

use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, mpsc};

use bytes::Bytes;
use delta_kernel::object_store::path::Path as StorePath;
use delta_kernel::object_store::prefix::PrefixStore;
use delta_kernel::object_store::{
    self, OBJECT_STORE_COALESCE_DEFAULT, ObjectStore, ObjectStoreExt, coalesce_ranges,
};
use futures::stream::{self, StreamExt};
use tokio::runtime::{Builder, Runtime};
use url::Url;

use super::reader::ObjectReader;
use crate::error::ArchiveError;
use crate::options::StoreOptions;

/// What the engines take for the place of any archive. The Delta kernel puts lists of files in order itself if a host has
/// such an ending; not all stores do.
const URL: &str = "store://archive--x-s3/";

/// How many small objects are read at a time.
const AT_ONCE: usize = 32;

/// A place in an object store.
pub(crate) struct Objects {
    /// With names that begin at this place.
    store: Arc<dyn ObjectStore>,
    /// What people call it.
    path: Arc<Path>,
    /// What the engines call it.
    url: Url,
    /// `None` only while this is dropped.
    runtime: Option<Runtime>,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A store may know a password.
        f.debug_struct("Objects").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Without waiting, which a thread of another runtime must not do.
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
        Ok(Self { store, path: shown.into(), url, runtime: Some(runtime) })
    }

    pub(super) fn path(&self) -> &Arc<Path> {
        &self.path
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn store(&self) -> &Arc<dyn ObjectStore> {
        &self.store
    }

    /// The name of the object that is a file.
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

    /// What stands for the place of an archive while a name in its log is resolved, so that leaving it is noticed.
    pub(super) fn base() -> Option<Url> {
        Url::parse("store://archive/games/").ok()
    }

    /// What is below that, from a URL.
    pub(super) fn below(base: &Url, url: &Url) -> Option<PathBuf> {
        let base = StorePath::from_url_path(base.path()).ok()?;
        let at = StorePath::from_url_path(url.path()).ok()?;
        Some(at.prefix_match(&base)?.map(|part| part.as_ref().to_owned()).collect())
    }

    /// Waits for a request.
    fn wait<T: Send + 'static, E: Into<io::Error> + Send + 'static>(
        &self,
        request: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> io::Result<T> {
        let Some(runtime) = &self.runtime else { return Err(abandoned()) };
        let (tell, told) = mpsc::sync_channel(1);
        // A thread of a runtime must not wait for a future, but it may wait for a channel.
        runtime.spawn(async move {
            let _ = tell.send(request.await);
        });
        told.recv().map_err(|_| abandoned())?.map_err(Into::into)
    }

    /// The names of the objects below a folder, and of what is like a folder there.
    pub(super) fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let (store, at) = (Arc::clone(&self.store), self.at(folder)?);
        let found = self.wait(async move { store.list_with_delimiter(Some(&at)).await })?;
        let objects = found.objects.into_iter().map(|object| object.location);
        let all = objects.chain(found.common_prefixes);
        Ok(all.filter_map(|at| at.filename().map(str::to_owned)).collect())
    }

    pub(super) fn read(&self, file: &Path) -> io::Result<Bytes> {
        let (store, at) = (Arc::clone(&self.store), self.at(file)?);
        self.wait(async move { store.get(&at).await?.bytes().await })
    }

    /// Reads many small objects, some at a time.
    pub(super) fn read_all<'a>(
        &'a self,
        files: &'a [PathBuf],
    ) -> impl Iterator<Item = io::Result<Bytes>> + 'a {
        files.chunks(AT_ONCE).flat_map(|files| {
            let store = Arc::clone(&self.store);
            let names: io::Result<Vec<StorePath>> =
                files.iter().map(|file| self.at(file)).collect();
            let read = names.and_then(|names| {
                self.wait(async move {
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
        })
    }

    pub(super) fn open(self: &Arc<Self>, file: &Path) -> io::Result<ObjectReader> {
        Ok(ObjectReader::new(Arc::clone(self), self.at(file)?))
    }

    /// The length of an object.
    pub(super) fn length(&self, at: &StorePath) -> io::Result<u64> {
        let (store, at) = (Arc::clone(&self.store), at.clone());
        self.wait(async move { store.head(&at).await.map(|found| found.size) })
    }

    /// The bytes in some ranges of an object, all of them.
    pub(super) fn ranges(&self, at: &StorePath, ranges: Vec<Range<u64>>) -> io::Result<Vec<Bytes>> {
        self.wait(read_ranges(Arc::clone(&self.store), at.clone(), ranges))
    }

    /// Like [`Objects::ranges`], without blocking.
    pub(crate) async fn ranges_async(
        &self,
        at: StorePath,
        ranges: Vec<Range<u64>>,
    ) -> io::Result<Vec<Bytes>> {
        let Some(runtime) = &self.runtime else { return Err(abandoned()) };
        let read = runtime.spawn(read_ranges(Arc::clone(&self.store), at, ranges));
        read.await.map_err(|_| abandoned())?
    }
}

/// The bytes in some ranges. Ranges that are close to each other are read by one request.
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
            // An object may be shorter than it was.
            let is_whole = bytes.len() as u64 == length;
            if is_whole { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        }
    };
    coalesce_ranges(&ranges, read, OBJECT_STORE_COALESCE_DEFAULT).await
}

/// The thread of a request has ended early.
fn abandoned() -> io::Error {
    io::Error::other("a request to the object store was abandoned")
}

/// The schemes of stores.
const SCHEMES: [&str; 10] =
    ["s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss", "http", "https"];

/// The store that a URL names, and the place in it.
pub(super) fn store_of(
    url: &Url,
    options: &StoreOptions,
) -> Result<(Arc<dyn ObjectStore>, StorePath), ArchiveError> {
    let refuse = |why: String| ArchiveError::Url { url: url.to_string(), why };
    if !SCHEMES.contains(&url.scheme()) {
        return Err(refuse(format!(
            "its scheme is unknown, expected one of file, {}",
            SCHEMES.join(", ")
        )));
    }
    if !cfg!(feature = "object-store") {
        let why = "this program was built without object stores: build it with the feature \
                   object-store, or copy the archive to a folder";
        return Err(refuse(why.to_owned()));
    }
    let store = object_store::parse_url_opts(url, options.iter());
    let (store, prefix) = store.map_err(|error| refuse(error.to_string()))?;
    Ok((store.into(), prefix))
}
