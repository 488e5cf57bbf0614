//! Single bits that flip anywhere in an archive.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use halfmove_archive::{Archive, ArchiveError, Importer};
use halfmove_game::Input;

use crate::damage::{answers, files, flip, problems, sound};
use crate::{Outcome, of_ids, testdata};

/// An archive after years of use: a large file in the order of the moves, later ones, a rewritten one, and a checkpoint.
fn grown() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = sound();
    let open = || Archive::open(&path).expect("an archive");
    let import = |file: &str| {
        let mut importer = Importer::open(&path).expect("an archive");
        let input = Input::open(testdata(file)).map_err(std::io::Error::from);
        importer.read_pgn([input], &mut ()).expect("games");
        importer.commit().expect("committed");
    };
    open().compact(&mut ()).expect("compacted");
    import("games/setup.pgn");
    import("games/makruk.pgn");
    let some = of_ids((480..1000).step_by(5));
    open().remover(&some).expect("a remover").commit(&mut ()).expect("removed");
    // Back and forth, until there is a checkpoint and entries after it.
    while open().version() < 104 {
        open().undo(None, &mut ()).expect("undone");
    }
    assert_eq!(files(&path.join("_delta_log"), ".checkpoint.parquet").len(), 1);
    // Files needed only by earlier versions are not read, and not verified.
    let now = SystemTime::now() + Duration::from_secs(1);
    open().vacuum(now, &mut ()).expect("deleted");
    assert_eq!(files(&path, ".parquet").len(), 3);
    (folder, path)
}

/// Flips single bits anywhere in the archive. No bit is without effect: the log is covered by the checksums of its
/// entries and of its checkpoint, a file by its own.
fn flip_bits(flips: usize) -> Outcome {
    let (_folder, path) = grown();
    let archive = Archive::open(&path)?;
    let before: Vec<String> =
        answers(&archive).into_iter().map(|(_, answer)| answer).collect::<Result<_, _>>()?;
    let log = path.join("_delta_log");
    let entries = files(&log, ".json");
    let (old, new) = entries.split_at(101);
    let last = archive.version();
    assert!(new.len() as u64 == last - 100 && new.len() > 2, "version {last}");
    // Each kind of file in turn: many bits of the data, few of the short texts.
    let data = || files(&path, ".parquet");
    let kinds = [
        ("data", data()),
        ("entries behind the checkpoint", new.to_vec()),
        ("data", data()),
        ("checkpoint", files(&log, ".checkpoint.parquet")),
        ("data", data()),
        ("last checkpoint", vec![log.join("_last_checkpoint")]),
        ("data", data()),
        ("entries before the checkpoint", old.to_vec()),
    ];
    let (mut unopened, mut refused, mut answered) = (0, 0, 0);
    // A linear congruential generator; its upper bits are good.
    let seed = 20_260_731_u64;
    let mut state = seed;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    for number in 0..flips {
        let (kind, all) = &kinds[number % kinds.len()];
        let file = &all[random(all.len())];
        let whole = fs::read(file)?;
        let (byte, bit) = (random(whole.len()), random(8) as u8);
        let length = whole.len();
        let what =
            format!("seed {seed}: {kind}: {}, byte {byte} of {length}, bit {bit}", file.display());
        flip(file, byte, bit);
        match Archive::open(&path) {
            Err(error) => {
                assert!(matches!(error, ArchiveError::Damaged(_)), "{what}: {error:?}");
                unopened += 1;
            }
            Ok(archive) => {
                let is_read = !matches!(*kind, "data" | "entries before the checkpoint");
                assert!(!is_read, "{what}: was opened");
                assert!(!archive.verify(&mut ())?.problems.is_empty(), "{what}: was not found");
                for ((question, answer), before) in answers(&archive).into_iter().zip(&before) {
                    match answer {
                        Ok(answer) => {
                            assert!(answer == *before, "{what}: {question} has another answer");
                            answered += 1;
                        }
                        Err(error) => {
                            let is_damage = matches!(error, ArchiveError::Damaged(_));
                            assert!(is_damage, "{what}: {question}: {error:?}");
                            refused += 1;
                        }
                    }
                }
            }
        }
        fs::write(file, whole)?;
    }
    assert!(unopened > flips / 4 && refused > flips && answered > flips, "{unopened} {refused}");
    assert_eq!(problems(&Archive::open(&path)?.verify(&mut ())?), [""; 0]);
    Ok(())
}

#[test]
fn single_bits() -> Outcome {
    flip_bits(48)
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_single_bits() -> Outcome {
    flip_bits(1000)
}
