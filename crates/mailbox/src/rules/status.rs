//! The end of a game (the source's section *Check and Checkmate* and its file `rules/status.ts`): check, checkmate,
//! stalemate, and draws by material, counting, repetition and moves without progress.

use super::countdown::is_bare;
use crate::state::{Game, State};
use crate::{Chess, Index, Kind, Makruk, Rules};
use alloc::vec::Vec;
use halfmove_rules::{Color, Outcome, Square};

/// The end of a game, and its reason.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// A count has run out; or, under Thai rules, the side counting board's honor gave checkmate.
    Counting,
    /// The position has occurred three times. In chess a player has to claim the draw.
    Threefold,
    /// The position of a game of chess has occurred five times.
    Fivefold,
    /// Fifty moves by each side without a capture or pawn move, in ASEAN chess and, if a player claims the draw, in
    /// chess.
    FiftyMoves,
    /// Seventy-five moves by each side without a capture or pawn move, in chess.
    SeventyFiveMoves,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Checkmate { winner } => Self::Checkmate { winner },
            Ending::Stalemate => Self::Stalemate,
            Ending::InsufficientMaterial => Self::InsufficientMaterial,
            Ending::Counting => Self::CountingDraw,
            Ending::Threefold => Self::ThreefoldRepetition,
            Ending::Fivefold => Self::FivefoldRepetition,
            Ending::FiftyMoves => Self::FiftyMoves,
            Ending::SeventyFiveMoves => Self::SeventyFiveMoves,
        }
    }
}

impl<G: Game> State<G> {
    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> {
        let them = !self.side_to_move;
        let king = self.board.king(self.side_to_move);
        king.into_iter()
            .flat_map(move |king| self.board.attackers_of(king, them).map(Index::square))
    }

    /// Returns true if the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.board.is_in_check(self.side_to_move)
    }

    /// Returns true if the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Returns true if the side to move is not in check and has no legal move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// The end of the game, if it is over without a claim.
    ///
    /// | | Makruk, Makpong | ASEAN chess | chess |
    /// | --- | --- | --- | --- |
    /// | no legal move | checkmate, stalemate | the same | the same |
    /// | material | insufficient | the same | the same |
    /// | a count | has run out | the same | |
    /// | repetition | the third time | the third time | the fifth time |
    /// | moves without a capture or pawn move | | fifty of each side | seventy-five of each side |
    ///
    /// The first row that applies counts, as in Fairy-Stockfish. The draw by insufficient material is a convention of
    /// programs, not a Thai rule.
    ///
    /// ```
    /// use halfmove_mailbox::{Chess, Ending};
    /// let mut game = Chess::default();
    /// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     game = game.play_unchecked(game.parse_san(san)?);
    /// }
    /// assert_eq!((game.ending(), game.claim()), (None, Some(Ending::Threefold)));
    /// # Ok::<(), halfmove_rules::SanError>(())
    /// ```
    pub fn ending(&self) -> Option<Ending> {
        if !self.has_legal_move() {
            return Some(if self.is_check() { G::checkmate(self) } else { Ending::Stalemate });
        }
        if G::has_insufficient_material(self) {
            return Some(Ending::InsufficientMaterial);
        }
        G::draw(self)
    }

    /// [`ending`](Self::ending), by the name that crate `rules` gives it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending().map(Outcome::from)
    }

    /// The draw that the side to move may claim: in chess, for the third occurrence of the position or for fifty moves
    /// by each side without a capture or pawn move. Nothing can be claimed once the game is over, nor in Makruk and its
    /// variants.
    pub fn claim(&self) -> Option<Ending> {
        if self.ending().is_some() { None } else { G::claimable(self) }
    }
}

impl Chess {
    /// Returns true if only kings are left, or kings and one knight, or kings and bishops that all stand on squares of
    /// one color.
    pub(crate) fn is_dead_chess(&self) -> bool {
        let mut knights = 0;
        let mut bishops = Vec::new();
        for color in Color::ALL {
            let any = |kind| self.board.count(color, kind) > 0;
            if any(Kind::Pawn) || any(Kind::Rook) || any(Kind::Queen) {
                return false;
            }
            knights += self.board.count(color, Kind::Knight);
            bishops.extend_from_slice(self.board.list(color, Kind::Bishop));
        }
        match knights {
            0 => stand_on_one_color(&bishops),
            1 => bishops.is_empty(),
            _ => false,
        }
    }
}

impl Makruk {
    /// Returns true if only kings are left, or kings and one knight, or one bia, or mets (including promoted bias) that
    /// all stand on squares of one color. In Makpong, where a king cannot flee from check, any piece can mate; in ASEAN
    /// chess a bia can, since it may become a rook.
    pub(crate) fn is_dead_makruk(&self) -> bool {
        if self.game.rules == Rules::Makpong {
            return Color::ALL.into_iter().all(|color| is_bare(&self.board, color));
        }
        let mut others = 0;
        let mut mets = Vec::new();
        for color in Color::ALL {
            if self.board.count(color, Kind::Rook) + self.board.count(color, Kind::Khon) > 0 {
                return false;
            }
            if self.game.rules == Rules::Asean && self.board.count(color, Kind::Pawn) > 0 {
                return false;
            }
            others += self.board.count(color, Kind::Knight) + self.board.count(color, Kind::Pawn);
            mets.extend_from_slice(self.board.list(color, Kind::Met));
            mets.extend_from_slice(self.board.list(color, Kind::FlippedBia));
        }
        match others {
            0 => stand_on_one_color(&mets),
            1 => mets.is_empty(),
            _ => false,
        }
    }
}

/// Returns true if no two of these squares differ in color.
fn stand_on_one_color(squares: &[Index]) -> bool {
    let is_light = |square: &&Index| (square.rank() + square.file()) % 2 == 1;
    let light = squares.iter().filter(is_light).count();
    light == 0 || light == squares.len()
}
