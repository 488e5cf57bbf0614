//! The search of the 0x88 board: minimax is the oracle of alpha-beta, an exhaustive search on bitboards that of mates,
//! and crate `rules` checks whole games to their end.

use super::{objects, rows};
use halfmove_mailbox::{
    Chess, CountingPolicy, Dialect, Game, Limits, Makruk, Rules, State, alpha_beta, deepen,
    evaluate, minimax,
};
use halfmove_rules::{self as rules, AnyPosition, History, Move, Outcome, Variant, makruk};
use std::collections::BTreeMap;

fn makruk(fen: &str, rules: Rules) -> Makruk {
    let state = Makruk::from_fen(fen, rules, Dialect::Fairy, CountingPolicy::Auto);
    state.unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Positions of games between programs: several of each game of Makruk, Makpong and ASEAN chess.
fn positions_of(rules: Rules) -> Vec<Makruk> {
    let name = ["makruk", "makpong", "asean"][rules as usize];
    let games = objects("makruk/kin_games.jsonl").into_iter();
    let mut positions = Vec::new();
    for game in games.filter(|game| game["variant"] == name) {
        let mut state = makruk(game["start"].as_str().expect("a start"), rules);
        let moves = game["moves"].as_str().expect("moves");
        for (ply, uci) in moves.split_whitespace().enumerate() {
            if ply % 20 == 5 {
                positions.push(state.clone());
            }
            let mv = state.parse_uci(uci, rules::CastlingStyle::KingToTarget).expect("legal");
            state = state.play_unchecked(mv);
        }
    }
    // Openings and middlegames, too.
    let perft = objects("makruk/kin_perft.jsonl").into_iter();
    let rows = perft.filter(|row| row["variant"] == name);
    positions.extend(rows.map(|row| makruk(row["fen"].as_str().expect("a FEN"), rules)));
    if rules == Rules::Makruk {
        let rows = objects("makruk/perft.jsonl").into_iter();
        positions.extend(rows.map(|row| makruk(row["fen"].as_str().expect("a FEN"), rules)));
    }
    positions
}

fn positions_of_chess() -> Vec<Chess> {
    let tables = ["movegen/real.tsv", "tactics/wac.tsv"].into_iter().flat_map(rows);
    tables.step_by(9).map(|row| Chess::from_fen(&row[0]).expect("a FEN")).collect()
}

/// Alpha-beta finds the value, the best move and the whole line of minimax, and so does iterative deepening, except for
/// the choice among equal moves. Returns the nodes of both.
fn compare<G: Game>(state: &State<G>, depth: u32) -> [u64; 2] {
    let (all, pruned) = (minimax(state, depth), alpha_beta(state, depth));
    assert_eq!((all.value, &all.line), (pruned.value, &pruned.line), "depth {depth}\n{state}");
    let limits = Limits { depth, nodes: None };
    let mut reports = 0;
    let deepened = deepen(state, limits, &mut || false, &mut |reported, found| {
        reports += 1;
        assert_eq!(reported, reports);
        assert!(found.line.len() <= reported as usize);
    });
    assert_eq!(deepened.is_some(), state.has_legal_move());
    if let Some(deepened) = deepened
        && reports == depth
    {
        assert_eq!(deepened.value, all.value, "depth {depth}\n{state}");
    }
    [all.nodes, pruned.nodes]
}

fn compare_all<G: Game>(positions: &[State<G>]) {
    assert!(positions.len() >= 35, "{}", positions.len());
    let mut nodes = [0; 2];
    for (i, state) in positions.iter().enumerate() {
        let deep = if i % 12 == 0 { 3 } else { 2 };
        for depth in 0..=deep {
            let [all, pruned] = compare(state, depth);
            nodes = [nodes[0] + all, nodes[1] + pruned];
        }
    }
    assert!(nodes[1] < nodes[0] / 3, "{nodes:?}");
}

#[test]
fn alpha_beta_is_minimax_in_chess() {
    compare_all(&positions_of_chess());
}

#[test]
fn alpha_beta_is_minimax_in_makruk() {
    compare_all(&positions_of(Rules::Makruk));
}

#[test]
fn alpha_beta_is_minimax_in_makpong() {
    compare_all(&positions_of(Rules::Makpong));
}

#[test]
fn alpha_beta_is_minimax_in_asean_chess() {
    compare_all(&positions_of(Rules::Asean));
}

/// The board upside down, with colors swapped, has the opposite value, term by term.
#[test]
fn evaluation_is_symmetric() {
    let flipped = |fen: &str| {
        let mut fields = fen.split(' ');
        let (pieces, side) = (fields.next().expect("pieces"), fields.next().expect("a side"));
        let swap = |letter: char| match letter.is_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let ranks: Vec<&str> = pieces.split('/').rev().collect();
        let side = if side == "w" { 'b' } else { 'w' };
        format!("{} {side} - - 0 1", ranks.join("/").chars().map(swap).collect::<String>())
    };
    let mut seen = [0; 6];
    let mut check = |one: [(&str, i32); 6], other: [(&str, i32); 6], fen: &str| {
        for (i, (one, other)) in one.into_iter().zip(other).enumerate() {
            assert_eq!(one.1, -other.1, "{} in {fen}", one.0);
            seen[i] += usize::from(one.1 != 0);
        }
    };
    for state in positions_of_chess() {
        let other = Chess::from_fen(&flipped(&state.to_fen())).expect("a FEN");
        check(evaluate(&state).terms(), evaluate(&other).terms(), &state.to_fen());
    }
    for rules in Rules::ALL {
        for state in positions_of(rules) {
            let fen = state.to_fen(Dialect::Fairy);
            let other = makruk(&flipped(&fen), rules);
            check(evaluate(&state).terms(), evaluate(&other).terms(), &fen);
        }
    }
    assert!(seen.iter().all(|term| *term > 20), "a term is never used: {seen:?}");
}

/// Returns true if the side to move mates in `moves` against every defense, by exhaustive search on bitboards.
fn mates_in(position: &AnyPosition, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        match next.outcome() {
            Some(outcome) => outcome.winner().is_some(),
            None if moves == 1 => false,
            None => next.legal_moves().into_iter().all(|reply| {
                let mut after = next.clone();
                after.play_unchecked(reply);
                after.outcome().is_none() && mates_in(&after, moves - 1)
            }),
        }
    })
}

