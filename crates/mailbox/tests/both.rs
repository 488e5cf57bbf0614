//! Makruk, Makpong and ASEAN chess: the bitboards and the 0x88 board agree, position by position.

use super::spoil::{Edit, edited, edits};
use super::{config, walked};
use halfmove_mailbox::{self as mailbox, Board, Kind, Piece};
use halfmove_rules::makruk::{self, CountingPolicy, Dialect, Rules, SanStyle};
use halfmove_rules::{Bitboard, Color, History, Makruk, Move, Square};
use proptest::prelude::*;

/// Both implementations at the same position.
struct Both {
    bitboards: History<Makruk>,
    mailbox: mailbox::Makruk,
}

const RULES: [(Rules, mailbox::Rules); 3] = [
    (Rules::Makruk, mailbox::Rules::Makruk),
    (Rules::Makpong, mailbox::Rules::Makpong),
    (Rules::Asean, mailbox::Rules::Asean),
];

const POLICIES: [(CountingPolicy, mailbox::CountingPolicy); 4] = [
    (CountingPolicy::Thai, mailbox::CountingPolicy::Thai),
    (CountingPolicy::Auto, mailbox::CountingPolicy::Auto),
    (CountingPolicy::Fairy11, mailbox::CountingPolicy::Fairy11),
    (CountingPolicy::MakrukJs, mailbox::CountingPolicy::MakrukJs),
];

const DIALECTS: [(Dialect, mailbox::Dialect); 2] =
    [(Dialect::Fairy, mailbox::Dialect::Fairy), (Dialect::MakrukJs, mailbox::Dialect::MakrukJs)];

impl Both {
    fn position(&self) -> &Makruk {
        self.bitboards.position()
    }

    /// Compares everything about a position; returns the legal moves, sorted.
    fn compare(&self) -> Vec<Move> {
        let (bitboards, mailbox) = (self.position(), &self.mailbox);
        let fen = mailbox.to_fen(mailbox::Dialect::Fairy);
        for (theirs, ours) in DIALECTS {
            let written = mailbox.to_fen(ours);
            assert_eq!(bitboards.to_setup().fen(theirs).to_string(), written);
            // Each board reads the text of the other as its own position.
            let setup = makruk::Setup::parse(&written, bitboards.rules(), theirs);
            let again = Makruk::from_setup(setup.expect("a FEN"));
            let again = again.unwrap_or_else(|e| panic!("{written}: {e}"));
            assert_eq!(again.to_setup().fen(theirs).to_string(), written);
            assert_eq!(again, *bitboards, "{written}");
        }
        let mut moves = mailbox.legal_moves();
        moves.sort();
        let mut theirs = bitboards.legal_moves();
        theirs.sort();
        assert_eq!(theirs.as_slice(), moves, "{fen}");
        assert_eq!(bitboards.count_moves(), moves.len(), "{fen}");
        assert_eq!(bitboards.perft(2), mailbox.perft(2), "{fen}");
        assert_eq!(bitboards.checkers(), mailbox.checkers().collect::<Bitboard>(), "{fen}");
        assert_eq!(self.bitboards.outcome(), mailbox.outcome(), "{fen}");
        assert_eq!(self.bitboards.occurrences(), usize::from(mailbox.occurrences()), "{fen}");
        for color in Color::ALL {
            for square in Square::ALL {
                let board = mailbox.board();
                let attackers: Bitboard = board.attackers(square, color).collect();
                assert_eq!(attackers, walked(board, color, square), "{color} to {square}, {fen}");
            }
        }
        moves
    }

    /// Reads altered FENs of this position on both boards, which must reject the same texts and read the same position
    /// from the others.
    fn spoil(&self, edits: &[Edit], dialect: usize) {
        let rules = self.position().rules();
        let (theirs, ours) = DIALECTS[dialect];
        let (_, kin) = RULES.into_iter().find(|(other, _)| *other == rules).expect("known rules");
        let text = edited(&self.mailbox.to_fen(ours), edits);
        let setup = makruk::Setup::parse(&text, rules, theirs).map_err(|error| error.to_string());
        let bitboards =
            setup.and_then(|setup| Makruk::from_setup(setup).map_err(|error| error.to_string()));
        let policy = mailbox::CountingPolicy::Auto;
        let mailbox = mailbox::Makruk::from_fen(&text, kin, ours, policy);
        match (bitboards, mailbox) {
            (Ok(bitboards), Ok(mailbox)) => {
                for (theirs, ours) in DIALECTS {
                    // Only makruk-js's FEN has the first number announced.
                    if !(theirs == Dialect::MakrukJs && dialect == 0) {
                        let written = bitboards.to_setup().fen(theirs).to_string();
                        assert_eq!(written, mailbox.to_fen(ours), "{text:?}");
                    }
                }
                assert_eq!(bitboards.count_moves(), mailbox.legal_moves().len(), "{text:?}");
            }
            (Err(_), Err(_)) => {}
            (theirs, ours) => panic!("{rules:?}, {text:?}: {theirs:?}, {ours:?}"),
        }
    }

