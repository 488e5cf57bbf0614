//! The package for Python, as Python sees it. Cargo has built the compiled part next to this test; the package is laid
//! out in a temporary folder, and the tests in `tests/python` run with the Python that `PYTHON` names, or the one that
//! `make readers` makes in `target/venv`. An empty `PYTHON` leaves them out.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The Python of these tests; `None` if they are to be left out.
fn interpreter() -> Option<PathBuf> {
    match env::var_os("PYTHON") {
        Some(path) => Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()),
        None => Some(target().parent()?.join("venv/bin/python3")),
    }
}

/// The folder of the profile, with what cargo builds.
fn target() -> PathBuf {
    let test = env::current_exe().expect("the path of this program");
    test.ancestors().nth(2).expect("a target folder").to_owned()
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The compiled part: the file that cargo has made from this package.
fn library() -> PathBuf {
    let name = format!("{}_halfmove{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let places = [target().join("deps").join(&name), target().join(&name)];
    let found = places.into_iter().filter(|path| path.exists()).max_by_key(|path| {
        path.metadata().and_then(|data| data.modified()).expect("the time of a file")
    });
    found.expect("cargo builds the library of a package before its tests")
}

#[test]
fn the_package() {
    let Some(python) = interpreter() else {
        eprintln!("SKIPPED: PYTHON is empty, so the package for Python is not tested");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = folder.path().join("halfmove");
    copy(&own.join("python/halfmove"), &package).expect("a copy of the package");
    // Windows has another name for extensions.
    let name = if cfg!(windows) { "_halfmove.pyd" } else { "_halfmove.abi3.so" };
    fs::copy(library(), package.join(name)).expect("a copy of the library");
    let output = Command::new(&python)
        .arg("-B")
        .arg(own.join("tests/python/run.py"))
        .env("PYTHONPATH", folder.path())
        .env("HALFMOVE_TESTDATA", own.join("../../testdata"))
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!(
            "{}: {error}\n`make readers` installs the Python of these tests; PYTHON names another, and an empty PYTHON leaves \
             them out",
            python.display()
        )
    });
    let [printed, errors] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    assert!(output.status.success(), "{printed}\n{errors}");
    printed.lines().filter(|line| line.starts_with("SKIPPED")).for_each(|line| eprintln!("{line}"));
}
