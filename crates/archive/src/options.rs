//! What an open archive may use.

use std::ffi::OsString;
use std::num::NonZero;

/// What questions to an archive may use.
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
    /// What object stores want to know, such as keys; the default is nothing. Folders need none of it.
    pub store: StoreOptions,
    /// The number of threads that work on a question; the default is the number of cores.
    pub threads: NonZero<usize>,
    /// The number of bytes of columns that stay in memory between questions about positions: about 130 a game for all of them.
    /// The default is 512 MiB.
    pub cache_bytes: u64,
    /// The number of bytes of games that may be gathered in memory to put them in the order of their ids, which takes one more pass
    /// over files in another order for each such block. The default is 128 MiB.
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

/// What the object stores of some services want to know: keys, regions, addresses.
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
    /// How the variables of the services begin.
    const PREFIXES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

    /// Takes what is named as the programs of the services name it, such as `AWS_ACCESS_KEY_ID`, `AWS_REGION` and
    /// `AWS_ENDPOINT_URL`, and passes over everything else. The crate `object_store` documents the names.
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
        // The values may be keys.
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}