    /// Tries every move that bits can encode: both boards and the list must agree on which are legal.
    fn try_all_bits(&self, moves: &[Move]) {
        let mut legal: Vec<Move> = (0..=u16::MAX)
            .filter_map(Move::from_bits)
            .filter(|mv| self.position().is_legal(*mv))
            .collect();
        legal.sort();
        assert_eq!(legal, moves, "{}", self.position());
    }

    /// A game: each number picks one of the legal moves, and occasionally claims or stops a count.
    fn play_on(&mut self, picks: &[u16]) {
        for pick in picks {
            let moves = self.compare();
            if pick % 97 == 0 {
                self.try_all_bits(&moves);
            }
            if moves.is_empty() {
                return;
            }
            let (granted, changed) = match pick >> 8 & 15 {
                0..=3 => (self.bitboards.claim_count().is_ok(), self.mailbox.claim_count()),
                4 => (self.bitboards.stop_count().is_ok(), self.mailbox.stop_count()),
                _ => (true, Ok(self.mailbox.clone())),
            };
            assert_eq!(granted, changed.is_ok(), "{} {changed:?}", self.position());
            self.mailbox = changed.unwrap_or(self.mailbox.clone());
            let mv = moves[usize::from(*pick) % moves.len()];
            for (style, dialect) in [
                (SanStyle::Fairy, mailbox::Dialect::Fairy),
                (SanStyle::MakrukJs, mailbox::Dialect::MakrukJs),
            ] {
                let san = self.mailbox.san_in(mv, dialect);
                assert_eq!(self.position().san_in(mv, style).as_str(), san);
                assert_eq!(self.mailbox.parse_san_in(&san, dialect), Ok(mv), "{san}");
            }
            self.mailbox = self.mailbox.play(mv).expect("a legal move");
            self.bitboards.play_unchecked(mv);
        }
        self.compare();
    }
}

fn picks(plies: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 1..plies)
}

const LETTERS: &[&str] = &[
    "", " ", "/", "-", "~", "K", "k", "E", "T", "M", "m", "F", "f", "S", "s", "N", "R", "r", "B",
    "b", "P", "p", "Q", "Q~", "N~", "K~", "1", "8", "9", "\u{e9}",
];

const FIELDS: &[&str] = &[
    "w", "b", "-", "bp", "pp", "0", "1", "2", "3", "7", "8", "15", "16", "22", "31", "32", "44",
    "63", "64", "65", "88", "127", "128", "129", "32767", "32768", "65535", "65536", "+1", "01",
    "x", "",
];

fn pieces(most: usize) -> impl Strategy<Value = Vec<(u8, Color, Kind)>> {
    use Kind::{FlippedBia, Khon, Knight, Met, Pawn, Rook};
    let kinds = [Pawn, Pawn, Pawn, Knight, Rook, Khon, Met, FlippedBia];
    let piece =
        (0..64_u8, prop::sample::select(&Color::ALL[..]), prop::sample::select(kinds.to_vec()));
    prop::collection::vec(piece, 0..most)
}

/// The position of scattered pieces, if the rules allow it: both must agree on that.
fn strewn(
    pieces: &[(u8, Color, Kind)],
    kings: [u8; 2],
    side: Color,
    rules: usize,
    policy: usize,
) -> Option<Both> {
    let (their_rules, rules) = RULES[rules];
    let kings = Color::ALL.into_iter().zip(kings).map(|(color, king)| (king, color, Kind::King));
    let mut setup = makruk::Setup { side_to_move: side, ..Makruk::start(their_rules).to_setup() };
    setup.board = halfmove_rules::Board::default();
    let mut board = Board::default();
    for (square, color, kind) in pieces.iter().copied().chain(kings) {
        // ASEAN chess does not flip bias: a promoted bia looks like any other piece.
        let kind = match (kind, rules) {
            (Kind::FlippedBia, mailbox::Rules::Asean) => Kind::Met,
            _ => kind,
        };
        let (square, piece) = (Square::wrapping(square), Piece { color, kind });
        board.put(square, piece);
        setup.board.put(square, piece.into());
        setup.promoted -= square;
        if kind == Kind::FlippedBia {
            setup.promoted |= square;
        }
    }
    let (bitboards, mailbox) = POLICIES[policy];
    let mailbox = mailbox::Makruk::from_board(board, side, rules, mailbox);
    let theirs = Makruk::from_setup(setup);
    assert_eq!(theirs.is_ok(), mailbox.is_ok(), "{theirs:?} {mailbox:?}");
    let bitboards = History::new(theirs.ok()?.with_policy(bitboards));
    Some(Both { bitboards, mailbox: mailbox.ok()? })
}

