//! Reading PGN into an archive, on several threads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use halfmove_game::pgn::{Counts, SegmentStart, Skip};

use super::builders::Chunk;
use super::feed::{self, FeedItem};
use super::parse::Part;
use super::{Importer, PgnInput};
use crate::change::watch::ChangeWatch;
use crate::error::ArchiveError;
use crate::snapshot::{ContentSum, ImportedSource};

/// The interval between two calls of the watch when nothing happens.
const TICK: Duration = Duration::from_millis(100);

impl Importer {
    /// Adds all games of the inputs, in order. Inputs are numbered from 0, across calls. Each input is opened after the previous one has been read, so `inputs`
    /// can be an iterator that opens paths. Row groups continue across inputs, so many small files are as fast as a
    /// large one. Any reader is an input; a [`PgnInput`] also has a name, which is stored with its games.
    ///
    /// The text is [split between games](halfmove_game::pgn::Segments), and the parts are parsed and encoded by
    /// several [threads](Importer::threads). Games with a fault are kept up to it; games of unsupported variants are
    /// skipped. `watch` receives both.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Importer};
    /// use halfmove_game::Input;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let pgn = folder.path().join("games.pgn");
    /// std::fs::write(&pgn, "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n")?;
    ///
    /// let mut importer = Importer::open(folder.path().join("games"))?;
    /// let inputs = [pgn].into_iter().map(|path| Input::open(path).map_err(Into::into));
    /// importer.read_pgn(inputs, &mut ())?;
    /// assert_eq!(importer.commit()?.games, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Input`] if an input cannot be opened or read, [`ArchiveError::Stopped`] if `watch` stops the
    /// import, [`ArchiveError::Io`] if the files cannot be written. The import is then lost, and its threads end.
    pub fn read_pgn<I, R>(
        &mut self,
        inputs: I,
        watch: &mut dyn ChangeWatch,
    ) -> Result<(), ArchiveError>
    where
        I: IntoIterator<Item = std::io::Result<R>>,
        I::IntoIter: Send + 'static,
        R: Into<PgnInput>,
    {
        let inputs = inputs.into_iter().map(|input| input.map(Into::into));
        let read = self.read_boxed(Box::new(inputs), watch);
        if read.is_err() {
            self.failed = true;
            // The threads can stop.
            self.pool = None;
        }
        read
    }

    fn read_boxed(
        &mut self,
        inputs: Box<dyn Iterator<Item = std::io::Result<PgnInput>> + Send>,
        watch: &mut dyn ChangeWatch,
    ) -> Result<(), ArchiveError> {
        self.hand_over()?;
        let (threads, is_strict) = (self.threads, self.strict_positions);
        let found = feed::begin(inputs, self.start()?, threads, is_strict)
            .map_err(|error| ArchiveError::io(&self.path, error))?;
        let input = self.next_input;
        let mut reading =
            Reading { importer: self, watch, input, source: None, sum: None, before: 0 };
        let mut counts = Counts::default();
        let mut start = SegmentStart::default();
        while let Some(found) = reading.wait(&found)? {
            match found {
                FeedItem::Input(name, sum) => {
                    (reading.source, reading.sum) = (name, sum);
                    reading.before = reading.importer.games;
                    reading.importer.inputs.push((reading.before, Some(reading.input)));
                }
                FeedItem::Failure(error) => return Err(ArchiveError::Input(error)),
                FeedItem::End => {
                    reading.watch.end_of_input(reading.input, &counts);
                    reading.input += 1;
                    reading.importer.next_input = reading.input;
                    reading.note_source();
                    (counts, start) = (Counts::default(), SegmentStart::default());
                }
                FeedItem::Segment(parts) => {
                    let (mut more, end) = reading.segment(&parts, &start)?;
                    start.renumber_counts(&mut more);
                    counts.add(&more);
                    start.add(end);
                }
            }
        }
        // Games pushed from here on have no input.
        reading.importer.inputs.push((reading.importer.games, None));
        Ok(())
    }
}

struct Reading<'a> {
    importer: &'a mut Importer,
    watch: &'a mut dyn ChangeWatch,
    input: usize,
    /// The name of the input.
    source: Option<Arc<str>>,
    /// The checksum of its content, if known.
    sum: Option<ContentSum>,
    /// The number of games before it.
    before: u64,
}

impl Reading<'_> {
    /// Waits for the next item; `None` if there is none.
    fn wait<T>(&mut self, receiver: &Receiver<T>) -> Result<Option<T>, ArchiveError> {
        loop {
            let next = receiver.recv_timeout(TICK);
            if self.watch.tick(self.importer.games).is_break() {
                return Err(ArchiveError::Stopped);
            }
            match next {
                Ok(next) => return Ok(Some(next)),
                // While waiting for a slow input, encoded row groups are written.
                Err(RecvTimeoutError::Timeout) => self.importer.groups.write_done()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Adds the completed input to the sources of the import.
    fn note_source(&mut self) {
        if let Some(sum) = self.sum.take() {
            let games = self.importer.games - self.before;
            let source = ImportedSource::new(self.source.as_deref(), sum, games);
            self.importer.sources.push((self.before, source));
        }
    }

    /// Receives the parts of a segment.
    fn segment(
        &mut self,
        parts: &Receiver<Part>,
        start: &SegmentStart,
    ) -> Result<(Counts, SegmentStart), ArchiveError> {
        loop {
            match self.wait(parts)?.ok_or(ArchiveError::ThreadLost)? {
                Part::Games(chunk, skips) => self.games(chunk, skips, start)?,
                Part::End(counts, end) => return Ok((counts, end)),
                Part::Failure(error) => return Err(error),
            }
        }
    }

    fn games(
        &mut self,
        mut chunk: Chunk,
        mut skips: Vec<Skip>,
        start: &SegmentStart,
    ) -> Result<(), ArchiveError> {
        chunk.renumber(start);
        chunk.source.clone_from(&self.source);
        skips.iter_mut().for_each(|skip| start.renumber_skip(skip));
        let mut skips = skips.iter().peekable();
        for error in chunk.errors() {
            while let Some(skip) = skips.next_if(|skip| skip.game < error.game) {
                self.skipped(skip)?;
            }
            if self.watch.faulty(self.input, error).is_break() {
                return Err(ArchiveError::Stopped);
            }
        }
        skips.try_for_each(|skip| self.skipped(skip))?;
        self.importer.games += chunk.games as u64;
        self.importer.plies += chunk.plies;
        self.importer.variants.add(&chunk.variants);
        let threads = self.importer.pool.as_ref().map(|pool| (pool, self.importer.threads));
        self.importer.groups.add(chunk, threads)
    }

    fn skipped(&mut self, skip: &Skip) -> Result<(), ArchiveError> {
        let flow = self.watch.skipped(self.input, skip);
        if flow.is_break() { Err(ArchiveError::Stopped) } else { Ok(()) }
    }
}
