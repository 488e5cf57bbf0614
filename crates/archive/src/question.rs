//! Questions about games, beside one for a position.

use halfmove_game::replay::BoardQuestion;

/// A question that a game answers with the ply at which it first is so, or with no.
///
/// ```
/// use halfmove_archive::{Filter, Question};
/// use halfmove_game::replay::BoardQuestion;
///
/// // Games that come to an ending of rook and pawn against rook.
/// let question = BoardQuestion {
///     material: "RPvR".parse().ok(),
///     either_color: true,
///     ..BoardQuestion::default()
/// };
/// let filter = Filter { questions: vec![question.into()], ..Filter::default() };
/// # assert!(matches!(filter.questions[0], Question::Board(_)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// What stands on the board in one position.
    Board(BoardQuestion),
}

impl From<BoardQuestion> for Question {
    fn from(question: BoardQuestion) -> Self {
        Self::Board(question)
    }
}
