//! The 960 start positions of Chess960, by number.
//!
//! Reinhard Scharnagl, *Fischer-Random-Schach (FRC/Chess960)* (2004).

use crate::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Chess, Color, File, Flaws, Piece,
    Rank, Role, Setup, Square,
};

/// The positions of the two knights among the five free squares, by the last part of the number.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The pieces of the first rank, from the a-file to the h-file.
fn first_rank(number: u16) -> [Role; 8] {
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[2 * (number % 4) + 1] = Some(Role::Bishop);
    rank[2 * (number / 4 % 4)] = Some(Role::Bishop);
    let put = |rank: &mut [Option<Role>; 8], place: usize, role: Role| {
        if let Some(piece) = rank.iter_mut().filter(|piece| piece.is_none()).nth(place) {
            *piece = Some(role);
        }
    };
    put(&mut rank, number / 16 % 6, Role::Queen);
    let [first, second] = KNIGHTS[number / 96 % 10];
    put(&mut rank, second, Role::Knight);
    put(&mut rank, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put(&mut rank, 0, role);
    }
    rank.map(|piece| piece.unwrap_or(Role::Rook))
}

impl Chess {
    /// The start position of Chess960 with this number, 0 to 959; `None` for larger numbers. Number
    /// 518 looks like the start of standard chess.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert_eq!(Chess::chess960(518), Some(Chess::default()));
    /// assert_eq!(
    ///     Chess::chess960(0).unwrap().to_string(),
    ///     "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    /// );
    /// assert_eq!(Chess::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Self> {
        if number >= 960 {
            return None;
        }
        let mut board = Board::default();
        let mut castling = CastlingRights::NONE;
        for (color, back, pawns) in
            [(Color::White, Rank::First, Rank::Second), (Color::Black, Rank::Eighth, Rank::Seventh)]
        {
            // The first rook is the queen's rook, and the king stands between the two.
            let mut side = CastlingSide::QueenSide;
            for (file, role) in File::ALL.into_iter().zip(first_rank(number)) {
                let square = Square::new(file, back);
                board.put(square, Piece { color, role });
                board.put(Square::new(file, pawns), Piece { color, role: Role::Pawn });
                if role == Role::Rook {
                    castling.set(color, side, Some(square));
                    side = CastlingSide::KingSide;
                }
            }
        }
        let side_to_move = Color::White;
        let (ep_square, halfmove_clock, fullmove_number) = (None, 0, 1);
        let setup =
            Setup { board, side_to_move, castling, ep_square, halfmove_clock, fullmove_number };
        Self::from_setup_in(setup, Some(CastlingMode::Chess960), Flaws::NONE).ok()
    }

    /// The number of this start position of Chess960; `None` if it is not one.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// assert_eq!(Chess::default().chess960_number(), Some(518));
    /// assert_eq!("4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse::<Chess>()?.chess960_number(), None);
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn chess960_number(&self) -> Option<u16> {
        let first_rank = Bitboard::rank(Rank::First);
        let pieces = |role| self.board().by_role(role) & first_rank;
        let file = |square: Option<Square>| Some(square?.file().index());
        // Bishops stand on the odd files (light squares) and on the even ones.
        let (light, dark): (Bitboard, Bitboard) =
            pieces(Role::Bishop).into_iter().partition(|square| square.file().index() % 2 == 1);
        let bishops = file(light.single())? / 2 + 4 * (file(dark.single())? / 2);
        let free = first_rank - pieces(Role::Bishop);
        let place = |of: Square, free: Bitboard| free.iter().position(|square| square == of);
        let queen = pieces(Role::Queen).single()?;
        let free_of_queen = free - queen;
        let mut knights = pieces(Role::Knight).iter().map(|square| place(square, free_of_queen));
        let pair = [knights.next()??, knights.next()??];
        let pair = KNIGHTS.iter().position(|knights| *knights == pair)?;
        let number = (bishops + 16 * place(queen, free)? + 96 * pair) as u16;
        (Self::chess960(number)? == *self).then_some(number)
    }
}
