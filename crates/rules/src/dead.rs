//! Insufficient material and dead positions.

use crate::{Bitboard, Chess, Color, Role};
use halfmove_bitboard::attacks::setwise;

impl Chess {
    /// Returns true if a side has enough material to mate, with the other side's help. If not, it does not
    /// win when its opponent runs out of time.
    ///
    /// Only the material counts, not its squares (except for the square colors of bishops). `false` is
    /// certain; a mate may still be impossible if the result is `true`. A side cannot mate with
    /// - a bare king;
    /// - a lone knight, unless the opponent has a piece other than a queen that can block its own
    ///   king;
    /// - bishops only, if there is no pawn, no knight and no bishop on squares of the other color.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Color};
    /// let knight_against_pawn: Chess = "7k/7p/8/8/8/8/8/K6N w - - 0 1".parse()?;
    /// assert!(knight_against_pawn.can_mate(Color::White));
    /// let knight_against_queen: Chess = "7k/7q/8/8/8/8/8/K6N w - - 0 1".parse()?;
    /// assert!(!knight_against_queen.can_mate(Color::White));
    /// assert!(knight_against_queen.can_mate(Color::Black));
    /// let bishops_on_light_squares: Chess = "7k/8/8/8/b7/8/8/K6B w - - 0 1".parse()?;
    /// assert!(bishops_on_light_squares.is_insufficient_material());
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    ///
    /// # Source
    /// FIDE Laws of Chess (2023), article 6.9.
    pub fn can_mate(&self, color: Color) -> bool {
        let board = self.board();
        let own = board.by_color(color) - board.by_role(Role::King);
        let (knights, bishops) = (board.by_role(Role::Knight), board.by_role(Role::Bishop));
        if !own.is_subset(knights | bishops) {
            return true;
        }
        if own.intersects(knights) {
            let theirs = board.by_color(!color) - board.by_role(Role::King);
            return own.has_many() || !theirs.is_subset(board.by_role(Role::Queen));
        }
        let both_colors = bishops.intersects(Bitboard::LIGHT) && bishops.intersects(Bitboard::DARK);
        let helpers = knights | board.by_role(Role::Pawn);
        !own.is_empty() && (both_colors || !helpers.is_empty())
    }

    /// Returns true if mate is provably impossible (a *dead position*): because of insufficient material,
    /// or because kings and pawns are permanently blocked.
    ///
    /// The second case is proved without a search. If only kings and pawns are left, no pawn can
    /// move, and neither king can ever reach an enemy pawn that it could capture, then only the
    /// kings will ever move, and a king cannot give check. Other dead positions (a bishop behind a
    /// pawn wall, a forced stalemate) are not recognized: `true` is certain, `false` is not.
    ///
    /// [`Chess::outcome`] checks only the material, as most programs do.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let wall: Chess = "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1".parse()?;
    /// assert!(wall.is_dead());
    /// let gap: Chess = "4k3/8/1p1p1p2/1P1P1P2/8/8/8/4K3 w - - 0 1".parse()?;
    /// assert!(!gap.is_dead());
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    ///
    /// # Source
    /// FIDE Laws of Chess (2023), article 5.2.2.
    pub fn is_dead(&self) -> bool {
        self.is_insufficient_material() || self.is_locked()
    }

    /// Returns true if only the kings can ever move. `false` if the side to move is in check or can capture
    /// en passant.
    fn is_locked(&self) -> bool {
        let board = self.board();
        let pawns = board.by_role(Role::Pawn);
        if board.occupied() != pawns | board.by_role(Role::King)
            || self.is_check()
            || self.ep_square().is_some()
        {
            return false;
        }
        Color::ALL.into_iter().all(|us| {
            let own = pawns & board.by_color(us);
            let theirs = pawns - own;
            let guarded = setwise::pawn_any(!us, theirs);
            let forbidden = own | guarded;
            let mut reach = Bitboard::square(self.king(us));
            loop {
                let wider = reach | (setwise::king(reach) - forbidden);
                if wider == reach {
                    break;
                }
                reach = wider;
            }
            own.forward(us).is_subset(pawns)
                && !setwise::pawn_any(us, own).intersects(theirs)
                && !reach.intersects(theirs)
        })
    }
}
