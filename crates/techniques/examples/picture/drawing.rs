//! Four ways to the attacks of a slider on d4, four boards each, as an SVG.

use halfmove_bitboard::attacks::empty_board;
use halfmove_bitboard::{Bitboard, Direction, File, Rank, Square, bitboard};
use halfmove_techniques::lookup::FirstRank64;
use halfmove_techniques::{RayWalk, Sliders, bits, relevant};
use std::fmt::Write;

const SLIDER: Square = Square::D4;

const OCCUPIED: Bitboard = bitboard! {
    . . . . . 1 . .
    . . . . . . 1 .
    . . . 1 . . . .
    1 . . . . . . 1
    . . . . . . 1 .
    . . 1 . . . . .
    . 1 . . . . . .
    . . . . . . . 1
};

/// A board under a caption.
struct Board {
    caption: &'static str,
    set: Bitboard,
    /// Squares with a frame: the bits of an index.
    framed: Bitboard,
}

/// A technique: its title, and its boards.
struct Row {
    title: &'static str,
    boards: [Board; 4],
}

fn board(caption: &'static str, set: Bitboard) -> Board {
    Board { caption, set, framed: Bitboard::EMPTY }
}

/// The slider subtracted twice from the pieces on the diagonal.
fn calculation() -> Row {
    let line = empty_board::diagonal(SLIDER);
    let slider = Bitboard::square(SLIDER);
    let o = (OCCUPIED & line) | slider;
    let less = Bitboard(o.0.wrapping_sub(2 * slider.0));
    Row {
        title: "By calculation: the borrow of a subtraction runs to the next piece",
        boards: [
            board("o, on the diagonal", o),
            board("o − 2s", less),
            board("o ^ (o − 2s)", o ^ less),
            board("… on the diagonal", (o ^ less) & line),
        ],
    }
}

/// All sliders to the north-east, in steps of one, two and four squares.
fn fill() -> Row {
    let direction = Direction::NorthEast;
    let steps = |set: Bitboard, count| (0..count).fold(set, |set, _| set.step(direction));
    let sliders = Bitboard::from(SLIDER) | Square::A2 | Square::C1;
    let mut open = !OCCUPIED - sliders;
    let mut filled = sliders;
    let mut rounds = [1, 2, 4].map(|count| {
        filled |= open & steps(filled, count);
        open &= steps(open, count);
        filled
    });
    rounds[2] = rounds[2].step(direction);
    Row {
        title: "By filling: three bishops at once to the north-east, the steps doubled",
        boards: [
            board("sliders", sliders),
            board("and one square on", rounds[0]),
            board("and up to three on", rounds[1]),
            board("four more; attacks", rounds[2]),
        ],
    }
}

/// The diagonal, added up to a rank by a multiplication.
fn lookup() -> Row {
    let line = empty_board::diagonal(SLIDER);
    let masked = OCCUPIED & line;
    let product = Bitboard(masked.0.wrapping_mul(Bitboard::file(File::B).0));
    let index = (product.0 >> 58) as u8;
    let on_rank = u64::from(FirstRank64::first_rank(index << 1, SLIDER.file()));
    let row = Bitboard(on_rank.wrapping_mul(Bitboard::file(File::A).0));
    let framed = Bitboard::rank(Rank::Eighth) - Square::A8 - Square::B8;
    Row {
        title: "By look-up: a multiplication adds up the diagonal to six bits of an index",
        boards: [
            board("o, on the diagonal", masked),
            Board { framed, ..board("· b-file", product) },
            board("table[file][index]", row),
            board("… on the diagonal", row & line),
        ],
    }
}

/// The squares that matter to a rook, as a number.
fn gather() -> Row {
    let relevant = relevant::rook(SLIDER);
    let number = bits::extract(OCCUPIED.0, relevant.0);
    let attacks = RayWalk::new().map_or(Bitboard::EMPTY, |walk| walk.rook(SLIDER, OCCUPIED));
    let framed = Bitboard((1 << relevant.len()) - 1);
    Row {
        title: "By magic or PEXT: both lines of a rook become an index at once",
        boards: [
            board("squares that matter", relevant),
            board("pieces on them", OCCUPIED & relevant),
            Board { framed, ..board("gathered: the index", Bitboard(number)) },
            board("table[square][index]", attacks),
        ],
    }
}

const CELL: usize = 16;
const BOARD: usize = 8 * CELL;
const PITCH: usize = BOARD + 50;
const HEIGHT: usize = BOARD + 75;
const LEFT: usize = 20;

// Grays and hues of a middling lightness, for light and dark pages alike.
const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:13px;fill:#777}.head{font-size:15px;font-weight:600}\
.grid{fill:none;stroke:#888;stroke-opacity:.5}.set{fill:#3d86c6}\
.frame{fill:none;stroke:#d2752c;stroke-width:2}.slider{fill:#d2752c}";

/// The picture.
pub(crate) fn svg() -> String {
    let rows = [calculation(), fill(), lookup(), gather()];
    let (width, height) = (LEFT + 4 * PITCH, rows.len() * HEIGHT + 10);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Four ways to compute the attacks of a slider\">\n<style>{STYLE}</style>\n\
         <defs><path id=\"grid\" class=\"grid\" d=\"{}\"/></defs>\n",
        (0..=8)
            .map(|line| line * CELL)
            .map(|at| format!("M0 {at}h{BOARD}M{at} 0v{BOARD}"))
            .collect::<String>()
    );
    for (number, row) in rows.iter().enumerate() {
        let top = number * HEIGHT;
        let _ = writeln!(
            svg,
            "<text class=\"head\" x=\"{LEFT}\" y=\"{}\">{}</text>",
            top + 26,
            row.title
        );
        for (place, board) in row.boards.iter().enumerate() {
            draw(&mut svg, board, LEFT + place * PITCH, top + 40);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, board: &Board, x: usize, y: usize) {
    let corner =
        |square: Square| (x + square.file().index() * CELL, y + (7 - square.rank().index()) * CELL);
    let cells = |set: Bitboard| -> String {
        let corners = set.into_iter().map(corner);
        corners.map(|(x, y)| format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z")).collect()
    };
    let (left, top) = corner(SLIDER);
    let _ = writeln!(
        svg,
        "<path class=\"set\" d=\"{}\"/>\n\
         <use href=\"#grid\" x=\"{x}\" y=\"{y}\"/>\n\
         <path class=\"frame\" d=\"{}\"/>\n\
         <circle class=\"slider\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\n\
         <text x=\"{x}\" y=\"{}\">{}</text>",
        cells(board.set),
        cells(board.framed),
        left + CELL / 2,
        top + CELL / 2,
        y + BOARD + 17,
        board.caption
    );
}
