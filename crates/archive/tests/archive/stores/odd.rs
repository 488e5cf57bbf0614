//! A store with a fault.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use futures::stream::{self, BoxStream, StreamExt};
use halfmove_archive::object_store::memory::InMemory;
use halfmove_archive::object_store::path::Path as StorePath;
use halfmove_archive::object_store::{
    self, CopyOptions, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload,
    PutResult,
};

/// A store with a fault.
#[derive(Debug)]
pub(super) struct Odd {
    pub(super) store: Arc<InMemory>,
    pub(super) how: How,
    /// The number of requests so far.
    pub(super) requests: AtomicU64,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum How {
    /// It lists objects in the reverse order.
    Backwards,
    /// After some requests, each one fails.
    Fails(u64),
    /// After some requests, each one returns only the first half.
    IsShort(u64),
}

impl Odd {
    /// Counts a request, and returns true if the fault applies to it.
    fn is_odd(&self) -> bool {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        matches!(self.how, How::Fails(after) | How::IsShort(after) if number >= after)
    }

    fn request(&self) -> object_store::Result<()> {
        match self.is_odd() && matches!(self.how, How::Fails(_)) {
            true => Err(object_store::Error::Generic { store: "odd", source: "too bad".into() }),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.store, f)
    }
}

#[async_trait]
impl ObjectStore for Odd {
    async fn put_opts(
        &self,
        _: &StorePath,
        _: PutPayload,
        _: PutOptions,
    ) -> object_store::Result<PutResult> {
        panic!("nothing is written")
    }

    async fn put_multipart_opts(
        &self,
        _: &StorePath,
        _: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        panic!("nothing is written")
    }

    async fn get_opts(
        &self,
        at: &StorePath,
        options: GetOptions,
    ) -> object_store::Result<GetResult> {
        let is_head = options.head;
        let is_odd = self.is_odd();
        if is_odd && matches!(self.how, How::Fails(_)) {
            return Err(object_store::Error::Generic { store: "odd", source: "too bad".into() });
        }
        assert!(
            !matches!(options.range, Some(GetRange::Bounded(Range { start, end })) if start > end)
        );
        let found = self.store.get_opts(at, options).await?;
        if !is_odd || is_head || matches!(self.how, How::Backwards) {
            return Ok(found);
        }
        let (meta, attributes) = (found.meta.clone(), found.attributes.clone());
        let bytes = found.bytes().await?;
        let bytes = bytes.slice(..bytes.len() / 2);
        let range = 0..bytes.len() as u64;
        let payload = GetResultPayload::Stream(stream::iter([Ok(bytes)]).boxed());
        Ok(GetResult { payload, meta, range, attributes })
    }

    fn delete_stream(
        &self,
        _: BoxStream<'static, object_store::Result<StorePath>>,
    ) -> BoxStream<'static, object_store::Result<StorePath>> {
        panic!("nothing is deleted")
    }

    fn list(
        &self,
        prefix: Option<&StorePath>,
    ) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        if let Err(error) = self.request() {
            return stream::iter([Err(error)]).boxed();
        }
        let all = self.store.list(prefix).collect::<Vec<_>>();
        stream::once(all).flat_map(|all| stream::iter(all.into_iter().rev())).boxed()
    }

    async fn list_with_delimiter(
        &self,
        prefix: Option<&StorePath>,
    ) -> object_store::Result<ListResult> {
        self.request()?;
        let mut found = self.store.list_with_delimiter(prefix).await?;
        found.objects.reverse();
        Ok(found)
    }

    async fn copy_opts(
        &self,
        _: &StorePath,
        _: &StorePath,
        _: CopyOptions,
    ) -> object_store::Result<()> {
        panic!("nothing is copied")
    }
}
