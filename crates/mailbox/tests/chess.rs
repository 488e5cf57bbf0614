//! Chess: the bitboards and the 0x88 board agree, position by position.

use super::spoil::{edited, edits};
use super::{config, shipped, walked};
use halfmove_mailbox::{self as mailbox, ChessFenError};
use halfmove_rules::{
    Bitboard, Board, CastlingRights, CastlingSide, Chess, Color, FenError, File, Flaws, History,
    Move, Outcome, Piece, PositionError, Rank, Role, Setup, Square,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Both implementations at the same position.
#[derive(Clone)]
struct Both {
    bitboards: History<Chess>,
    mailbox: mailbox::Chess,
}

impl Both {
    /// The position of a setup; `None` if the rules do not allow it, for which both boards must give the same
    /// reasons.
    fn of(setup: &Setup) -> Option<Self> {
        let bitboards = Chess::from_setup_in(setup.clone(), None, Flaws::UNREACHABLE);
        let mailbox = mailbox::Chess::from_setup(setup);
        let flaws = bitboards.as_ref().err().map(PositionError::flaws);
        assert_eq!(flaws, mailbox.as_ref().err().copied(), "{setup}");
        Some(Self { bitboards: History::new(bitboards.ok()?), mailbox: mailbox.ok()? })
    }

    /// Reads a text on both boards, which must agree on its validity and on the reason.
    fn read(text: &str) -> Option<mailbox::Chess> {
        let bitboards = Chess::from_fen(text, None);
        let mailbox = mailbox::Chess::from_fen(text);
        match (&bitboards, &mailbox) {
            (Ok(bitboards), Ok(mailbox)) => assert_eq!(bitboards.to_string(), mailbox.to_fen()),
            (Err(FenError::Syntax(error)), Err(ChessFenError::Syntax(field))) => {
                assert_eq!(error.field, *field, "{text:?}");
            }
            (Err(FenError::Position(error)), Err(ChessFenError::Position(flaws))) => {
                assert_eq!(error.flaws(), *flaws, "{text:?}");
            }
            _ => panic!("{text:?}: {bitboards:?}, {mailbox:?}"),
        }
        mailbox.ok()
    }

    fn of_fen(fen: &str) -> Self {
        let setup = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        Self::of(&setup).unwrap_or_else(|| panic!("{fen} is no legal position"))
    }

    fn position(&self) -> &Chess {
        self.bitboards.position()
    }

    /// Compares everything about a position; returns the legal moves, sorted.
    fn compare(&self) -> Vec<Move> {
        let (bitboards, mailbox) = (self.position(), &self.mailbox);
        let setup = mailbox.to_setup();
        assert_eq!(bitboards.to_setup(), setup, "{bitboards} and {setup}");
        // FEN out and back in, each board with its own code.
        let fen = mailbox.to_fen();
        assert_eq!(bitboards.to_string(), fen);
        let shredder = setup.shredder().to_string();
        for text in [&fen, &shredder] {
            assert_eq!(Both::read(text).as_ref().map(mailbox::Chess::to_fen), Some(fen.clone()));
        }
        let mut moves = mailbox.legal_moves();
        moves.sort();
        let mut theirs = bitboards.legal_moves();
        theirs.sort();
        assert_eq!(theirs.as_slice(), moves, "{setup}");
        assert_eq!(bitboards.count_moves(), moves.len(), "{setup}");
        assert_eq!(bitboards.checkers(), mailbox.checkers().collect(), "{setup}");
        assert_eq!(self.bitboards.outcome(), mailbox.outcome(), "{setup}");
        let claim = mailbox.claim().map(Outcome::from);
        assert_eq!(self.bitboards.claim(), claim, "{setup}");
        assert_eq!(self.bitboards.occurrences(), usize::from(mailbox.occurrences()), "{setup}");
        for color in Color::ALL {
            for square in Bitboard::FULL {
                let board = bitboards.board();
                let attackers = board.attackers(square, color, board.occupied());
                let theirs: Bitboard = mailbox.board().attackers(square, color).collect();
                assert_eq!(attackers, theirs, "{color} to {square} in {setup}");
                assert_eq!(walked(mailbox.board(), color, square), theirs, "{setup}");
            }
        }
        moves
    }

    /// Tests on both boards if a move of arbitrary bits is legal.
    fn try_bits(&self, bits: u16) {
        if let Some(mv) = Move::from_bits(bits) {
            let legal = self.mailbox.is_legal(mv);
            assert_eq!(self.position().is_legal(mv), legal, "{bits:#x} in {}", self.position());
            assert_eq!(self.position().play(mv).is_ok(), legal);
        }
    }

    fn play(&mut self, mv: Move) {
        self.mailbox = self.mailbox.play(mv).expect("a legal move");
        assert_eq!(self.position().gives_check(mv), self.mailbox.is_check());
        self.bitboards.play_unchecked(mv);
    }

    /// Compares the position after every legal move, and the captures among them.
    fn compare_every_move(&self) {
        let pieces = |position: &mailbox::Chess| position.board().pieces().count();
        let mut captures = Vec::new();
        for mv in self.compare() {
            let mut next = self.clone();
            next.play(mv);
            assert_eq!(next.position().to_setup(), next.mailbox.to_setup(), "{mv:?}");
            if pieces(&next.mailbox) < pieces(&self.mailbox) {
                captures.push(mv);
            }
        }
        let mut theirs = self.position().captures();
        theirs.sort();
        assert_eq!(theirs.as_slice(), captures, "{}", self.position());
    }

    /// A game: each number picks one of the legal moves.
    fn play_on(&mut self, picks: &[u16]) {
        for pick in picks {
            let moves = self.compare();
            self.try_bits(*pick);
            if moves.is_empty() {
                return;
            }
            self.play(moves[usize::from(*pick) % moves.len()]);
        }
        self.compare();
    }
}

/// The FENs of a table, each once.
fn fens(name: &str) -> Vec<String> {
    let mut fens: Vec<String> = shipped(name)
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap_or_default().to_owned())
        .collect();
    fens.dedup();
    assert!(fens.len() >= 200, "{name} is short");
    fens
}

