//! Writing PGN in the export format.

mod format;
mod sheet;

use std::io::{self, ErrorKind, Write};
use std::num::NonZeroUsize;

pub use self::format::{Format, TagNameError};
use crate::game::Game;

/// A writer of games in a [`Format`], by default with the tags of each game.
///
/// Reading the text back gives the same game: see [`Format`].
///
/// ```
/// use halfmove_game::Game;
/// use halfmove_game::pgn::{GameReader, Writer};
///
/// let text = "[Event \"?\"]\n\n1. e4 {best by test} c5 (1... e5 $1) 2. Nf3 1/2-1/2\n\n";
/// let mut game = Game::default();
/// GameReader::new(text.as_bytes()).read(&mut game)?;
///
/// let mut writer = Writer::new(Vec::new());
/// writer.write(&game)?;
/// let expected = text.replace("} c5", "} 1... c5");
/// assert_eq!(String::from_utf8_lossy(&writer.into_inner()), expected);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W> {
    inner: W,
    format: Format,
    /// The text of one game, which is written in one piece.
    text: String,
}

impl<W: Write> Writer<W> {
    /// Creates a writer to `inner`, which gets one call per game. For files, use a `BufWriter`.
    pub fn new(inner: W) -> Writer<W> {
        Writer { inner, format: Format::new(), text: String::new() }
    }

    /// Writes in this format.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Writer<W> {
        self.format = format;
        self
    }

    /// Writes a game, followed by a blank line.
    ///
    /// # Errors
    ///
    /// I/O errors of the sink, and [`ErrorKind::InvalidInput`] for a [`TagNameError`].
    ///
    /// For a game with illegal moves, the text is unspecified.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        self.text.clear();
        self.format.append(game, &mut self.text).map_err(invalid)?;
        self.inner.write_all(self.text.as_bytes())
    }

    /// Formats games on up to `threads` threads, and writes them in order. Stops at the first game that cannot be
    /// written.
    ///
    /// ```
    /// use halfmove_game::pgn::{Writer, read_game};
    /// use std::num::NonZeroUsize;
    ///
    /// let games = ["1. e4 *", "1. d4 *", "1. c4 *"].map(|text| read_game(text).unwrap());
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write_all(&games, NonZeroUsize::new(2).unwrap())?;
    /// assert_eq!(writer.into_inner(), b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Writer::write`].
    pub fn write_all(&mut self, games: &[Game], threads: NonZeroUsize) -> io::Result<()> {
        let share = games.len().div_ceil(threads.get()).max(1);
        let format = self.format;
        let text_of = |games: &[Game]| {
            let mut text = String::new();
            let written = games.iter().try_for_each(|game| format.append(game, &mut text));
            (text, written)
        };
        std::thread::scope(|scope| {
            let mut shares = games.chunks(share);
            // This thread formats the first part itself.
            let own = shares.next().unwrap_or_default();
            let others: Vec<_> = shares.map(|games| scope.spawn(move || text_of(games))).collect();
            let (text, written) = text_of(own);
            self.inner.write_all(text.as_bytes())?;
            written.map_err(invalid)?;
            for other in others {
                let (text, written) = other
                    .join()
                    .map_err(|_| io::Error::other("a thread that wrote games failed"))?;
                self.inner.write_all(text.as_bytes())?;
                written.map_err(invalid)?;
            }
            Ok(())
        })
    }

    /// Flushes the sink.
    ///
    /// # Errors
    ///
    /// I/O errors of the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }

    /// The sink.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

fn invalid(error: TagNameError) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, error)
}

/// The text of a game in the export format, with a blank line at the end.
///
/// ```
/// use halfmove_game::pgn::{read_game, write_game};
///
/// let game = read_game("1.e4! {x} e5 *").unwrap();
/// assert_eq!(write_game(&game)?, "1. e4! {x} 1... e5 *\n\n");
/// # Ok::<(), halfmove_game::pgn::TagNameError>(())
/// ```
///
/// # Errors
///
/// [`TagNameError`].
pub fn write_game(game: &Game) -> Result<String, TagNameError> {
    Format::new().write(game)
}
