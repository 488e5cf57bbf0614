//! Clocks as programs write them: wrapped over lines, in hours and minutes, in days.

use halfmove_game::codec::whole::Parts;
use halfmove_game::pgn::{Checker, FaultKind, GameReader, Reader, write_game};
use halfmove_game::{Game, Score};

fn field() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/field/16-clocks.pgn");
    std::fs::read_to_string(path).expect("a file")
}

fn games(text: &str) -> Vec<Game> {
    let (mut reader, mut games) = (GameReader::new(text.as_bytes()), Vec::new());
    let mut game = Game::default();
    while reader.read(&mut game).expect("a text").is_some() {
        games.push(game.clone());
    }
    games
}

/// The clock after each half-move, in seconds.
fn clocks(game: &Game) -> Vec<Option<f64>> {
    let of = |ply| {
        let node = game.node(ply).expect("a half-move");
        node.comments().find_map(|comment| comment.clock()).map(|clock| clock.seconds())
    };
    (1..=game.moves.len()).map(of).collect()
}

#[test]
fn clocks_of_programs_are_read() {
    let games = games(&field());
    let round = |name: &str| {
        games.iter().find(|game| game.tags.value("Round") == Some(name)).expect("a game")
    };
    let seconds = |name| clocks(round(name));
    let wrapped = [1_799.2, 1_797.1, 1_791.8, 1_776.9, 1_775.0];
    assert_eq!(seconds("chesscom"), wrapped.map(Some));
    assert_eq!(seconds("hhmm"), [5_400.0, 5_340.0, 5_280.0, 3_543.0].map(Some));
    assert_eq!(seconds("days"), [258_912.0, 259_141.0, 43_200.0].map(Some));
    assert_eq!(seconds("gaps")[6], Some(7_057.0));
    let node = round("evals").node(5).expect("a half-move");
    let found = node.comments().next().and_then(|comment| comment.evaluation());
    assert_eq!(found.map(|found| found.score()), Some(Score::Mate(0)));
    // What is written goes back as it was, with the same meaning.
    for game in &games {
        let text = write_game(game).expect("tags");
        assert_eq!(&self::games(&text), std::slice::from_ref(game), "{text}");
        let parts = Parts::of(game);
        let decoded = parts.game(&game.tags, game.start.clone(), &game.moves).expect("a game");
        assert_eq!(&decoded, game);
    }
    let spelled: String = games.iter().map(|game| write_game(game).expect("tags")).collect();
    let compact = |text: &str| text.split_whitespace().collect::<String>();
    let commands = |text: &str| compact(text).matches("[%clk1:30]").count();
    assert_eq!((commands(&field()), commands(&spelled)), (1, 1));
}

#[test]
fn the_time_control_tells_hours_from_minutes() {
    let clocks_with = |tags: &str, clocks: [&str; 2]| {
        let [one, two] = clocks;
        let text = format!("{tags}\n\n1. e4 {{[%clk {one}]}} e5 {{[%clk {two}]}} *\n");
        self::clocks(&games(&text)[0])
    };
    let control = "[TimeControl \"5400+30\"]";
    assert_eq!(clocks_with(control, ["1:30", "1:29"]), [5_400.0, 5_340.0].map(Some));
    let control = "[TimeControl \"90+1\"]";
    assert_eq!(clocks_with(control, ["1:30", "1:29"]), [90.0, 89.0].map(Some));
    // The first clock is far too long for hours.
    assert_eq!(clocks_with("[White \"a\"]", ["10:00", "9:58"]), [600.0, 598.0].map(Some));
    assert_eq!(clocks_with("[White \"a\"]", ["1:30", "1:29"]), [None, None]);
}

#[test]
fn an_unknown_clock_is_a_warning() {
    let faults = |text: &str| {
        let (mut reader, mut checker) = (Reader::new(text.as_bytes()), Checker::new());
        checker.read_game(&mut reader).expect("a text");
        let faults = checker.faults().iter();
        faults.map(|fault| (fault.kind.name(), fault.kind.is_error())).collect::<Vec<_>>()
    };
    let moves = "1. e4 {[%clk 1:30]} e5 {[%clk 1:29]} *\n";
    assert_eq!(faults(moves), [("unknown_clock", false)]);
    assert_eq!(faults(&format!("[TimeControl \"5400\"]\n\n{moves}")), []);
    assert_eq!(faults("1. e4 {[%clk one] [%emt -3]} e5 {[%eval good]} *\n").len(), 3);
    assert_eq!(faults("1. e4 {[%clk\n0:01:05] [%clkfont x] [%depth 3]} *\n"), []);
    let (mut reader, mut checker) = (Reader::new(moves.as_bytes()), Checker::new());
    checker.read_game(&mut reader).expect("a text");
    let FaultKind::UnusableValue { name, found, .. } = &checker.faults()[0].kind else {
        panic!("{:?}", checker.faults());
    };
    assert_eq!((name.as_str(), found.as_str()), ("%clk", "1:30"));
}
