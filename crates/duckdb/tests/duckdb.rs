//! The extension, as DuckDB sees it: the library that cargo has built beside this test becomes an extension, and the tests in
//! `tests/duckdb` run in each version of DuckDB that `make readers` installs in `target/duckdb`, by the Python that `PYTHON` names
//! or that of `target/venv`. An empty `PYTHON` leaves them out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use halfmove_archive::{Archive, Importer, PgnInput};
use halfmove_duckdb::footer::footer;
use halfmove_functions::{FUNCTIONS, Kind};
use halfmove_game::Input;
use serde_json::{Value, json};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The versions of DuckDB, the folders of `target/duckdb`.
const VERSIONS: [&str; 3] = ["1.4.4", "1.5.6", "2.0.1"];

/// The large collections, with the files of their answers.
const COLLECTIONS: [(&str, &str); 4] = [
    ("medium/medium_20k_utf8.pgn.zst", "explorer_medium_20k_utf8"),
    ("large/masters_gnuchess_book_1.02.pgn.zst", "explorer_masters_gnuchess_book_1.02"),
    ("large/lichess_online_clocks_evals.pgn.zst", "explorer_lichess_online_clocks_evals"),
    ("large/masters_pgnmentor_players_A-K.pgn.zst", "explorer_masters_pgnmentor_players_A-K"),
];

/// The folder of the profile, with what cargo builds.
fn target() -> PathBuf {
    let test = env::current_exe().expect("the path of this program");
    test.ancestors().nth(2).expect("a target folder").to_owned()
}

/// The Python of these tests; `None` if they are to be left out.
fn interpreter() -> Option<PathBuf> {
    match env::var_os("PYTHON") {
        Some(path) => Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()),
        None => Some(target().parent()?.join("venv/bin/python3")),
    }
}

fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The file that cargo has made from this package, as an extension.
fn extension(folder: &Path) -> io::Result<PathBuf> {
    let name = format!("{}halfmove_duckdb{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let places = [target().join("deps").join(&name), target().join(&name)];
    let found = places.into_iter().filter(|path| path.exists()).max_by_key(|path| {
        path.metadata().and_then(|data| data.modified()).expect("the time of a file")
    });
    let library = found.expect("cargo builds the library of a package before its tests");
    let mut bytes = fs::read(library)?;
    bytes.extend(footer());
    let extension = folder.join("halfmove.duckdb_extension");
    fs::write(&extension, bytes)?;
    Ok(extension)
}

/// Adds the games of a text to an archive, which is created if there is none.
fn import(archive: &Path, games: impl io::Read + Send + 'static) -> Outcome {
    let mut importer = Importer::open(archive)?;
    importer.read_pgn([Ok(PgnInput::named("games.pgn", games))], &mut ())?;
    importer.commit()?;
    Ok(())
}

/// The archives and the table of functions of the tests in Python.
fn prepare(folder: &Path) -> Outcome {
    let masters = Input::open(own("../../testdata/games/masters.pgn.zst"))?;
    import(&folder.join("masters"), masters)?;
    let games = Input::open(own("../functions/tests/games.pgn"))?;
    import(&folder.join("games.halfmove"), games)?;
    Archive::create(folder.join("empty"))?;
    import(&folder.join("growing"), "1. e4 e5 *".as_bytes())?;
    copy(&folder.join("growing"), &folder.join("grown"))?;
    import(&folder.join("grown"), "1. d4 d5 *".as_bytes())?;
    fs::write(folder.join("functions.json"), functions().to_string())?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &to)?,
            false => drop(fs::copy(entry.path(), to)?),
        }
    }
    Ok(())
}

/// The table of functions, for Python.
fn functions() -> Value {
    let kind = |kind: Kind| match kind {
        Kind::Number => "number",
        kind if kind.column().is_some() => "blob",
        _ => "text",
    };
    let functions = FUNCTIONS.iter().map(|function| {
        json!({
            "name": function.name,
            "arguments": function.arguments.iter().map(|it| kind(it.kind)).collect::<Vec<_>>(),
            "is_aggregate": function.is_aggregate(),
            "calls": function.example.calls,
            "games": function.example.games,
            "answers": function.example.answers,
        })
    });
    functions.collect()
}

/// Runs a script of `tests/duckdb` in each version of DuckDB.
fn run(python: &Path, script: &str, archives: &Path) -> Outcome {
    let folder = tempfile::tempdir()?;
    let extension = extension(folder.path())?;
    for version in VERSIONS {
        let package = target().parent().ok_or("a target folder")?.join("duckdb").join(version);
        assert!(
            package.is_dir(),
            "{}: no such folder\n`make readers` installs the versions of DuckDB of these tests; an empty PYTHON leaves them out",
            package.display()
        );
        let output = Command::new(python)
            .arg("-B")
            .arg(own("tests/duckdb").join(script))
            .env("PYTHONPATH", &package)
            .env("HALFMOVE_DUCKDB", version)
            .env("HALFMOVE_EXTENSION", &extension)
            .env("HALFMOVE_ARCHIVES", archives)
            .env("HALFMOVE_TESTDATA", own("../../testdata"))
            .output();
        let output = output.map_err(|error| {
            format!(
                "{}: {error}\n`make readers` installs the Python of these tests",
                python.display()
            )
        })?;
        let texts = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
        let [printed, errors] = &texts;
        assert!(output.status.success(), "DuckDB {version}:\n{printed}\n{errors}");
    }
    Ok(())
}

#[test]
fn every_version_of_duckdb_loads_the_extension() -> Outcome {
    let Some(python) = interpreter() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    prepare(folder.path())?;
    run(&python, "run.py", folder.path())
}

/// The answers of python-chess for the large collections. `make verify` runs it.
#[test]
#[ignore = "needs the large collections"]
fn the_explorer_agrees_on_the_large_collections() -> Outcome {
    let data = env::var_os("HALFMOVE_DATA").map(PathBuf::from).ok_or("HALFMOVE_DATA")?;
    let Some(python) = interpreter() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    for (file, name) in COLLECTIONS {
        import(&folder.path().join(name), Input::open(data.join(file))?)?;
        let answers = format!("{name}.tsv");
        fs::copy(data.join("expected").join(&answers), folder.path().join(&answers))?;
    }
    run(&python, "large.py", folder.path())
}