const TABLES: [&str; 5] = [
    "perft/standard.tsv",
    "perft/chess960.tsv",
    "movegen/real.tsv",
    "movegen/tricky.tsv",
    "movegen/chess960.tsv",
];

/// Checks the 0x88 board alone against other programs' counts of up to `most_nodes` nodes; returns how many
/// were checked.
fn check_published_counts(most_nodes: u64) -> usize {
    let mut checked = 0;
    for name in ["perft/standard.tsv", "perft/chess960.tsv"] {
        for line in shipped(name).lines().skip(1) {
            let [fen, depth, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}: three columns")
            };
            let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
            if nodes <= most_nodes {
                let position = mailbox::Chess::from_setup(&fen.parse().unwrap()).unwrap();
                assert_eq!(position.perft(depth), nodes, "{line}");
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn published_counts() {
    assert!(check_published_counts(2_000) > 1_000);
}

#[test]
#[ignore = "a slow board, 33 million nodes: make verify"]
fn more_published_counts() {
    assert!(check_published_counts(20_000) > 5_000);
}

#[test]
fn every_shipped_position() {
    for fen in TABLES.into_iter().flat_map(fens) {
        Both::of_fen(&fen).compare();
    }
}

#[test]
fn every_move_of_shipped_positions() {
    for name in ["movegen/real.tsv", "movegen/tricky.tsv", "movegen/chess960.tsv"] {
        for fen in fens(name) {
            Both::of_fen(&fen).compare_every_move();
        }
    }
}

fn shipped_fen() -> impl Strategy<Value = String> {
    prop::sample::select(TABLES.into_iter().flat_map(fens).collect::<Vec<_>>())
}

fn picks(plies: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 1..plies)
}

/// A shuffled back rank: any order with the king between the rooks, and the bishops on squares of different
/// colors.
fn chess960_back_rank() -> impl Strategy<Value = [Role; 8]> {
    use Role::{Bishop, King, Knight, Queen, Rook};
    let any_order = Just([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]).prop_shuffle();
    any_order.prop_map(|mut back| {
        // Swapping two pieces repairs an invalid order, so that no sample is rejected.
        let bishops = |back: &[Role; 8]| [0, 1].map(|nth| nth_of(back, Bishop, nth));
        let [one, other] = bishops(&back);
        if (other - one) % 2 == 0 {
            back.swap(other, other ^ 1);
            if back[other] == Bishop {
                back.swap(one, one ^ 1);
            }
        }
        let mut three = [nth_of(&back, Rook, 0), nth_of(&back, Rook, 1), nth_of(&back, King, 0)];
        three.sort_unstable();
        let [left, middle, right] = three;
        (back[left], back[middle], back[right]) = (Rook, King, Rook);
        back
    })
}

fn nth_of(back: &[Role; 8], role: Role, nth: usize) -> usize {
    (0..8).filter(|file| back[*file] == role).nth(nth).expect("so many pieces of a role")
}

fn chess960_start(back: [[Role; 8]; 2]) -> Setup {
    let mut board = Board::default();
    let mut castling = CastlingRights::NONE;
    for (color, first, second) in
        [(Color::White, Rank::First, Rank::Second), (Color::Black, Rank::Eighth, Rank::Seventh)]
    {
        let back = back[color.index()];
        for file in File::ALL {
            let role = back[file.index()];
            board.put(Square::new(file, first), Piece { color, role });
            board.put(Square::new(file, second), Piece { color, role: Role::Pawn });
        }
        for (side, nth) in [(CastlingSide::QueenSide, 0), (CastlingSide::KingSide, 1)] {
            let file = File::ALL[nth_of(&back, Role::Rook, nth)];
            castling.set(color, side, Some(Square::new(file, first)));
        }
    }
    Setup {
        board,
        side_to_move: Color::White,
        castling,
        ep_square: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    }
}

/// Scattered pieces, with the claims of a FEN about them, where they fit.
#[derive(Clone, Debug)]
struct Strewn {
    pieces: Vec<(u8, Color, Role)>,
    /// The file of a pawn that has just advanced two squares, and whether pawns stand to its left and right.
    advanced: Option<(i8, [bool; 2])>,
    /// Each side's king, and the files of the rooks with which it may castle.
    kings: [u8; 2],
    rooks: [Vec<u8>; 2],
    side_to_move: Color,
    /// The castling rights that are claimed, one bit per file, for each side.
    rights: [u8; 2],
    halfmove_clock: u16,
}

fn color() -> impl Strategy<Value = Color> + Clone {
    prop::sample::select(&Color::ALL[..])
}

prop_compose! {
    fn strewn()(
        pieces in pieces(),
        advanced in prop::option::of((0..8_i8, any::<[bool; 2]>())),
        // Half of the kings stand where they might castle.
        white in prop_oneof![1..7_u8, 0..64_u8],
        black in prop_oneof![57..63_u8, 0..64_u8],
        rooks in [prop::collection::vec(0..8_u8, 0..3), prop::collection::vec(0..8_u8, 0..3)],
        side_to_move in color(),
        rights in any::<[u8; 2]>(),
        halfmove_clock in 0..120_u16,
    ) -> Strewn {
        let kings = [white, black];
        Strewn { pieces, advanced, kings, rooks, side_to_move, rights, halfmove_clock }
    }
}

fn pieces() -> impl Strategy<Value = Vec<(u8, Color, Role)>> {
    let role = prop_oneof![
        4 => Just(Role::Pawn),
        1 => Just(Role::Knight),
        1 => Just(Role::Bishop),
        1 => Just(Role::Rook),
        2 => Just(Role::Queen),
    ];
    let piece = (0..64_u8, color(), role);
    prop_oneof![prop::collection::vec(piece.clone(), 0..8), prop::collection::vec(piece, 0..40)]
}

impl Strewn {
    fn setup(&self) -> Setup {
        let mut setup = Setup {
            board: Board::default(),
            side_to_move: self.side_to_move,
            castling: CastlingRights::NONE,
            ep_square: None,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: 1,
        };
        let board = &mut setup.board;
        for (square, color, role) in &self.pieces {
            // A pawn on a back rank is moved to a rank where pawns may stand.
            let square = match (role, square / 8) {
                (Role::Pawn, 0) => square + 8,
                (Role::Pawn, 7) => square - 8,
                _ => *square,
            };
            board.put(Square::wrapping(square), Piece { color: *color, role: *role });
        }
        for color in Color::ALL {
            for file in &self.rooks[color.index()] {
                let square = Square::wrapping(file + 56 * color.index() as u8);
                board.put(square, Piece { color, role: Role::Rook });
            }
        }
        if let Some((file, beside)) = self.advanced {
            self.put_advanced_pawn(board, file, beside);
        }
        for (color, king) in Color::ALL.into_iter().zip(self.kings) {
            board.put(Square::wrapping(king), Piece { color, role: Role::King });
        }
        self.claim_castling(&mut setup);
        self.claim_en_passant(&mut setup);
        setup
    }

    /// The ranks that a pawn of the side that has just moved leaves, passes and reaches.
    fn ranks(&self) -> [Rank; 3] {
        match self.side_to_move {
            Color::White => [Rank::Seventh, Rank::Sixth, Rank::Fifth],
            Color::Black => [Rank::Second, Rank::Third, Rank::Fourth],
        }
    }

    fn put_advanced_pawn(&self, board: &mut Board, file: i8, beside: [bool; 2]) {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let [left, ep_square, reached] =
            self.ranks().map(|rank| Square::new(File::ALL[file as usize], rank));
        board.remove(left);
        board.remove(ep_square);
        board.put(reached, Piece { color: them, role: Role::Pawn });
        for (files, is_there) in [-1, 1].into_iter().zip(beside) {
            if let Some(square) = reached.offset(files, 0).filter(|_| is_there) {
                board.put(square, Piece { color: us, role: Role::Pawn });
            }
        }
    }

    /// Adds those of the claimed rights that fit.
    fn claim_castling(&self, setup: &mut Setup) {
        for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
            let rook = Piece { color, role: Role::Rook };
            let Some(king) = setup.board.king(color).filter(|king| king.rank() == rank) else {
                continue;
            };
            for file in File::ALL {
                let square = Square::new(file, rank);
                let claimed = self.rights[color.index()] >> file.index() & 1 == 0;
                if claimed && setup.board.piece_at(square) == Some(rook) {
                    setup.castling.set(color, CastlingSide::of(king, square), Some(square));
                }
            }
        }
    }

    /// Adds the square behind the advanced pawn, unless a king was put in its way.
    fn claim_en_passant(&self, setup: &mut Setup) {
        let Some((file, _)) = self.advanced else { return };
        let [left, ep_square, reached] = self.ranks().map(|rank| {
            let square = Square::new(File::ALL[file as usize], rank);
            (square, setup.board.role_at(square))
        });
        if (left.1, ep_square.1, reached.1) == (None, None, Some(Role::Pawn)) {
            setup.ep_square = Some(ep_square.0);
        }
    }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn games_from_the_usual_start(picks in picks(150)) {
        let mut both = Both { bitboards: History::new(Chess::default()), mailbox: mailbox::Chess::default() };
        both.play_on(&picks);
    }

    #[test]
    fn games_from_chess960_starts(
        white in chess960_back_rank(), black in chess960_back_rank(), picks in picks(100),
    ) {
        let start = Both::of(&chess960_start([white, black]));
        start.expect("a legal start").play_on(&picks);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn games_from_shipped_positions(fen in shipped_fen(), picks in picks(20)) {
        Both::of_fen(&fen).play_on(&picks);
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn games_from_strewn_pieces(strewn in strewn(), picks in picks(6)) {
        let mut setup = strewn.setup();
        let mut both = Both::of(&setup);
        if both.is_none() {
            // Often the other side is in check; then it is made the side to move.
            setup.side_to_move = !setup.side_to_move;
            setup.ep_square = None;
            both = Both::of(&setup);
        }
        if let Some(mut both) = both {
            both.play_on(&picks);
        }
    }

    #[test]
    fn arbitrary_moves(fen in shipped_fen(), bits in any::<[u16; 16]>()) {
        let both = Both::of_fen(&fen);
        for bits in bits {
            both.try_bits(bits);
        }
    }
}

const LETTERS: &[&str] = &[
    "", " ", "/", "-", "K", "k", "Q", "q", "P", "p", "R", "r", "n", "B", "M", "~", "0", "1", "2",
    "7", "8", "9", "8/", "x", "\u{e9}", "\t",
];

const FIELDS: &[&str] = &[
    "w", "b", "-", "KQkq", "HAha", "K", "Qk", "Hq", "KH", "QA", "kK", "qb", "Gg", "e3", "d6", "a6",
    "h3", "e4", "E3", "i3", "0", "1", "01", "99", "65535", "65536", "+1", "x", "",
];

proptest! {
    #![proptest_config(config(8_000))]

    /// Altered FENs: both boards read the same position, or reject the text for the same reason.
    #[test]
    fn spoiled_fens(fen in shipped_fen(), strewn in prop::option::of(strewn()), edits in edits(LETTERS, FIELDS)) {
        let fen = strewn.map_or(fen, |strewn| strewn.setup().to_string());
        let text = edited(&fen, &edits);
        // Left out: `;`, after which EPD continues, and `-0 1` for `- 0 1`, which only `Setup` accepts.
        let fields = text.split(' ').filter(|field| !field.is_empty()).collect::<Vec<_>>();
        let glued = fields.get(3).is_some_and(|field| field.len() > 1 && field.starts_with('-'));
        if !glued && !text.contains(';') {
            Both::read(&text);
        }
    }
}

/// Every move that 16 bits can encode, in positions of every kind, is legal if and only if the 0x88 board lists it.
#[test]
fn all_bits_at_shipped_positions() {
    for fen in TABLES.into_iter().flat_map(fens).step_by(199) {
        let both = Both::of_fen(&fen);
        let legal =
            (0..=u16::MAX).filter_map(Move::from_bits).filter(|mv| both.position().is_legal(*mv));
        let legal: BTreeSet<Move> = legal.collect();
        let listed: BTreeSet<Move> = both.mailbox.legal_moves().into_iter().collect();
        assert_eq!(legal, listed, "{fen}");
    }
}
