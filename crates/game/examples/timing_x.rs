#![allow(clippy::print_stdout, missing_docs)]
use halfmove_game::pgn::*;
use halfmove_game::*;
use std::io::Read;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mode = std::env::args().nth(2).unwrap_or_default();
    let mut text = Vec::new();
    Input::open(&path).unwrap().read_to_end(&mut text).unwrap();
    let mut best = [f64::MAX; 4];
    let (mut games, mut plies) = (0u64, 0u64);
    let mut comments = 0;
    let rounds = std::env::var("ROUNDS")
        .map_or(if mode.is_empty() { 7 } else { 15 }, |r| r.parse().unwrap());
    for _ in 0..rounds {
        for (i, keep) in
            [Keep::MainLine, Keep::MainLineAndCounts, Keep::Everything].into_iter().enumerate()
        {
            if !mode.is_empty() && mode != i.to_string() {
                continue;
            }
            let t = Instant::now();
            let mut reader = GameReader::new(text.as_slice()).keeping(keep);
            let mut game = Game::default();
            while reader.read(&mut game).unwrap().is_some() {}
            best[i] = best[i].min(t.elapsed().as_secs_f64());
            games = reader.counts().games;
            plies = reader.counts().half_moves;
            comments = comments.max(reader.counts().comments);
        }
        if mode.is_empty() || mode == "3" {
            let all: Vec<Game> = GameReader::new(text.as_slice())
                .games()
                .take(20000)
                .map(|r| r.unwrap().1)
                .collect();
            let t = Instant::now();
            let mut out = String::new();
            let mut n = 0;
            for game in &all {
                out.clear();
                Format::new().append(game, &mut out).unwrap();
                n += out.len();
            }
            let s = t.elapsed().as_secs_f64();
            best[3] = best[3].min(s / all.len() as f64);
            std::hint::black_box(n);
        }
    }
    println!("{games} games {plies} plies {comments} comments {} MB", text.len() / 1_000_000);
    for (i, name) in ["main", "counted", "whole"].iter().enumerate() {
        println!(
            "{name}: {:.3} s  {:.0} games/s {:.1} ns/ply  {:.0} MB/s",
            best[i],
            games as f64 / best[i],
            best[i] * 1e9 / plies as f64,
            text.len() as f64 / best[i] / 1e6
        );
    }
    println!("write {:.2} us/game", best[3] * 1e6);
    println!("whole-main per comment {:.1} ns", (best[2] - best[0]) * 1e9 / comments as f64);
}
