//! Input files: intact, compressed, truncated and missing.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use halfmove_game::{Input, InputError, InputErrorKind};
use tempfile::TempDir;

fn text() -> Vec<u8> {
    (0..20_000)
        .flat_map(|n| format!("[Round \"{n}\"]\n\n1. e4 {{{}}} *\n\n", n * n).into_bytes())
        .collect()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
    // Like the command-line tool. Without the checksum, a damaged byte can go unnoticed.
    encoder.include_checksum(true).expect("an encoder");
    encoder.write_all(bytes).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}

fn file(folder: &TempDir, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join("games");
    fs::write(&path, bytes).expect("a folder of our own");
    path
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut input = Input::open(path)?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    assert_eq!(Some(input.consumed().load(Ordering::Relaxed)), input.total());
    Ok(bytes)
}

#[test]
fn every_format_alone_and_in_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = text();
    let (head, tail) = text.split_at(text.len() / 3);
    let skippable = [b"\x50\x2a\x4d\x18\x03\0\0\0abc".as_slice(), &zstd(&text)].concat();
    for packed in [
        text.clone(),
        zstd(&text),
        [zstd(head), zstd(tail)].concat(),
        skippable,
        gzip(&text),
        [gzip(head), gzip(tail)].concat(),
        bzip2(&text),
        [bzip2(head), bzip2(tail)].concat(),
    ] {
        let path = file(&folder, &packed);
        assert!(read(&path).expect("a sound file") == text, "begins with {:?}", &packed[..4]);
    }
    assert!(read(&file(&folder, b"")).expect("an empty file").is_empty());
    assert_eq!(read(&file(&folder, b"*")).expect("a short file"), b"*");
}

/// Copying programs fill the last block of a file with zeros; gzip and bzip2 themselves ignore them.
#[test]
fn zeros_after_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = text();
    for (name, pack) in [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("bzip2", bzip2)] {
        let members = [pack(&text[..5_000]), pack(&text[5_000..])].concat();
        for zeros in [1, 511, 1_000_000] {
            let path = file(&folder, &[members.clone(), vec![0; zeros]].concat());
            assert!(read(&path).expect("a sound file") == text, "{name}, {zeros} zeros");
        }
        let member = [&[0; 512], pack(b"more").as_slice()].concat();
        for more in [b"\0\0x".as_slice(), b"x", b"\x1f", b"rubbish of any length", &member] {
            let path = file(&folder, &[members.as_slice(), more].concat());
            let error = read(&path).map(|bytes| bytes.len()).expect_err("more data").to_string();
            let kind = if more == b"\x1f" && name == "gzip" { "truncated" } else { "damaged" };
            assert!(error.contains(&format!("{kind} {name} file")), "{error}");
        }
    }
}

/// All text before the damage arrives, then the error, and never a regular end.
#[test]
fn errors_keep_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = text();
    let path = file(&folder, &[gzip(&text), b"rubbish".to_vec()].concat());
    let mut input = Input::open(&path).expect("a file");
    let mut found = Vec::new();
    assert!(input.read_to_end(&mut found).is_err());
    assert!(found == text);
    assert!(input.read(&mut [0; 16]).is_err());
    assert!(input.read(&mut [0; 16]).is_err());
}

#[cfg(target_os = "linux")]
fn unpacking_threads() -> usize {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux");
    let names = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with("halfmove-unpack")).count()
}

/// The unpacking threads end when the input is dropped.
#[cfg(target_os = "linux")]
#[test]
fn a_dropped_input_ends_its_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &zstd(&text().repeat(20)));
    let mut inputs = Vec::new();
    for _ in 0..20 {
        let mut input = Input::open(&path).expect("a file");
        input.read_exact(&mut vec![0; 600_000]).expect("a sound file");
        inputs.push(input);
    }
    assert!(unpacking_threads() >= 20);
    drop(inputs);
    for _ in 0..500 {
        // Other tests unpack too, but not twenty at a time.
        if unpacking_threads() < 10 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("threads are left");
}

/// A window of 256 MiB, as with `--long=28`, although the text is short.
#[test]
fn long_windows() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.include_contentsize(false).expect("an encoder");
    encoder.window_log(28).expect("an encoder");
    encoder.write_all(&text()).expect("memory does not fail");
    let packed = encoder.finish().expect("memory does not fail");
    assert!(zstd::decode_all(packed.as_slice()).is_err(), "the usual bound would do");
    assert!(read(&file(&folder, &packed)).expect("a sound file") == text());
}

/// Reading a compressed file that is truncated anywhere gives an error, never a regular end.
#[test]
fn truncated_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = &text()[..100_000];
    for (format, packed) in [("zstd", zstd(text)), ("gzip", gzip(text)), ("bzip2", bzip2(text))] {
        for length in [10, 11, packed.len() / 2, packed.len() - 5, packed.len() - 1] {
            let path = file(&folder, &packed[..length]);
            let error = read(&path).map(|bytes| bytes.len()).expect_err("truncated").to_string();
            assert_eq!(
                error,
                format!(
                    "{}: truncated {format} file: it ends within the compressed data, after {length} bytes",
                    path.display()
                )
            );
        }
    }
}

#[test]
fn damaged_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = text();
    for (format, mut packed) in
        [("zstd", zstd(&text)), ("gzip", gzip(&text)), ("bzip2", bzip2(&text))]
    {
        let middle = packed.len() / 2;
        packed[middle..middle + 64].fill(0xa5);
        let path = file(&folder, &packed);
        let error = read(&path).map(|bytes| bytes.len()).expect_err("damaged").to_string();
        let expected = format!("{}: damaged {format} file, about ", path.display());
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn invalid_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let kind = |path: &Path| match Input::open(path) {
        Err(InputError { kind, .. }) => kind,
        Ok(_) => panic!("{} was opened", path.display()),
    };
    assert!(matches!(kind(folder.path()), InputErrorKind::Folder));
    assert!(matches!(kind(&folder.path().join("none")), InputErrorKind::NotFound));
    let zip = file(&folder, b"PK\x03\x04 and so on");
    assert!(matches!(kind(&zip), InputErrorKind::Unsupported { .. }));
    let error = Input::open(&zip).expect_err("a zip archive").to_string();
    assert!(error.ends_with(
        "games: is a zip archive, expected PGN, plain or compressed with zstd, gzip or bzip2: unpack it first"
    ));
    let utf16 = file(&folder, b"\xff\xfe[\0E\0");
    assert!(matches!(kind(&utf16), InputErrorKind::Unsupported { found: "UTF-16 text", .. }));
}
