//! A position: its legal moves, its outcome, its opening, its count.

use axum::Json;
use axum::extract::State as Extract;
use halfmove_game::openings::Opening;
use halfmove_rules::makruk::{Counting, CountingPolicy, Honor};
use halfmove_rules::{AnyPosition, CastlingSide, Color, History, Makruk, Move, Outcome, Square};
use serde::Serialize;
use utoipa::ToSchema;

use super::Answer;
use crate::parameters::{
    Line, POSITION, Parameter, QueryParameters, parameter, parameters, square_uci,
};
use crate::problem::Problem;
use crate::state::State;

/// A position
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Shown {
    variant: &'static str,
    fen: String,
    /// The number of half-moves in `line`
    ply: usize,
    /// white or black
    turn: &'static str,
    check: bool,
    /// The squares of the pieces that give check
    checkers: Vec<String>,
    /// The moves that lead to the position
    line: Vec<Step>,
    /// The legal moves
    moves: Vec<Legal>,
    counting: Option<Count>,
    outcome: Option<End>,
    /// A draw that may be claimed, while the game goes on
    claim: Option<End>,
    opening: Option<Named>,
}

/// A move that leads to the position
#[derive(Debug, Serialize, ToSchema)]
struct Step {
    uci: String,
    san: String,
    /// The position after it
    fen: String,
}

/// A legal move
#[derive(Debug, Serialize, ToSchema)]
struct Legal {
    /// Castling in chess is e1g1, in Chess960 king takes rook
    uci: String,
    san: String,
    from: String,
    to: String,
    /// The kind of piece that a pawn becomes
    promotion: Option<String>,
    capture: bool,
    castling: bool,
    en_passant: bool,
    /// The position after it
    fen: String,
}

/// A count of Makruk
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Count {
    /// board or pieces
    kind: &'static str,
    /// The side that counts
    color: String,
    /// The number for people: `number` of `limit`
    number: u16,
    limit: u16,
    /// In half-moves, as in a FEN
    ply: u16,
    limit_ply: u32,
}

impl From<Counting> for Count {
    fn from(count: Counting) -> Self {
        Self {
            kind: match count.honor() {
                Honor::Board => "board",
                Honor::Pieces => "pieces",
            },
            color: count.color().to_string(),
            number: count.number(),
            limit: count.limit(),
            ply: count.ply(),
            limit_ply: 2 * u32::from(count.limit()),
        }
    }
}

/// The end of a game
#[derive(Debug, Serialize, ToSchema)]
struct End {
    result: &'static str,
    /// checkmate, stalemate, insufficient_material …
    reason: &'static str,
    winner: Option<String>,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        Self {
            result: outcome.result(),
            reason: outcome.name(),
            winner: outcome.winner().map(|winner| winner.to_string()),
        }
    }
}

/// An opening
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Named {
    eco: &'static str,
    name: &'static str,
}

impl From<&'static Opening> for Named {
    fn from(opening: &'static Opening) -> Self {
        Self { eco: opening.eco(), name: opening.name() }
    }
}

/// The side to move.
pub(super) fn turn(position: &AnyPosition) -> &'static str {
    match position.side_to_move() {
        Color::White => "white",
        Color::Black => "black",
    }
}

const COUNTING: &[Parameter] = &[parameter(
    "counting",
    "Counting rules of Makruk: auto, thai, makruk-js or fairy-11; the default is auto",
)];

parameters!(PositionParameters: POSITION, COUNTING);

/// A position with its legal moves
#[utoipa::path(get, path = "/api/position", params(PositionParameters), responses((status = 200, body = Shown), (status = 400, body = Problem)))]
pub(super) async fn position(
    Extract(_): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Shown> {
    let line = Line::read(&mut parameters)?;
    let policy = Line::policy(&mut parameters)?;
    parameters.end()?;
    Ok(Json(shown(&line, policy)))
}

fn shown(line: &Line, policy: Option<CountingPolicy>) -> Shown {
    let moves = line.steps.iter().map(|step| step.mv);
    let (here, outcome, claim) = match &line.start {
        AnyPosition::Chess(start) => {
            let history = played(start.clone(), moves);
            let outcome = history.outcome();
            let claim = history.claim().filter(|_| outcome.is_none());
            (AnyPosition::from(history.position().clone()), outcome, claim)
        }
        AnyPosition::Makruk(start) => {
            let history = played(start.clone().with_policy(policy.unwrap_or_default()), moves);
            let here = AnyPosition::from(history.position().clone());
            // Players may continue after a count has run out, and often do.
            match history.outcome() {
                Some(Outcome::CountingDraw) if !here.legal_moves().is_empty() => {
                    (here, None, Some(Outcome::CountingDraw))
                }
                outcome => (here, outcome, None),
            }
        }
    };
    let legal = here.legal_moves();
    let mut moves: Vec<Legal> = legal.iter().map(|&mv| of_move(&here, mv)).collect();
    moves.sort_by(|one, other| one.uci.cmp(&other.uci));
    let played = line.steps.iter().map(|step| Step {
        uci: step.uci.clone(),
        san: step.san.clone(),
        fen: step.after.to_string(),
    });
    Shown {
        variant: line.variant.unwrap_or(here.variant()).name(),
        fen: here.to_string(),
        ply: line.steps.len(),
        turn: turn(&here),
        check: here.is_check(),
        checkers: here.checkers().into_iter().map(|square| square.to_string()).collect(),
        line: played.collect(),
        moves,
        counting: here.as_makruk().and_then(Makruk::counting).map(Count::from),
        outcome: outcome.map(End::from),
        claim: claim.map(End::from),
        opening: line.opening().map(Named::from),
    }
}

fn played<P: halfmove_rules::Position>(start: P, moves: impl Iterator<Item = Move>) -> History<P> {
    let mut history = History::new(start);
    moves.for_each(|mv| history.play_unchecked(mv));
    history
}

fn of_move(here: &AnyPosition, mv: Move) -> Legal {
    let mut after = here.clone();
    after.play_unchecked(mv);
    let castling = mv.is_castle();
    let is_chess960 = here.as_chess().is_some_and(halfmove_rules::Chess::is_chess960);
    let to = match castling && !is_chess960 {
        true => king_target(mv.from(), mv.to()),
        false => mv.to(),
    };
    let captured = here.captured(mv).is_some();
    Legal {
        uci: square_uci(here, mv),
        san: here.san(mv).to_string(),
        from: mv.from().to_string(),
        to: to.to_string(),
        promotion: promotion(here, mv),
        capture: captured,
        castling,
        en_passant: captured && !castling && here.board().piece_at(mv.to()).is_none(),
        fen: after.to_string(),
    }
}

/// The square of the king after castling.
fn king_target(king: Square, rook: Square) -> Square {
    Square::new(CastlingSide::of(king, rook).king_file(), king.rank())
}

/// The kind of piece that a pawn becomes.
fn promotion(here: &AnyPosition, mv: Move) -> Option<String> {
    let pawn = here.board().piece_at(mv.from())?;
    let mut after = here.clone();
    after.play_unchecked(mv);
    let piece = after.board().piece_at(mv.to())?;
    (!mv.is_castle() && piece.role != pawn.role).then(|| format!("{:?}", piece.role).to_lowercase())
}