fn check_game_from_start(rules: usize, policy: usize, picks: &[u16]) {
    let (their_rules, rules) = RULES[rules];
    let (bitboards, policy) = POLICIES[policy];
    let start = Makruk::start(their_rules).with_policy(bitboards);
    let mailbox = mailbox::Makruk::start(rules, policy);
    Both { bitboards: History::new(start), mailbox }.play_on(picks);
}

fn check_game_from_strewn(
    pieces: &[(u8, Color, Kind)],
    kings: [u8; 2],
    side: Color,
    [rules, policy]: [usize; 2],
    picks: &[u16],
) {
    let both = strewn(pieces, kings, side, rules, policy)
        .or_else(|| strewn(pieces, kings, !side, rules, policy));
    if let Some(mut both) = both {
        both.play_on(picks);
    }
}

/// A count at its maximum stays a count that both boards write and read.
#[test]
fn the_highest_counts() {
    let (theirs, ours) = (Dialect::MakrukJs, mailbox::Dialect::MakrukJs);
    for number in [32_767, 32_768] {
        let fen = format!("3k4/8/2F5/8/8/8/8/2RK4 w 70 b pp {number} 5 16");
        let policy = mailbox::CountingPolicy::Auto;
        let mailbox = mailbox::Makruk::from_fen(&fen, mailbox::Rules::Makruk, ours, policy);
        let setup = makruk::Setup::parse(&fen, Rules::Makruk, theirs).expect("a FEN");
        let bitboards = History::new(Makruk::from_setup(setup).expect("a position"));
        // Legal moves by their numbers; none claims or stops a count.
        Both { bitboards, mailbox: mailbox.expect("a FEN") }.play_on(&[0x500, 0x500, 0x501, 0x502]);
    }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn games_from_the_start(picks in picks(150), rules in 0..RULES.len(), policy in 0..POLICIES.len()) {
        check_game_from_start(rules, policy, &picks);
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn games_from_strewn_pieces(
        pieces in prop_oneof![pieces(5), pieces(40)], kings in [0..64_u8, 0..64_u8],
        side in prop::sample::select(&Color::ALL[..]), choice in [0..RULES.len(), 0..POLICIES.len()],
        picks in picks(40),
    ) {
        check_game_from_strewn(&pieces, kings, side, choice, &picks);
    }
}

proptest! {
    #![proptest_config(config(6_000))]

    #[test]
    fn spoiled_fens(
        pieces in prop_oneof![pieces(4), pieces(16)], kings in [0..64_u8, 0..64_u8],
        side in prop::sample::select(&Color::ALL[..]), choice in [0..RULES.len(), 0..POLICIES.len()],
        picks in picks(12), edits in edits(LETTERS, FIELDS), dialect in 0..DIALECTS.len(),
    ) {
        let [rules, policy] = choice;
        let both = strewn(&pieces, kings, side, rules, policy)
            .or_else(|| strewn(&pieces, kings, !side, rules, policy));
        if let Some(mut both) = both {
            for pick in picks {
                let moves = both.mailbox.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[usize::from(pick) % moves.len()];
                // A side that has pieces counts only if it claims to.
                if both.bitboards.claim_count().is_ok() {
                    both.mailbox = both.mailbox.claim_count().expect("as the other board");
                }
                both.mailbox = both.mailbox.play(mv).expect("a legal move");
                both.bitboards.play_unchecked(mv);
            }
            both.spoil(&edits, dialect);
        }
    }
}

proptest! {
    #![proptest_config(config(30_000))]

    #[test]
    #[ignore = "many games on a slow board: make verify"]
    fn many_games_from_strewn_pieces(
        pieces in prop_oneof![pieces(5), pieces(40)], kings in [0..64_u8, 0..64_u8],
        side in prop::sample::select(&Color::ALL[..]), choice in [0..RULES.len(), 0..POLICIES.len()],
        picks in picks(120),
    ) {
        check_game_from_strewn(&pieces, kings, side, choice, &picks);
    }
}
