//! Options of an open archive.

use std::ffi::OsString;
use std::num::NonZero;

/// The options of an open archive: limits on resources, and settings of object stores.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::num::NonZero;
///
/// use halfmove_archive::{Archive, ArchiveOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games");
/// # Archive::create(&path)?;
/// let mut options = ArchiveOptions::default();
/// options.threads = NonZero::<usize>::MIN;
/// options.cache_bytes = 64 << 20;
/// let archive = Archive::open_with(&path, &options)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// Settings of object stores, such as keys; the default is none. Folders need none.
    pub store: StoreOptions,
    /// The number of threads that work on a query; the default is the number of cores.
    pub threads: NonZero<usize>,
    /// The size of the column cache in bytes. The columns used in searches for positions take about 130 bytes per game.
    /// The default is 512 MiB.
    pub cache_bytes: u64,
    /// The maximum size in bytes of a block of games that is sorted by id in memory. A file in another order is read
    /// once per block. The default is 128 MiB.
    pub block_bytes: u64,
}

impl Default for ArchiveOptions {
    fn default() -> Self {
        Self {
            store: StoreOptions::default(),
            threads: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            cache_bytes: 512 << 20,
            block_bytes: 128 << 20,
        }
    }
}

/// Settings of the object stores of some services: keys, regions, addresses.
///
/// ```
/// use halfmove_archive::{ArchiveOptions, StoreOptions};
///
/// let mut options = ArchiveOptions::default();
/// options.store = StoreOptions::from_variables(std::env::vars_os());
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct StoreOptions(Vec<(String, String)>);

impl StoreOptions {
    /// The prefixes of the services' environment variables.
    const PREFIXES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

    /// Selects the settings from environment variables, such as `AWS_ACCESS_KEY_ID`, `AWS_REGION` and
    /// `AWS_ENDPOINT_URL`, and ignores all other variables. The names are documented in the crate `object_store`.
    pub fn from_variables(
        variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>,
    ) -> Self {
        let text = |text: OsString| text.into_string().ok();
        let known = variables.into_iter().filter_map(|(name, value)| {
            let (name, value) = (text(name.into())?, text(value.into())?);
            Self::PREFIXES.iter().any(|prefix| name.starts_with(prefix)).then_some((name, value))
        });
        Self(known.collect())
    }

    #[cfg(feature = "object-store")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl std::fmt::Debug for StoreOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The values may be secret.
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}
