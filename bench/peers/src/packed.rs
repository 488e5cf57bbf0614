//! Whole games as files: packed by us, and as text for other programs to compress.

use aix_chess_compression::{CompressionLevel, Encode, Encoder};
use halfmove_codecs::dense::learning::{HELD_OUT_FROM, is_held_out};
use halfmove_codecs::pack::{Reader, Writer};
use halfmove_game::codec::halfmove;
use halfmove_game::pgn::{GameReader, Reading, write_game};
use halfmove_game::{Game, Input};
use shakmaty::{Chess, Position};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Calls a function with each game that `codecs` measures, too.
fn each(
    path: &str,
    mut each: impl FnMut(&Game) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut reader = GameReader::new(Input::open(path)?);
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game)? {
        let is_usual = game.chess_start().is_some_and(halfmove::is_standard_start);
        let is_skipped =
            matches!(reading, Reading::Skipped(_)) || !is_usual || game.moves.is_empty();
        if !is_skipped && is_held_out(&game.tags, HELD_OUT_FROM) {
            each(&game)?;
        }
    }
    Ok(())
}

/// A PGN without the moves of its main line and their numbers, and the number of these moves.
fn without_moves(text: &str) -> (String, usize) {
    let (tags, movetext) = text.split_once("\n\n").unwrap_or(("", text));
    let (mut rest, mut moves) = (format!("{tags}\n\n"), 0);
    let mut words = movetext;
    while let Some(first) = words.trim_start().chars().next() {
        words = words.trim_start();
        let end = match first {
            '{' => words.find('}').map(|at| at + 1),
            '(' => end_of_variation(words),
            _ => words.find(|end: char| end.is_whitespace() || end == ')'),
        };
        let (word, after) = words.split_at(end.unwrap_or(words.len()));
        words = after;
        let is_result = ["*", "1-0", "0-1", "1/2-1/2"].contains(&word);
        let is_number = first.is_ascii_digit() && word.ends_with('.');
        if is_result || ['{', '(', '$'].contains(&first) {
            rest.push_str(word);
            rest.push(' ');
        } else if !is_number {
            moves += 1;
        }
    }
    rest.push_str("\n\n");
    (rest, moves)
}

/// The end of a variation, with those in it; parentheses in comments do not count.
fn end_of_variation(text: &str) -> Option<usize> {
    let (mut depth, mut is_comment) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => is_comment = true,
            b'}' => is_comment = false,
            b'(' if !is_comment => depth += 1,
            b')' if !is_comment => depth -= 1,
            _ => continue,
        }
        if depth == 0 && !is_comment {
            return Some(at + 1);
        }
    }
    None
}

/// The bytes of a main line at aix's smallest level.
fn aix(game: &Game) -> Result<usize, Box<dyn Error>> {
    let mut position = Chess::default();
    let mut encoder = Encoder::new(CompressionLevel::High);
    for mv in &game.moves {
        let mv = crate::codecs::theirs(*mv)?.to_move(&position)?;
        position.play_unchecked(mv);
        encoder.encode_move(mv)?;
    }
    Ok(encoder.finish().into_bytes().len())
}

/// Packs the games of a file that are held out, and writes `games.pgn` and `rest.txt`, the same without moves, to a folder. Prints
/// the numbers of games and half-moves, and the bytes of the packed file and of aix's moves.
pub(crate) fn run(path: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let create = |name| File::create(Path::new(folder).join(name)).map(BufWriter::new);
    let (mut pgn, mut rest) = (create("games.pgn")?, create("rest.txt")?);
    let mut writer = Writer::new(Vec::new())?;
    let (mut games, mut half_moves, mut aix_bytes) = (0, 0, 0);
    each(path, |game| {
        let text = write_game(game)?;
        let (others, moves) = without_moves(&text);
        if moves != game.moves.len() {
            return Err(format!("{moves} moves instead of {}: {text}", game.moves.len()).into());
        }
        write!(pgn, "{}\n\n", text.trim_end())?;
        write!(rest, "{others}")?;
        writer.write(game)?;
        games += 1;
        half_moves += moves;
        aix_bytes += aix(game)?;
        Ok(())
    })?;
    pgn.flush()?;
    rest.flush()?;
    let packed = writer.finish()?;
    let mut reader = Reader::new(&packed[..])?;
    each(path, |game| match reader.next()? {
        Some(found) if found == *game => Ok(()),
        found => Err(format!("another game returns: {found:?} instead of {game:?}").into()),
    })?;
    println!("{games}\t{half_moves}\t{}\t{aix_bytes}", packed.len());
    Ok(())
}
