//! `Serialize` and `Deserialize`, with the feature `serde`.
//!
//! | value | text formats, such as JSON | binary formats |
//! |---|---|---|
//! | [`Square`] | `"e4"` | its index, a byte |
//! | [`File`] | `"e"` | its index, a byte |
//! | [`Rank`] | `"4"` | its index, a byte |
//! | [`Color`] | `"white"`, `"black"` | 0, 1 |
//! | [`Bitboard`] | `["a1", "h8"]`, in ascending order | the bits, eight bytes |
//!
//! A set is a list and not a number, because many readers of JSON round numbers above 2^53. A list may be
//! in any order, and may repeat squares.

use crate::{Bitboard, Color, File, Rank, Square};
use core::fmt;
use serde_core::de::{self, SeqAccess, Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A type whose values have a name and an index.
macro_rules! named {
    ($type:ident, $expected:literal, $from_index:expr, $from_name:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_u8(self.index() as u8)
                }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Name;

                impl Visitor<'_> for Name {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: de::Error>(self, name: &str) -> Result<$type, E> {
                        let from_name: fn(&str) -> Option<$type> = $from_name;
                        from_name(name)
                            .ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
                    }

                    fn visit_u64<E: de::Error>(self, index: u64) -> Result<$type, E> {
                        let from_index: fn(u8) -> Option<$type> = $from_index;
                        let invalid = || E::invalid_value(Unexpected::Unsigned(index), &self);
                        u8::try_from(index).ok().and_then(from_index).ok_or_else(invalid)
                    }
                }

                if deserializer.is_human_readable() {
                    deserializer.deserialize_str(Name)
                } else {
                    deserializer.deserialize_u8(Name)
                }
            }
        }
    };
}

named!(Square, "a square such as \"e4\", or its index", Square::from_index, |name| name
    .parse()
    .ok());
named!(
    File,
    "a file, \"a\" to \"h\", or its index",
    File::from_index,
    |name| match *name.as_bytes() {
        [letter] => File::from_letter(letter),
        _ => None,
    }
);
named!(
    Rank,
    "a rank, \"1\" to \"8\", or its index",
    Rank::from_index,
    |name| match *name.as_bytes() {
        [digit] => Rank::from_digit(digit),
        _ => None,
    }
);
named!(
    Color,
    "\"white\" or \"black\", or 0 or 1",
    |index| Color::ALL.get(usize::from(index)).copied(),
    |name| name.parse().ok()
);

impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(*self)
        } else {
            serializer.serialize_u64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Squares;

        impl<'de> Visitor<'de> for Squares {
            type Value = Bitboard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares such as [\"a1\", \"h8\"]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut squares: A) -> Result<Bitboard, A::Error> {
                let mut set = Bitboard::EMPTY;
                while let Some(square) = squares.next_element::<Square>()? {
                    set |= square;
                }
                Ok(set)
            }
        }

        if deserializer.is_human_readable() {
            deserializer.deserialize_seq(Squares)
        } else {
            u64::deserialize(deserializer).map(Self)
        }
    }
}
