//! Makruk: the bitboards give what the 0x88 board gives, position by position.

use super::config;
use halfmove_rules::mailbox::{self, Board, Dialect, Ending, Kind, Man};
use halfmove_rules::makruk::{self, CountingPolicy};
use halfmove_rules::{Bitboard, Color, Makruk, Move, Outcome, Square};
use proptest::prelude::*;

/// Both implementations at the same position.
#[derive(Clone)]
struct Both {
    bitboards: Makruk,
    mailbox: mailbox::Makruk,
}

const POLICIES: [(CountingPolicy, mailbox::CountingPolicy); 3] = [
    (CountingPolicy::Thai, mailbox::CountingPolicy::Thai),
    (CountingPolicy::Auto, mailbox::CountingPolicy::Auto),
    (CountingPolicy::MakrukJs, mailbox::CountingPolicy::Seed),
];

impl Both {
    /// Compares all there is to a position; returns the legal moves, sorted.
    fn compare(&self) -> Vec<Move> {
        let (bitboards, mailbox) = (&self.bitboards, &self.mailbox);
        let fen = mailbox.to_fen(Dialect::Fairy);
        for (theirs, dialect) in
            [(makruk::Dialect::Fairy, Dialect::Fairy), (makruk::Dialect::MakrukJs, Dialect::Seed)]
        {
            let theirs = bitboards.to_setup().fen(theirs).to_string();
            assert_eq!(theirs, mailbox.to_fen(dialect));
        }
        let mut moves = mailbox.legal_moves();
        moves.sort();
        let mut theirs = bitboards.legal_moves();
        theirs.sort();
        assert_eq!(theirs.as_slice(), moves, "{fen}");
        assert_eq!(bitboards.count_moves(), moves.len(), "{fen}");
        assert_eq!(bitboards.checkers(), mailbox.checkers().collect::<Bitboard>(), "{fen}");
        let outcome = match mailbox.ending() {
            None | Some(Ending::Threefold) => None,
            Some(Ending::Checkmate { winner }) => Some(Outcome::Checkmate { winner }),
            Some(Ending::Stalemate) => Some(Outcome::Stalemate),
            Some(Ending::InsufficientMaterial) => Some(Outcome::InsufficientMaterial),
            Some(Ending::Counting) => Some(Outcome::CountingDraw),
        };
        assert_eq!(bitboards.outcome(), outcome, "{fen}");
        moves
    }

    /// Whether a move given by arbitrary bits is legal: both must agree.
    fn try_bits(&self, bits: u16) {
        if let Some(mv) = Move::from_bits(bits) {
            assert_eq!(self.bitboards.is_legal(mv), self.mailbox.is_legal(mv), "{bits:#x}");
        }
    }

    /// A game: each number picks one of the legal moves, and now and then claims or stops a count.
    fn play_on(&mut self, picks: &[u16]) {
        for pick in picks {
            let moves = self.compare();
            self.try_bits(*pick);
            if moves.is_empty() {
                return;
            }
            let (granted, changed) = match pick >> 8 & 15 {
                0..=3 => (self.bitboards.claim_count().is_ok(), self.mailbox.claim_count()),
                4 => (self.bitboards.stop_count().is_ok(), self.mailbox.stop_count()),
                _ => (true, Ok(self.mailbox.clone())),
            };
            assert_eq!(granted, changed.is_ok(), "{}", self.bitboards);
            self.mailbox = changed.unwrap_or(self.mailbox.clone());
            let mv = moves[usize::from(*pick) % moves.len()];
            assert_eq!(self.bitboards.san(mv).as_str(), self.mailbox.san(mv));
            self.mailbox = self.mailbox.play(mv).expect("a legal move");
            self.bitboards.play_unchecked(mv);
        }
        self.compare();
    }
}

fn picks(plies: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 1..plies)
}

fn men(most: usize) -> impl Strategy<Value = Vec<(u8, Color, Kind)>> {
    use Kind::{FlippedBia, Khon, Knight, Met, Pawn, Rook};
    let kinds = [Pawn, Pawn, Pawn, Knight, Rook, Khon, Met, FlippedBia];
    let man =
        (0..64_u8, prop::sample::select(&Color::ALL[..]), prop::sample::select(kinds.to_vec()));
    prop::collection::vec(man, 0..most)
}

/// The position of strewn men, if the rules allow it: both must say so.
fn strewn(men: &[(u8, Color, Kind)], kings: [u8; 2], side: Color, policy: usize) -> Option<Both> {
    let kings = Color::ALL.into_iter().zip(kings).map(|(color, king)| (king, color, Kind::King));
    let mut setup = makruk::Setup { side_to_move: side, ..Makruk::default().to_setup() };
    setup.board = halfmove_rules::Board::default();
    let mut board = Board::default();
    for (square, color, kind) in men.iter().copied().chain(kings) {
        let (square, man) = (Square::wrapping(square), Man { color, kind });
        board.put(square, man);
        setup.board.put(square, man.into());
        setup.promoted -= square;
        if kind == Kind::FlippedBia {
            setup.promoted |= square;
        }
    }
    let (bitboards, mailbox) = POLICIES[policy];
    let mailbox = mailbox::Makruk::from_board(board, side, mailbox);
    let theirs = Makruk::from_setup(setup);
    assert_eq!(theirs.is_ok(), mailbox.is_ok(), "{theirs:?} {mailbox:?}");
    Some(Both { bitboards: theirs.ok()?.with_policy(bitboards), mailbox: mailbox.ok()? })
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn games_from_the_start(picks in picks(150), policy in 0..3_usize) {
        let (bitboards, mailbox) = POLICIES[policy];
        let start = Makruk::default().with_policy(bitboards);
        let fen = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
        let mailbox = mailbox::Makruk::from_fen(fen, Dialect::Fairy, mailbox).unwrap();
        Both { bitboards: start, mailbox }.play_on(&picks);
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn games_from_strewn_men(
        men in prop_oneof![men(5), men(40)], kings in [0..64_u8, 0..64_u8],
        side in prop::sample::select(&Color::ALL[..]), policy in 0..3_usize, picks in picks(40),
    ) {
        let both = strewn(&men, kings, side, policy).or_else(|| strewn(&men, kings, !side, policy));
        if let Some(mut both) = both {
            both.play_on(&picks);
        }
    }
}