/// Checks that the search finds the shortest mate of at most two moves, or none; returns its number of moves.
fn check_mate<G: Game>(state: &State<G>, position: &AnyPosition) -> u32 {
    let shortest = (1..=2).find(|moves| mates_in(position, *moves));
    let expected = shortest.map(|moves| {
        let plies = 2 * moves as i32 - 1;
        if state.side_to_move() == rules::Color::White { plies } else { -plies }
    });
    let found = alpha_beta(state, 3);
    let wins = found.value.mate_plies().filter(|plies| plies % 2 != 0);
    assert_eq!(wins, expected, "{position}");
    if let Some(plies) = expected {
        assert_eq!(found.line.len(), plies.unsigned_abs() as usize, "{position}");
        let last =
            found.line.iter().fold(state.clone(), |state, mv| state.play(*mv).expect("legal"));
        assert!(last.is_checkmate(), "{position}");
    }
    shortest.unwrap_or_default()
}

#[test]
fn mates_of_chess_are_found() {
    let mut found = [0; 3];
    for row in rows("tactics/wac.tsv") {
        let position: rules::Chess = row[0].parse().expect("a FEN");
        let state = Chess::from_fen(&row[0]).expect("a FEN");
        found[check_mate(&state, &position.into()) as usize] += 1;
    }
    assert!(found[0] > 20 && found[2] >= 4, "{found:?}");
}

/// The last moves of games that ended by mate, and some that did not.
#[test]
fn mates_of_makruk_are_found() {
    let mut found = [0; 3];
    for game in objects("makruk/games.jsonl") {
        let moves: Vec<&str> = game["moves"].as_str().expect("moves").split(' ').collect();
        let mut position = AnyPosition::start(Variant::Makruk);
        for (i, uci) in moves.iter().enumerate() {
            if moves.len() - i == 3 || moves.len() - i == 1 {
                let state = makruk(&position.to_string(), Rules::Makruk);
                found[check_mate(&state, &position) as usize] += 1;
            }
            let mv = position.parse_uci(uci).expect("a legal move");
            position = position.play(mv).expect("legal");
        }
    }
    assert!(found[0] > 10 && found[1] > 15 && found[2] >= 3, "{found:?}");
}

