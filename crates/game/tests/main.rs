//! Games as data, tested with real games and against the output of independent programs.

#[path = "game/against_slow.rs"]
mod against_slow;
#[path = "game/board.rs"]
mod board;
#[path = "game/bounds.rs"]
mod bounds;
#[path = "game/checking.rs"]
mod checking;
#[path = "game/clocks.rs"]
mod clocks;
#[path = "game/codec.rs"]
mod codec;
#[path = "game/collections.rs"]
mod collections;
#[path = "game/corpus.rs"]
mod corpus;
#[path = "game/damage.rs"]
mod damage;
#[path = "game/data.rs"]
mod data;
#[path = "game/edits.rs"]
mod edits;
#[path = "game/encodings.rs"]
mod encodings;
#[path = "game/events.rs"]
mod events;
#[path = "game/files.rs"]
mod files;
#[path = "game/games.rs"]
mod games;
#[path = "game/hints.rs"]
mod hints;
#[path = "game/hostile.rs"]
mod hostile;
#[path = "game/input.rs"]
mod input;
#[path = "game/keys.rs"]
mod keys;
#[path = "game/kokopu.rs"]
mod kokopu;
#[path = "game/line_tests.rs"]
mod line_tests;
#[path = "game/mainlines.rs"]
mod mainlines;
#[path = "game/makruk.rs"]
mod makruk;
#[path = "game/null_moves.rs"]
mod null_moves;
#[path = "game/odd_blanks.rs"]
mod odd_blanks;
#[path = "game/odd_starts.rs"]
mod odd_starts;
#[path = "game/odd_tags.rs"]
mod odd_tags;
#[path = "game/odd_tokens.rs"]
mod odd_tokens;
#[path = "game/one_move.rs"]
mod one_move;
#[path = "game/openings.rs"]
mod openings;
#[path = "game/parts.rs"]
mod parts;
#[path = "game/portions.rs"]
mod portions;
#[path = "game/properties.rs"]
mod properties;
#[path = "game/python_chess.rs"]
mod python_chess;
#[path = "game/random_trees.rs"]
mod random_trees;
#[path = "game/recorder.rs"]
mod recorder;
#[path = "game/reference.rs"]
mod reference;
#[path = "game/scans.rs"]
mod scans;
#[path = "game/segments.rs"]
mod segments;
#[path = "game/sequences.rs"]
mod sequences;
#[path = "game/signatures.rs"]
mod signatures;
#[path = "game/slow_reader.rs"]
mod slow_reader;
#[path = "game/tokens.rs"]
mod tokens;
#[path = "game/whole.rs"]
mod whole;
#[path = "game/whole_bytes.rs"]
mod whole_bytes;
#[path = "game/writing.rs"]
mod writing;
