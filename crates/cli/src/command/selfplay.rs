//! `halfmove selfplay`: games of the engine against itself.

use super::analyze::evaluation;
use crate::Done;
use crate::args::SelfPlay;
use crate::batch::{self, Batch, Piece, Target};
use crate::output::{self, counted, grouped};
use anyhow::anyhow;
use halfmove_engine::{Opening, Openings, Played, Value};
use halfmove_game::pgn::Format;
use halfmove_game::{Game, GameResult};
use halfmove_rules::{Color, Outcome, Variant};
use serde_json::{Map, Value as Json, json};

/// A game to play.
struct Job {
    number: u64,
    opening: Opening,
}

pub(crate) fn run(args: SelfPlay) -> anyhow::Result<Done> {
    let variant = Variant::from(args.game);
    let (nodes, hash) = (args.nodes.get(), args.batch.hash);
    let games = u64::from(args.games.get());
    let batch = Batch {
        settings: settings(&args, variant),
        target: Target::new(&args.batch),
        inputs: Vec::new(),
        source: format!("selfplay {variant} seed {}", args.seed),
        total: Some(games),
        threads: batch::threads(&args.batch),
        restart: args.batch.restart,
    };
    let max_plies = args.max_plies.get() as usize;
    let engine = format!("Halfmove {} ({})", env!("CARGO_PKG_VERSION"), counted(nodes, "node"));
    let done = batch.run(
        || halfmove_engine::SelfPlay::new(hash, nodes).with_max_plies(max_plies),
        |player, job: Job, signals| {
            let played = player.play(&job.opening, signals);
            Ok(played.and_then(|played| piece(&job, &played, &engine)))
        },
        |feed| {
            let mut openings =
                Openings::new(variant, args.seed).with_plies(usize::from(args.opening));
            for number in 1..=games {
                let opening = openings.next().ok_or_else(|| {
                    let found = counted(number - 1, "balanced opening");
                    anyhow!("--opening {}: there are only {found}, expected {games}", args.opening)
                })?;
                feed.push(Job { number, opening }, number)?;
            }
            Ok(())
        },
    )?;
    output::note(format_args!(
        "{} with {} played{}",
        counted(done.games, "game"),
        counted(done.count("plies"), "half-move"),
        done.speed()
    ));
    let [white, draws, black] = ["white", "draws", "black"].map(|name| grouped(done.count(name)));
    output::note(format_args!("White won {white}, drawn {draws}, Black won {black}"));
    if done.count("unfinished") > 0 {
        let games = counted(done.count("unfinished"), "game");
        output::note(format_args!("{games} longer than --max-plies, and unfinished"));
    }
    Ok(Done::Found)
}

/// Everything that the games depend on, and their number.
fn settings(args: &SelfPlay, variant: Variant) -> Map<String, Json> {
    let mut settings = Map::new();
    let mut add = |name: &str, value| settings.insert(name.to_owned(), value);
    add("halfmove", json!(env!("CARGO_PKG_VERSION")));
    add("verb", json!("selfplay"));
    add("engine", batch::engine_mark());
    add("game", json!(variant.name()));
    add("games", json!(args.games));
    add("nodes", json!(args.nodes));
    add("hash", json!(args.batch.hash));
    add("opening", json!(args.opening));
    add("max_plies", json!(args.max_plies));
    add("seed", json!(args.seed));
    settings
}

/// A game as PGN.
fn piece(job: &Job, played: &Played, engine: &str) -> Option<Piece> {
    let mut game = Game::from(job.opening.start.clone());
    let round = job.number.to_string();
    let (result, name) = match played.outcome {
        None => (GameResult::Unknown, "unfinished"),
        Some(outcome) => (
            outcome.result().parse().ok()?,
            match outcome.winner() {
                Some(Color::White) => "white",
                Some(Color::Black) => "black",
                None => "draws",
            },
        ),
    };
    for (name, value) in [
        ("Event", "Halfmove against itself"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", round.as_str()),
        ("White", engine),
        ("Black", engine),
        ("Result", ""),
    ] {
        game.tags.push(name, value);
    }
    // The standard defines the values of the first tag.
    let (termination, details) = match played.outcome {
        None => ("unterminated", "too many moves".to_owned()),
        Some(outcome) => ("normal", outcome.to_string()),
    };
    game.tags.push("Termination", termination);
    game.tags.push("TerminationDetails", &details);
    game.moves.clone_from(&played.moves);
    game.set_result(result);
    let mates = matches!(played.outcome, Some(Outcome::Checkmate { .. }));
    let mut side = job.opening.position.side_to_move();
    for (ply, value) in (job.opening.moves.len() + 1..).zip(&played.values) {
        let is_mate = mates && ply == played.moves.len();
        if let Some(evaluation) = evaluation(after(*value), side).filter(|_| !is_mate) {
            let id = game.node(ply)?.id();
            game.edit(id)?.set_evaluation(evaluation);
        }
        side = !side;
    }
    let mut text = String::new();
    Format::new().append(&game, &mut text).ok()?;
    let counts = vec![("plies", played.moves.len() as u64), (name, 1)];
    Some(Piece { text, counts })
}

/// Turns a score before the best move into that after it, still for the same side: a mate is one move nearer.
fn after(value: Value) -> Value {
    match value {
        Value::Mate(moves @ 1..) => Value::Mate(moves - 1),
        value => value,
    }
}
