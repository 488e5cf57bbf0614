//! `halfmove analyze`: writes the engine's evaluations and better lines into games.

mod annotate;
mod source;

pub(crate) use self::annotate::evaluation;

use self::annotate::{Style, annotate};
use self::source::{Job, Source};
use crate::Done;
use crate::archive::Conditions;
use crate::args::Analyze;
use crate::batch::{self, Batch, Piece, Target};
use crate::output::{self, counted};
use halfmove_engine::{Analyst, Judgement, Signals};
use halfmove_game::Event;
use halfmove_game::pgn::Format;
use halfmove_game::{Game, rules::AnyPosition};
use serde_json::{Map, Value, json};

pub(crate) fn run(args: Analyze) -> anyhow::Result<Done> {
    let conditions = Conditions::new(args.filter, &args.position)?;
    let source = Source::open(&args.games, conditions)?;
    let style = Style { line: args.line, keep: args.keep_evals };
    let batch = Batch {
        settings: settings(&source, args.nodes.get(), args.batch.hash, style)?,
        target: Target::new(&args.batch),
        inputs: source.paths(),
        source: source.name(),
        total: source.total()?,
        threads: batch::threads(&args.batch),
        restart: args.batch.restart,
    };
    let (nodes, hash) = (args.nodes.get(), args.batch.hash);
    let done = batch.run(
        || Analyst::new(hash, nodes),
        |analyst, job, signals| work(analyst, job, signals, style),
        |feed| source.feed(feed),
    )?;
    if done.games == 0 {
        source.note_near_names()?;
        output::note("no games found");
        return Ok(Done::Nothing);
    }
    let positions = counted(done.count("positions"), "position");
    output::note(format_args!(
        "{} with {positions} searched{}",
        counted(done.games - done.count("others"), "game"),
        done.speed()
    ));
    let [blunders, mistakes, inaccuracies] =
        [("blunders", "blunder"), ("mistakes", "mistake"), ("inaccuracies", "inaccuracy")].map(
            |(name, noun)| match done.count(name) {
                1 => format!("1 {noun}"),
                number => format!("{} {name}", output::grouped(number)),
            },
        );
    output::note(format_args!("{blunders}, {mistakes}, {inaccuracies}"));
    if done.count("others") > 0 {
        let games = counted(done.count("others"), "game");
        output::note(format_args!(
            "{games} copied unchanged that the engine cannot play: of another variant, or from an invalid FEN"
        ));
    }
    if done.count("faulty") > 0 {
        let games = counted(done.count("faulty"), "game");
        output::note(format_args!(
            "{games} with errors analyzed up to there (see halfmove pgn check)"
        ));
    }
    Ok(Done::Found)
}

/// Everything that the result depends on.
fn settings(
    source: &Source,
    nodes: u64,
    hash: usize,
    style: Style,
) -> anyhow::Result<Map<String, Value>> {
    let mut settings = Map::new();
    let mut add = |name: &str, value| settings.insert(name.to_owned(), value);
    add("halfmove", json!(env!("CARGO_PKG_VERSION")));
    add("verb", json!("analyze"));
    add("engine", batch::engine_mark());
    add("nodes", json!(nodes));
    add("hash", json!(hash));
    add("line", json!(style.line));
    add("keep_evals", json!(style.keep));
    add("games", source.mark()?);
    Ok(settings)
}

/// Searches a game and writes the results into it.
fn work(analyst: &mut Analyst, job: Job, signals: &Signals, style: Style) -> Option<Piece> {
    let Job { mut game, is_other, is_faulty } = job;
    let mut counts = vec![("faulty", u64::from(is_faulty))];
    if is_other {
        counts.push(("others", 1));
    } else {
        let positions = positions(&game);
        let found = analyst.game(&positions, signals)?;
        let judged = annotate(&mut game, &positions, &found, style);
        let count = |kind| judged.iter().filter(|judgement| **judgement == kind).count() as u64;
        counts.extend([
            ("positions", positions.len() as u64),
            ("inaccuracies", count(Judgement::Inaccuracy)),
            ("mistakes", count(Judgement::Mistake)),
            ("blunders", count(Judgement::Blunder)),
        ]);
    }
    let mut text = String::new();
    // A game from a reader can always be written, the names of its tags included.
    Format::new().append(&game, &mut text).ok()?;
    Some(Piece { text, counts })
}

/// All positions of the main line, the start and the end among them.
fn positions(game: &Game) -> Vec<AnyPosition> {
    let mut positions = Vec::with_capacity(game.moves.len() + 1);
    let mut walk = game.walk();
    while positions.len() < game.moves.len() {
        match walk.step() {
            None => break,
            // The line of a move is known only after the step.
            Some((Event::Move(_), position)) => {
                let position = position.clone();
                if walk.is_main_line() {
                    positions.push(position);
                }
            }
            Some(_) => {}
        }
    }
    positions.push(game.final_position());
    positions
}
