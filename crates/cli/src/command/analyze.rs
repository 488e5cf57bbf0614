//! `halfmove analyze`: writes the evaluations and better lines of an engine into games.

mod annotate;
mod source;
mod uci;

pub(crate) use self::annotate::evaluation;

use self::annotate::{Style, annotate, mark};
use self::source::{Job, Source};
use self::uci::{Introduction, Limit, Program, Uci};
use crate::Done;
use crate::archive::Selection;
use crate::args::Analyze;
use crate::batch::{self, Batch, Piece, Target};
use crate::novelty::Beside;
use crate::output::{self, counted};
use anyhow::anyhow;
use halfmove_archive::Novelty;
use halfmove_engine::{Analysis, Analyst, Judgement, Signals};
use halfmove_game::Event;
use halfmove_game::Game;
use halfmove_game::pgn::Format;
use halfmove_rules::{AnyPosition, Move};
use serde_json::{Map, Value, json};

/// The minimum number of half-moves of a better line, unless `--line` is lower or the game ends.
const LEAST_LINE: usize = 4;

pub(crate) fn run(args: Analyze) -> anyhow::Result<Done> {
    let engine = Engine::new(&args)?;
    let conditions = Selection::new(args.filter, &args.position)?;
    let source = Source::open(&args.games, conditions)?;
    let beside = source.beside(args.novelty, args.against.as_deref())?;
    let style = Style { line: args.line, keep: args.keep_evals };
    let batch = Batch {
        settings: settings(&source, &engine, args.batch.hash, style, beside.as_ref())?,
        target: Target::new(&args.batch),
        inputs: source.paths().into_iter().chain(args.against).collect(),
        source: source.name(),
        total: source.total()?,
        threads: batch::threads(&args.batch),
        restart: args.batch.restart,
    };
    let done = batch.run(
        || engine.thinker(args.batch.hash),
        |thinker, job, signals| work(thinker, job, signals, style, beside.as_ref()),
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
    if beside.is_some() {
        let (marked, among) = (done.count("novelties"), done.games - done.count("others"));
        let among = counted(among, "game");
        output::note(format_args!("a novelty in {} of {among}", output::grouped(marked)));
    }
    if done.count("others") > 0 {
        let games = counted(done.count("others"), "game");
        output::note(format_args!(
            "{games} copied unchanged that the engine cannot play: of another variant, from an invalid FEN, or without a move that can be read"
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
    engine: &Engine,
    hash: usize,
    style: Style,
    beside: Option<&Beside>,
) -> anyhow::Result<Map<String, Value>> {
    let mut settings = Map::new();
    let mut add = |name: &str, value| settings.insert(name.to_owned(), value);
    add("halfmove", json!(env!("CARGO_PKG_VERSION")));
    add("verb", json!("analyze"));
    match engine {
        Engine::Own { nodes } => {
            add("engine", batch::engine_mark());
            add("nodes", json!(nodes));
        }
        Engine::Other(program, introduction) => {
            add("engine", json!(format!("{} ({})", introduction.name, program.path)));
            add("engine_options", json!(program.options));
            let (name, limit) = match program.limit {
                Limit::Nodes(nodes) => ("nodes", nodes),
                Limit::Depth(depth) => ("depth", depth.into()),
                Limit::Milliseconds(time) => ("movetime", time),
            };
            add(name, json!(limit));
        }
    }
    add("hash", json!(hash));
    add("line", json!(style.line));
    add("keep_evals", json!(style.keep));
    if let Some(beside) = beside {
        add("novelties", json!(beside.mark()));
    }
    add("games", source.mark()?);
    Ok(settings)
}

/// The engine that searches.
enum Engine {
    Own { nodes: u64 },
    Other(Program, Introduction),
}

impl Engine {
    /// The engine that the command line names. An external one is started once, so that errors are reported early.
    fn new(args: &Analyze) -> anyhow::Result<Self> {
        let nodes = args.nodes.get();
        let Some(path) = &args.engine else { return Ok(Self::Own { nodes }) };
        let limit = match (args.depth, args.movetime) {
            (Some(depth), _) => Limit::Depth(depth.get()),
            (None, Some(time)) => Limit::Milliseconds(time.get()),
            (None, None) => Limit::Nodes(nodes),
        };
        let options = args.engine_options.clone();
        let program = Program { path: path.clone(), options, hash: args.batch.hash, limit };
        let introduction = program.start()?.introduction().clone();
        Ok(Self::Other(program, introduction))
    }

    /// The engine of a thread.
    fn thinker(&self, hash: usize) -> Thinker<'_> {
        match self {
            Self::Own { nodes } => Thinker::Own(Analyst::new(hash, *nodes)),
            Self::Other(program, introduction) => Thinker::Other(program, introduction, None),
        }
    }
}

/// The engine of a thread. An external one is started with the first game.
enum Thinker<'a> {
    Own(Analyst),
    Other(&'a Program, &'a Introduction, Option<Uci>),
}

impl Thinker<'_> {
    fn plays(&self, game: &Game) -> bool {
        match self {
            Self::Own(_) => true,
            Self::Other(_, introduction, _) => introduction.plays(game.start.variant()),
        }
    }

    /// Analyzes a game; `None` if it is stopped.
    fn analyze(
        &mut self,
        positions: &[AnyPosition],
        moves: &[Move],
        least_line: usize,
        signals: &Signals,
    ) -> anyhow::Result<Option<Analysis>> {
        match self {
            Self::Own(analyst) => {
                let Ok(found) = Analysis::of(analyst, positions, moves, least_line, signals);
                Ok(found)
            }
            Self::Other(program, _, running) => {
                let engine = match running {
                    Some(engine) => engine,
                    none => none.insert(program.start()?),
                };
                Analysis::of(engine, positions, moves, least_line, signals)
            }
        }
    }
}

/// Searches a game and writes the results into it; `None` if it is stopped. A game in which there is nothing to search keeps its text.
fn work(
    thinker: &mut Thinker<'_>,
    job: Job,
    signals: &Signals,
    style: Style,
    beside: Option<&Beside>,
) -> anyhow::Result<Option<Piece>> {
    let Job { mut game, id, raw, is_other, is_faulty } = job;
    let mut counts = Vec::new();
    let is_empty = game.moves.is_empty();
    if is_other || is_empty || !thinker.plays(&game) {
        counts.push(("others", u64::from(is_other || is_faulty || !is_empty)));
        if let Some(text) = raw {
            return Ok(Some(Piece { text, counts }));
        }
    } else {
        let positions = positions(&game);
        let moves = &game.moves[..positions.len() - 1];
        let least_line = style.line.min(LEAST_LINE);
        let Some(found) = thinker.analyze(&positions, moves, least_line, signals)? else {
            return Ok(None);
        };
        let novelty = beside.map(|beside| beside.novelty(&game, id)).transpose()?;
        let judged = annotate(&mut game, &positions, &found, style);
        if let Some(mv) = novelty.as_ref().and_then(Novelty::new_move) {
            mark(&mut game, mv)?;
            counts.push(("novelties", 1));
        }
        let count = |kind| judged.iter().filter(|judgement| **judgement == kind).count() as u64;
        counts.extend([
            ("faulty", u64::from(is_faulty)),
            ("positions", positions.len() as u64),
            ("inaccuracies", count(Judgement::Inaccuracy)),
            ("mistakes", count(Judgement::Mistake)),
            ("blunders", count(Judgement::Blunder)),
        ]);
    }
    let mut text = String::new();
    // A game from a reader can always be written, the names of its tags included.
    let written = Format::new().append(&game, &mut text);
    written.map_err(|error| anyhow!("a game cannot be written: {error}"))?;
    Ok(Some(Piece { text, counts }))
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
