//! Boards and rows of bits as text, several side by side.

use halfmove_bitboard::{Bitboard, File, Rank, Square};

/// The slider and the pieces, for every board that is drawn.
#[derive(Copy, Clone)]
pub(crate) struct Scene {
    pub(crate) square: Square,
    pub(crate) occupied: Bitboard,
}

impl Scene {
    pub(crate) const fn slider(self) -> u64 {
        1 << self.square.index()
    }
}

/// A board under a title of one or two lines.
pub(crate) struct Board {
    title: String,
    set: u64,
}

pub(crate) fn board(title: impl Into<String>, set: u64) -> Board {
    Board { title: title.into(), set }
}

const WIDTH: usize = 21;
const ABREAST: usize = 4;

/// Draws boards, four abreast: 1 is in the set, the slider is `S` where it is not itself in the set
/// and `8` where it is.
pub(crate) fn show(scene: Scene, boards: &[Board]) {
    for row in boards.chunks(ABREAST) {
        println!();
        let titles = row.iter().map(|board| board.title.lines().collect::<Vec<_>>());
        let titles = titles.collect::<Vec<_>>();
        let lines = titles.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..lines {
            let texts = titles.iter().map(|title| title.get(line).copied().unwrap_or_default());
            print_row(&texts.map(str::to_owned).collect::<Vec<_>>());
        }
        for rank in Rank::ALL.into_iter().rev() {
            let texts = row.iter().map(|board| rank_of(scene, Bitboard(board.set), rank));
            print_row(&texts.collect::<Vec<_>>());
        }
    }
}

fn print_row(texts: &[String]) {
    let line = texts.iter().map(|text| format!("  {text:<WIDTH$}")).collect::<String>();
    println!("{}", line.trim_end());
}

fn rank_of(scene: Scene, set: Bitboard, rank: Rank) -> String {
    let mark = |file| {
        let square = Square::new(file, rank);
        match (set.has(square), square == scene.square) {
            (true, true) => '8',
            (true, false) => '1',
            (false, true) => 'S',
            (false, false) => '.',
        }
    };
    File::ALL.map(|file| mark(file).to_string()).join(" ")
}

/// A row of bits, with the first file or the lowest bit on the left, as on the board.
pub(crate) fn bits(value: u64, count: u32) -> String {
    (0..count).map(|bit| if value >> bit & 1 == 1 { '1' } else { '.' }).collect()
}

/// The title of a technique, and its formula.
pub(crate) fn heading(name: &str, formula: &str) {
    println!("\n{name}\n{}", "=".repeat(name.chars().count()));
    for line in formula.lines() {
        println!("  {line}");
    }
}

/// The piece at each square, as the FEN has it.
pub(crate) fn show_placement(pieces: &[Option<char>; 64], square: Square) {
    for rank in Rank::ALL.into_iter().rev() {
        let mark = |file| {
            let at = Square::new(file, rank);
            let piece = pieces[at.index()].unwrap_or('.');
            if at == square { format!("[{piece}]") } else { format!(" {piece} ") }
        };
        println!("  {} {}", rank.digit(), File::ALL.map(mark).concat());
    }
    println!("     {}", File::ALL.map(|file| file.letter().to_string()).join("  "));
}
