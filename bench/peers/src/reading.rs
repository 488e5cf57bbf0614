//! Games read by pgn-reader and played by shakmaty, as their documentation shows it: the file without a
//! buffer around it (the reader has one), variations skipped, comments and glyphs not looked at, the
//! position updated in place, nothing kept.

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, PositionError};
use std::error::Error;
use std::fs::File;
use std::ops::ControlFlow;

/// Prints what a job counts in a file.
pub(crate) fn run(job: &str, path: &str) -> Result<(), Box<dyn Error>> {
    let mut reader = Reader::new(File::open(path)?);
    let (mut games, mut count) = (0_u64, 0_u64);
    match job {
        "mainlines" => {
            while let Some(played) = reader.read_game(&mut MainLine)? {
                games += u64::from(played.is_some());
                count += played.unwrap_or(0);
            }
            println!("{games} games, {count} half-moves");
        }
        "mainlines-from-start" => {
            while let Some(played) = reader.read_game(&mut FromStart)? {
                games += 1;
                count += played;
            }
            println!("{games} games, {count} half-moves");
        }
        "tags" => {
            while let Some(tags) = reader.read_game(&mut Tags)? {
                games += 1;
                count += tags;
            }
            println!("{games} games, {count} tags");
        }
        _ => return Err(format!("no job {job}: mainlines, mainlines-from-start or tags").into()),
    }
    Ok(())
}

/// Plays the main line from the start that the tags name, for as long as it is legal, and counts its
/// half-moves. Passes over games of variants: `None`.
struct MainLine;

/// The start by the tags.
#[derive(Default)]
struct Start {
    chess960: bool,
    fen: Option<Fen>,
}

impl Visitor for MainLine {
    type Tags = Start;
    type Movetext = (Chess, u64);
    type Output = Option<u64>;

    fn begin_tags(&mut self) -> ControlFlow<Option<u64>, Start> {
        ControlFlow::Continue(Start::default())
    }

    fn tag(
        &mut self,
        start: &mut Start,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Option<u64>> {
        match name {
            b"FEN" => match Fen::from_ascii(value.as_bytes()) {
                Ok(fen) => start.fen = Some(fen),
                Err(_) => return ControlFlow::Break(None),
            },
            b"Variant" => match value.as_bytes() {
                b"Standard" | b"From Position" => {}
                b"Chess960" => start.chess960 = true,
                _ => return ControlFlow::Break(None),
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Start) -> ControlFlow<Option<u64>, (Chess, u64)> {
        let Some(fen) = start.fen else { return ControlFlow::Continue((Chess::default(), 0)) };
        let mode = CastlingMode::from_chess960(start.chess960);
        // What halfmove forgives too: positions made up for fun.
        let position = fen
            .into_position(mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material);
        match position {
            Ok(position) => ControlFlow::Continue((position, 0)),
            Err(_) => ControlFlow::Break(None),
        }
    }

    fn san(
        &mut self,
        (position, played): &mut (Chess, u64),
        san: SanPlus,
    ) -> ControlFlow<Option<u64>> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                *played += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(Some(*played)),
        }
    }

    fn begin_variation(&mut self, _: &mut (Chess, u64)) -> ControlFlow<Option<u64>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (_, played): (Chess, u64)) -> Option<u64> {
        Some(played)
    }
}

/// The same without a look at the tags: right only for files in which every game begins at the standard
/// starting position.
struct FromStart;

impl Visitor for FromStart {
    type Tags = ();
    type Movetext = (Chess, u64);
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<u64, (Chess, u64)> {
        ControlFlow::Continue((Chess::default(), 0))
    }

    fn san(&mut self, (position, played): &mut (Chess, u64), san: SanPlus) -> ControlFlow<u64> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                *played += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(*played),
        }
    }

    fn begin_variation(&mut self, _: &mut (Chess, u64)) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (_, played): (Chess, u64)) -> u64 {
        played
    }
}

/// Counts the tags and passes over the moves.
struct Tags;

impl Visitor for Tags {
    type Tags = u64;
    type Movetext = ();
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(0)
    }

    fn tag(&mut self, tags: &mut u64, name: &[u8], value: RawTag<'_>) -> ControlFlow<u64> {
        // The name and the value are there to be used.
        std::hint::black_box((name, value.as_bytes()));
        *tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: u64) -> ControlFlow<u64, ()> {
        ControlFlow::Break(tags)
    }

    fn end_game(&mut self, (): ()) -> u64 {
        0
    }
}
