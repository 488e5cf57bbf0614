//! Files of a folder.

use std::fs;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use delta_kernel::{
    FileMeta, FileSlice, KernelError, KernelResult, KernelResultIteratorStatic, StorageHandler,
};
use url::Url;

use super::{open, path_of, unsupported};

#[derive(Debug)]
pub(super) struct Storage;

impl StorageHandler for Storage {
    fn list_from(&self, path: &Url) -> KernelResult<KernelResultIteratorStatic<FileMeta>> {
        let start = path_of(path)?;
        let folder = match path.path().ends_with('/') {
            true => start.as_path(),
            false => start
                .parent()
                .ok_or_else(|| KernelError::generic(format!("{path} is not in a folder")))?,
        };
        let mut files = Vec::new();
        list(folder, &mut files)?;
        // As bytes: compared by their components, paths would be in another order.
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
        let start = bytes(&start);
        files.retain(|file| bytes(file) > start);
        files.sort_by_cached_key(|file| bytes(file));
        let files = files.into_iter().filter_map(|file| describe(&file).transpose());
        Ok(Box::new(files))
    }

    fn read_files(&self, files: Vec<FileSlice>) -> KernelResult<KernelResultIteratorStatic<Bytes>> {
        Ok(Box::new(files.into_iter().map(|(url, range)| {
            let mut file = open(&path_of(&url)?)?;
            let mut bytes = Vec::new();
            match range {
                None => {
                    file.read_to_end(&mut bytes)?;
                }
                Some(range) => {
                    let length = range.end.saturating_sub(range.start);
                    file.seek(SeekFrom::Start(range.start))?;
                    if file.take(length).read_to_end(&mut bytes)? as u64 != length {
                        return Err(std::io::Error::from(ErrorKind::UnexpectedEof).into());
                    }
                }
            }
            Ok(bytes.into())
        })))
    }

    fn head(&self, path: &Url) -> KernelResult<FileMeta> {
        let file = path_of(path)?;
        describe(&file)?.ok_or_else(|| KernelError::file_not_found(file.display()))
    }

    fn copy_atomic(&self, _: &Url, _: &Url) -> KernelResult<()> {
        unsupported("copying")
    }

    fn put(&self, _: &Url, _: Bytes, _: bool) -> KernelResult<()> {
        unsupported("writing other files")
    }

    fn delete(&self, _: &Url) -> KernelResult<()> {
        unsupported("deleting")
    }
}

/// Lists the files of a folder and of the folders in it. A folder that does not exist is empty. Links to folders are not
/// followed, so this ends.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> KernelResult<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for entry in entries {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => list(&entry.path(), files)?,
            false => files.push(entry.path()),
        }
    }
    Ok(())
}

/// The URL, size and time of a file; `None` if there is no such file.
fn describe(file: &Path) -> KernelResult<Option<FileMeta>> {
    let metadata = match file.metadata() {
        Ok(metadata) if metadata.is_file() => metadata,
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let location = Url::from_file_path(file)
        .map_err(|()| KernelError::generic(format!("{} is not absolute", file.display())))?;
    let modified = metadata.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let modified = i64::try_from(modified.as_millis()).unwrap_or(i64::MAX);
    Ok(Some(FileMeta::new(location, modified, metadata.len())))
}