/// The count limits the number of moves: mate by then, or a draw.
#[test]
fn mates_in_time_count_only() {
    for (fen, depth, expected) in [
        ("k7/8/1K6/8/8/8/8/7R w - 32 31 70", 3, Some(1)),
        ("k7/8/2K5/8/8/8/8/7R w - 32 31 70", 3, None),
        ("k7/8/2K5/8/8/8/8/7R w - 32 21 70", 3, Some(3)),
        ("7k/8/4M3/3R1S2/5K2/8/8/8 w - 32 29 60", 3, Some(3)),
    ] {
        let found = alpha_beta(&makruk(fen, Rules::Makruk), depth);
        assert_eq!(found.value.mate_plies(), expected, "{fen}");
    }
    let late = alpha_beta(&makruk("k7/8/2K5/8/8/8/8/7R w - 32 31 70", Rules::Makruk), 3);
    assert_eq!(late.value.centipawns(), 0);
}

#[test]
fn a_search_stops_at_its_limit() {
    let state = Chess::default();
    let search = |depth, nodes, stop: &mut dyn FnMut() -> bool| {
        let found = deepen(&state, Limits { depth, nodes }, stop, &mut |_, _| {}).expect("a move");
        assert!(found.line.iter().all(|mv| Move::from_bits(mv.to_bits()).is_some()));
        assert!(state.is_legal(found.line[0]));
        found.nodes
    };
    assert_eq!(search(9, Some(500), &mut || false), 500);
    assert_eq!(search(9, None, &mut || true), 0);
    let mut calls = 0;
    let mut thirty = || {
        calls += 1;
        calls > 30
    };
    assert_eq!(search(9, None, &mut thirty), 30);
    let mate = Chess::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").expect("a FEN");
    assert_eq!(
        deepen(&mate, Limits { depth: 3, nodes: None }, &mut || false, &mut |_, _| {}),
        None
    );
}

/// Plays a game against itself from a position, and checks each move and state of the game with crate `rules`.
fn play_out<G: Game>(
    mut state: State<G>,
    mut history: History<AnyPosition>,
    outcome: impl Fn(&State<G>) -> Option<Outcome>,
) -> Outcome {
    loop {
        let position = history.position().to_string();
        assert_eq!(outcome(&state), history.outcome().or(history.claim()), "{position}");
        if let Some(outcome) = outcome(&state) {
            return outcome;
        }
        // Deeper where there are few moves, so that mates are found.
        let limits = Limits { depth: 5, nodes: Some(1_000) };
        let found = deepen(&state, limits, &mut || false, &mut |_, _| {}).expect("a legal move");
        history.play(found.line[0]).unwrap_or_else(|e| panic!("{position}: {e}"));
        state = state.play_unchecked(found.line[0]);
    }
}

/// Beginnings, for games that differ.
const PICKS: [[usize; 6]; 4] =
    [[0, 0, 0, 0, 0, 0], [3, 7, 11, 2, 5, 9], [8, 1, 4, 15, 6, 3], [12, 14, 2, 8, 17, 1]];

fn begin<G: Game>(mut state: State<G>, picks: &[usize]) -> (State<G>, Vec<Move>) {
    let mut played = Vec::new();
    for pick in picks {
        let mut moves = state.legal_moves();
        moves.sort_unstable();
        let mv = moves[pick % moves.len()];
        state = state.play_unchecked(mv);
        played.push(mv);
    }
    (state, played)
}

#[test]
fn whole_games_are_played() {
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let mut note = |outcome: Outcome| *outcomes.entry(outcome.to_string()).or_default() += 1;
    for picks in &PICKS {
        let (state, played) = begin(Chess::default(), picks);
        let mut history = History::new(AnyPosition::start(Variant::Chess));
        played.into_iter().for_each(|mv| history.play_unchecked(mv));
        let outcome = |state: &Chess| state.ending().or(state.claim()).map(Outcome::from);
        note(play_out(state, history, outcome));
        for (rules, variant) in [
            (Rules::Makruk, makruk::Rules::Makruk),
            (Rules::Makpong, makruk::Rules::Makpong),
            (Rules::Asean, makruk::Rules::Asean),
        ] {
            let (state, played) = begin(Makruk::start(rules, CountingPolicy::Auto), picks);
            let start = rules::Makruk::start(variant).with_policy(makruk::CountingPolicy::Auto);
            let mut history = History::new(AnyPosition::Makruk(start));
            played.into_iter().for_each(|mv| history.play_unchecked(mv));
            note(play_out(state, history, State::outcome));
        }
    }
    assert_eq!(outcomes.values().sum::<usize>(), 16);
    assert!(outcomes["checkmate"] >= 5 && outcomes.len() >= 2, "{outcomes:?}");
}
