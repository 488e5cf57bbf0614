//! Boards as pictures: SVG, for notebooks.

use std::fmt::Write;

use halfmove_rules::{AnyPosition, Color, Square};
use pyo3::prelude::*;

use crate::board::Board;
use crate::moves::PyMove;
use crate::squares::{figure, square_of};

/// The marks on a board.
#[derive(Default)]
pub(crate) struct Marks {
    /// Squares with another background.
    squares: Vec<Square>,
    /// Arrows from a square to another.
    arrows: Vec<(Square, Square)>,
    /// True if Black is at the bottom.
    is_flipped: bool,
}

impl Marks {
    /// The squares of a move.
    pub(crate) fn last_move(mv: Option<PyMove>) -> Self {
        let squares = mv.into_iter().flat_map(|PyMove(mv)| [mv.from, mv.to]).collect();
        Self { squares, ..Self::default() }
    }
}

/// The size of a square in the units of the picture.
const SIDE: usize = 45;

/// A board as SVG text.
///
/// `arrows` are pairs of squares, `fill` squares to mark, `orientation` the color at the bottom.
///
/// >>> import halfmove
/// >>> picture = halfmove.svg(halfmove.Board(), arrows=[(halfmove.E2, halfmove.E4)])
/// >>> picture.startswith("<svg "), picture.count("<line ")
/// (True, 1)
#[pyfunction]
#[pyo3(
    signature = (board, *, orientation=true, lastmove=None, arrows=Vec::new(), fill=Vec::new(), size=390),
    text_signature = "(board, *, orientation=True, lastmove=None, arrows=[], fill=[], size=390)"
)]
pub(crate) fn svg(
    board: Board,
    orientation: bool,
    lastmove: Option<PyMove>,
    arrows: Vec<(i64, i64)>,
    fill: Vec<i64>,
    size: usize,
) -> PyResult<String> {
    let mut marks = Marks::last_move(lastmove);
    for square in fill {
        marks.squares.push(square_of(square)?);
    }
    for (from, to) in arrows {
        marks.arrows.push((square_of(from)?, square_of(to)?));
    }
    marks.is_flipped = !orientation;
    Ok(draw(board.position(), &marks, size))
}

/// A position as SVG.
pub(crate) fn draw(position: &AnyPosition, marks: &Marks, size: usize) -> String {
    let place = |square: Square| {
        let (file, rank) = (square.file().index(), square.rank().index());
        let (column, row) = if marks.is_flipped { (7 - file, rank) } else { (file, 7 - rank) };
        (column * SIDE, row * SIDE)
    };
    let whole = 8 * SIDE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\" width=\"{size}\" height=\"{size}\">"
    );
    text += "<defs><marker id=\"head\" viewBox=\"0 0 4 4\" refX=\"2\" refY=\"2\" markerWidth=\"4\" markerHeight=\"4\" \
             orient=\"auto\"><path d=\"M0 0L4 2L0 4z\" fill=\"#15781b\"/></marker></defs>";
    // Writing into a string cannot fail.
    for square in (0..64).map(Square::wrapping) {
        let (x, y) = place(square);
        let color = match (marks.squares.contains(&square), square.is_light()) {
            (true, true) => "#cdd16a",
            (true, false) => "#aaa23b",
            (false, true) => "#f0d9b5",
            (false, false) => "#b58863",
        };
        let _ = write!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{color}\"/>"
        );
    }
    for (square, piece) in position.board().pieces() {
        let (x, y) = place(square);
        let is_white = piece.color == Color::White;
        let (x, y) = (x + SIDE / 2, y + SIDE * 4 / 5);
        // Filled figures for both colors; khon and met have none, so they are letters.
        let mark = figure(piece.role, false).unwrap_or_else(|| piece.role.letter());
        let (fill, stroke) = if is_white { ("#fff", "#000") } else { ("#000", "#fff") };
        let _ = write!(
            text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"36\" text-anchor=\"middle\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"0.8\">{mark}</text>"
        );
    }
    for (from, to) in &marks.arrows {
        let [(x1, y1), (x2, y2)] =
            [place(*from), place(*to)].map(|(x, y)| (x + SIDE / 2, y + SIDE / 2));
        let _ = write!(
            text,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#15781b\" stroke-width=\"7\" opacity=\"0.7\" \
             marker-end=\"url(#head)\"/>"
        );
    }
    text + "</svg>"
}
