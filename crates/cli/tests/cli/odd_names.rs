//! Names of players, files and links that could mislead.

use crate::program::{ok, run};

/// Line breaks in names of players and files cannot imitate messages of the program.
#[test]
fn line_breaks_in_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    std::fs::write(&file, "[White \"Tal, M\"]\n[Black \"B\"]\n\n1. e4 *\n").unwrap();
    let club = folder.path().join("club");
    let [file, club] = [&file, &club].map(|path| path.to_str().unwrap());
    ok(&["import", club, file, "-q"]);
    let name = "Tel, M\nerror: all is lost\u{1b}[31m";
    for args in [
        &["search", club, "--player", name][..],
        &["search", club, "--player", name, "--exact"],
        &["players", "merge", club, "Tal, M", name],
        &["players", "merge", club, "Tal, M", "?\nerror: all is lost"],
    ] {
        let answer = run(args);
        let lines = answer.err.lines().chain(answer.out.lines());
        let is_raw = |line: &str| line.starts_with("error: all is lost") || line.contains('\u{1b}');
        assert!(!lines.into_iter().any(is_raw), "{args:?}: {answer:?}");
        assert!(answer.err.contains("\\nerror: all is lost"), "{args:?}: {answer:?}");
    }
    // A file with such a name, found in a folder.
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    std::fs::write(games.join("a\nerror: all is lost.pgn"), "1. e4 e5 2. Ke4 *\n").unwrap();
    let imported = run(&["import", club, games.to_str().unwrap()]);
    assert!(imported.err.contains("a\\nerror: all is lost.pgn: game 1"), "{imported:?}");
}

/// A link that leads into a missing folder is named as such.
#[test]
fn a_link_to_nowhere_as_output() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("a.pgn"), folder.path().join("link.csv"));
    std::fs::write(&file, "1. e4 *\n").unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", &link).unwrap();
    let club = folder.path().join("club");
    let [file, link, club] = [&file, &link, &club].map(|path| path.to_str().unwrap());
    ok(&["import", club, file, "-q"]);
    let written = run(&["search", club, "-o", link]);
    assert!(
        written.code == 2 && written.err.contains("is a link to /nowhere/at/all"),
        "{written:?}"
    );
    assert!(written.err.contains("whose folder does not exist"), "{written:?}");
}
