use crate::wait;
use halfmove_archive::*;
use halfmove_game::pgn::GameReader;
use halfmove_game::{Game, Input};
use std::time::Instant;
#[test]
#[ignore]
fn measure() {
    let data = std::path::PathBuf::from(std::env::var_os("HALFMOVE_DATA").unwrap());
    let path = data.join("large/masters_gnuchess_book_1.02.pgn.zst");
    let t = Instant::now();
    let mut reader = GameReader::new(Input::open(&path).unwrap());
    let mut game = Game::default();
    let mut n = 0;
    while reader.read(&mut game).unwrap().is_some() {
        n += 1;
    }
    eprintln!("read only {n} {:?}", t.elapsed());
    let games = crate::read(&path);
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path().join("g")).unwrap();
    for _ in 0..2 {
        let t = Instant::now();
        let mut importer = archive.importer();
        for (game, fault) in &games {
            importer.push(game, fault.as_deref()).unwrap();
        }
        eprintln!("push {:?}", t.elapsed());
        let r = importer.commit().unwrap();
        eprintln!("commit {:?} {r:?} {} B/game", t.elapsed(), r.bytes / r.games);
    }
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path().join("g")).unwrap();
    let t = Instant::now();
    let mut reader = GameReader::new(Input::open(&path).unwrap());
    let mut importer = archive.importer();
    while reader.read(&mut game).unwrap().is_some() {
        importer.push(&game, None).unwrap();
    }
    importer.commit().unwrap();
    eprintln!("whole import {:?}", t.elapsed());
    let rt = tokio::runtime::Runtime::new().unwrap();
    let p: halfmove_rules::Chess =
        "r1bqkb1r/1p2pppp/p1np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 1".parse().unwrap();
    let q: halfmove_rules::Chess =
        "2rq1rk1/1b1n1ppp/p2ppn2/1p6/3NPP2/2N1B3/PPPQ2PP/2KR1B1R w - - 0 1".parse().unwrap();
    let start = halfmove_rules::Chess::default();
    for round in 0..2 {
        let t = Instant::now();
        let archive = Archive::open(archive.path()).unwrap();
        eprintln!("round {round}: open {:?}", t.elapsed());
        for (name, p) in [("najdorf-ish", &p), ("rare", &q), ("start", &start)] {
            let t = Instant::now();
            let f = rt.block_on(archive.search(&Filter::position(p.clone()), 20)).unwrap();
            let a = t.elapsed();
            let t = Instant::now();
            let e = rt.block_on(archive.explore(&Filter::default(), p)).unwrap();
            let b = t.elapsed();
            let t = Instant::now();
            let c = rt.block_on(archive.count(&Filter::position(p.clone()))).unwrap();
            eprintln!(
                "{name}: search {a:?} {} explore {b:?} {} moves, count {:?} {c}",
                f.count,
                e.moves.len(),
                t.elapsed()
            );
        }
        let t = Instant::now();
        let f = rt
            .block_on(
                archive
                    .search(&Filter { player: Some("capablanca".into()), ..Filter::default() }, 20),
            )
            .unwrap();
        eprintln!("player {:?} {}", t.elapsed(), f.count);
        let t = Instant::now();
        let f = rt
            .block_on(archive.search(
                &Filter {
                    player: Some("capablanca".into()),
                    position: Some(p.clone()),
                    ..Filter::default()
                },
                20,
            ))
            .unwrap();
        eprintln!("player+position {:?} {}", t.elapsed(), f.count);
        let t = Instant::now();
        rt.block_on(archive.info()).unwrap();
        eprintln!("info {:?}", t.elapsed());
        let t = Instant::now();
        rt.block_on(archive.game(77777)).unwrap();
        eprintln!("game {:?}", t.elapsed());
        let t = Instant::now();
        let n = rt.block_on(async {
            use futures::StreamExt;
            archive.games(&Filter::default()).await.unwrap().count().await
        });
        eprintln!("export {n} {:?}", t.elapsed());
    }
    wait(async {});
    let _ = std::process::Command::new("python3").arg("-c").arg("import sys,pyarrow.parquet as pq,glob\nfor f in glob.glob(sys.argv[1]+'/*.parquet'):\n  m=pq.ParquetFile(f).metadata\n  from collections import Counter\n  c=Counter()\n  for g in range(m.num_row_groups):\n    for i in range(m.num_columns):\n      x=m.row_group(g).column(i); c[x.path_in_schema]+=x.total_compressed_size\n  print(m.num_rows, m.num_row_groups, {k:round(v/m.num_rows,2) for k,v in c.items()})").arg(archive.path()).status();
    std::mem::forget(folder);
}
