//! Output files: written completely or not at all, and never over an input. A file whose name ends in `.zst` or `.gz` is
//! compressed.

use crate::interrupt::Removal;
use crate::output::Advised;
use anyhow::{Context, anyhow, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use same_file::Handle;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that gets its name when it is complete. Until then it has a unique temporary name that begins with a
/// dot. A device or a pipe is written directly.
pub(crate) struct NewFile {
    /// The path as the user has given it.
    path: PathBuf,
    out: Packed,
}

/// The file, with a compressor if it is to be compressed.
enum Packed {
    Plain(BufWriter<Target>),
    Zstd(zstd::Encoder<'static, BufWriter<Target>>),
    Gzip(GzEncoder<BufWriter<Target>>),
}

enum Target {
    /// A temporary file that is renamed to the path, or replaces the file there with `force`.
    Unfinished {
        file: NamedTempFile,
        behind: PathBuf,
        force: bool,
    },
    Direct(File),
}

impl NewFile {
    /// Begins a file. It must not be one of `inputs`, nor inside an archive. An existing file is replaced only with
    /// `force`.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf], force: bool) -> anyhow::Result<Self> {
        let Place { ending, behind, folder, existing } = Place::find(path, inputs, force)?;
        let cannot = || format!("cannot write {}", path.display());
        let target = match folder {
            Some(folder) => {
                let mut builder = tempfile::Builder::new();
                builder.prefix(".halfmove-").suffix(".part");
                let permissions =
                    existing.map_or_else(usual_permissions, |data| Some(data.permissions()));
                if let Some(permissions) = permissions {
                    builder.permissions(permissions);
                }
                let removal = Removal::begin().context("cannot listen to signals")?;
                // The text of this error would name the temporary file.
                let file =
                    builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()));
                let file = file.with_context(cannot)?;
                removal.of(file.path().to_owned()).context("cannot start a thread")?;
                Target::Unfinished { file, behind, force }
            }
            None => Target::Direct(File::create(path).with_context(cannot)?),
        };
        let out = BufWriter::with_capacity(1 << 16, target);
        let out = Packed::new(&ending, out).with_context(cannot)?;
        Ok(Self { path: path.to_owned(), out })
    }

    /// Returns the error with which [`create`](Self::create) would refuse the file.
    pub(crate) fn check(path: &Path, inputs: &[PathBuf], force: bool) -> anyhow::Result<()> {
        Place::find(path, inputs, force).map(drop)
    }

    /// Completes the file, and gives it its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        let target = self.out.finish().with_context(cannot)?;
        if let Target::Unfinished { file, behind, force } = target {
            file.as_file().sync_all().with_context(cannot)?;
            let named = match force {
                true => file.persist(behind),
                false => file.persist_noclobber(behind),
            };
            match named.map_err(|error| error.error) {
                // Another program has created it in the meantime.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(exists(&self.path));
                }
                named => named.with_context(cannot)?,
            };
        }
        Ok(())
    }
}

/// The place of a new file.
struct Place {
    /// The ending of its name, in lower case.
    ending: OsString,
    behind: PathBuf,
    /// `None` for a device or a pipe.
    folder: Option<PathBuf>,
    existing: Option<fs::Metadata>,
}

impl Place {
    fn find(path: &Path, inputs: &[PathBuf], force: bool) -> anyhow::Result<Self> {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ending == "bz2" {
            let error = anyhow!("{}: bzip2 can only be read", path.display());
            return Err(Advised::new(error, "to compress the file: .zst or .gz").into());
        }
        let behind = behind_links(path);
        let same = |input: &PathBuf| match input.to_str() {
            Some("-") => is_standard_input(&behind),
            _ => input.canonicalize().is_ok_and(|input| input == behind),
        };
        // The system's own link to a pipe has no target path.
        let existing = fs::metadata(path).ok();
        let is_regular = existing.as_ref().is_none_or(fs::Metadata::is_file);
        if is_regular && inputs.iter().any(same) {
            bail!("{}: this file is being read, expected another one to write to", path.display());
        }
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            let is_archive = path.join("_delta_log").is_dir();
            let what = if is_archive { "this folder is an archive" } else { "this is a folder" };
            bail!("{}: {what}, expected a file", path.display());
        }
        let is_protected =
            existing.as_ref().is_some_and(|data| is_regular && data.permissions().readonly());
        if is_protected && force {
            bail!("{}: this file is write-protected", path.display());
        }
        if !is_regular {
            return Ok(Self { ending, behind, folder: None, existing });
        }
        let folder = behind.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let whole = folder.canonicalize().with_context(|| match fs::read_link(path) {
            Ok(target) => format!(
                "cannot write {}: it is a link to {}, whose folder does not exist",
                path.display(),
                target.display()
            ),
            Err(_) => format!("cannot write {}, because there is no such folder", path.display()),
        })?;
        if let Some(archive) = whole.ancestors().find(|f| f.join("_delta_log").is_dir()) {
            bail!(
                "{}: this folder is an archive, expected a file outside of it",
                archive.display()
            );
        }
        if existing.is_some() && !force {
            return Err(exists(path));
        }
        Ok(Self { ending, behind, folder: Some(folder), existing })
    }
}

impl Packed {
    /// Compresses according to the ending of the name.
    fn new(ending: &OsStr, out: BufWriter<Target>) -> io::Result<Self> {
        Ok(match ending.as_encoded_bytes() {
            b"zst" => {
                let mut out = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                out.include_checksum(true)?;
                Self::Zstd(out)
            }
            b"gz" => Self::Gzip(GzEncoder::new(out, Compression::default())),
            _ => Self::Plain(out),
        })
    }

    /// Ends the compression.
    fn finish(self) -> io::Result<Target> {
        let out = match self {
            Self::Plain(out) => out,
            Self::Zstd(out) => out.finish()?,
            Self::Gzip(out) => out.finish()?,
        };
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Zstd(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            // A flush would begin a new block, and the file is not read before it is complete.
            Self::Zstd(_) | Self::Gzip(_) => Ok(()),
        }
    }
}

impl NewFile {
    /// An error with the name of the file that could not be written.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.path.display()))
    }
}

/// The error for an existing file that may not be replaced.
fn exists(path: &Path) -> anyhow::Error {
    let error = anyhow!("{}: this file exists, and stays as it is", path.display());
    Advised::new(error, "give another name, or --force to replace it").into()
}

/// The file that a path leads to: the target of a link, even if it does not exist yet.
fn behind_links(path: &Path) -> PathBuf {
    let mut behind = path.to_owned();
    // As many links as Linux follows.
    for _ in 0..40 {
        match (behind.canonicalize(), fs::read_link(&behind)) {
            (Ok(file), _) => return file,
            (_, Ok(target)) => behind = behind.with_file_name("").join(target),
            (_, Err(_)) => return behind,
        }
    }
    behind
}

/// Returns true if standard input reads this file.
fn is_standard_input(path: &Path) -> bool {
    matches!((Handle::stdin(), Handle::from_path(path)), (Ok(input), Ok(named)) if input == named)
}

/// The usual permissions of a new file. A temporary file is private to its owner.
fn usual_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // The errors of its own `write` would name it.
            Target::Unfinished { file, .. } => file.as_file_mut().write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Unfinished { file, .. } => file.as_file_mut().flush(),
            Target::Direct(file) => file.flush(),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| self.named(error))
    }
}
