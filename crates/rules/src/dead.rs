//! Positions in which mate has become impossible.

use crate::{Bitboard, Chess, Color, Role};
use halfmove_bitboard::attacks::setwise;

impl Chess {
    /// Whether the pieces on the board suffice for a side to mate, with the other side's help. If not,
    /// that side does not win when the other's flag falls.
    ///
    /// Only the material counts, not where it stands (except for the color of the bishops' squares):
    /// `false` is certain, `true` may still be a position in which mate is impossible. A side cannot mate
    /// with
    /// - a bare king;
    /// - a knight alone, unless the other side has a piece other than a queen that can stand in its king's way;
    /// - bishops alone, if there is no pawn, no knight and no bishop on the other color's squares.
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

    /// Whether mate is certainly impossible (a *dead position*): because of the material, or because
    /// kings and pawns have locked each other out for good.
    ///
    /// The second is proved, not searched for. With no pieces but kings and pawns, if no pawn can
    /// advance or take, and neither king can ever walk up to a hostile pawn that it could take,
    /// then only kings will move, and a king does not give check. Other dead positions (a bishop
    /// behind a wall, a forced stalemate) are not recognized: `true` is certain, `false` is not.
    ///
    /// [`Chess::outcome`] asks for the first only, as programs and web sites do.
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

    /// Whether only the kings can ever move. A check, or an en passant capture under way, is left
    /// to the next move.
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
