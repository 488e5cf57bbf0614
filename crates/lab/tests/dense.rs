//! The model of the codec `dense`: it learns, the same every time, and not from the games that it is measured by.

use halfmove_codecs::dense::Model;
use halfmove_codecs::dense::learning::{HELD_OUT_FROM, is_held_out};
use halfmove_game::{Input, Tags};
use halfmove_lab::dense::{Fit, Games, held_out};
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/games").join(name)
}

fn games() -> Games {
    let mut games = Games::new(HELD_OUT_FROM);
    for name in ["lichess.pgn.zst", "masters.pgn.zst"] {
        games.read(name, Input::open(file(name)).expect(name)).expect(name);
    }
    games
}

/// The bits a half-move of held-out games.
fn bits(model: &Model, games: &Games) -> f64 {
    let held = held_out(model, games, 40);
    let (bytes, plies) =
        held.iter().fold((0, 0), |sums, held| (sums.0 + held.bytes, sums.1 + held.plies));
    8.0 * bytes as f64 / plies as f64
}

#[test]
fn a_fit_learns_and_is_the_same_every_time() {
    let games = games();
    let fit = Fit { games: 400, ..Fit::DEFAULT };
    let model = fit.run(&games, &mut |_, _| {});
    let again = fit.run(&games, &mut |_, _| {});
    assert_eq!(model.hash(), again.hash());
    let read = Model::from_bytes(&model.to_bytes()).map(|model| model.hash());
    assert_eq!(read, Ok(model.hash()));
    let other = Fit { seed: 2, ..fit.clone() }.run(&games, &mut |_, _| {});
    assert_ne!(model.hash(), other.hash());

    // A model of all moves alike takes almost 5 bits.
    let none = Fit { games: 0, ..Fit::DEFAULT }.run(&games, &mut |_, _| {});
    let without = ["exchange", "origin", "hanging", "threat"].map(str::to_owned).to_vec();
    let without = Fit { without, ..fit }.run(&games, &mut |_, _| {});
    let [none, less, all] = [&none, &without, &model].map(|model| bits(model, &games));
    assert!(none > 4.5 && none - less > 0.5 && less > all + 0.03, "{none} {less} {all}");
}

#[test]
fn held_out_games_are_not_learned() {
    let games = games();
    let training: Vec<_> = games.training().collect();
    let held_out: Vec<_> = games.held_out().collect();
    assert!(
        training.len() > 10_000 && held_out.len() > 100,
        "{} {}",
        training.len(),
        held_out.len()
    );
    let tagged = |event: &str, date: &str| {
        let mut tags = Tags::new();
        tags.push("Event", event);
        tags.push("Date", date);
        is_held_out(&tags, 2022)
    };
    // Later years, and about one event in 32.
    assert!(tagged("Wijk aan Zee", "2022.01.15") && tagged("?", "2023.??.??"));
    let events = (0..20_000).filter(|event| tagged(&format!("event {event}"), "1990.01.01"));
    let held = events.count();
    assert!((400..1_000).contains(&held), "{held} of 20,000");
}
