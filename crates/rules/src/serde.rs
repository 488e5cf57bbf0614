//! The feature `serde`.
//!
//! | type | form |
//! | --- | --- |
//! | [`Chess`], [`Setup`] | FEN, a string |
//! | [`AnyPosition`] | `{"variant": "makruk", "fen": "…"}` |
//! | [`Variant`] | its name, a string |
//! | [`UciMove`] | UCI, a string: `e2e4` |
//! | [`San`] | SAN, a string: `Nf3` |
//! | [`MaterialKey`] | a string: `KQvKR` |
//! | [`Role`] | its name, a string: `knight` |
//! | [`Piece`] | its [letter](Piece::to_char) of FEN, a string: `n` |
//! | [`Outcome`] | `{"kind": "checkmate", "winner": "white"}`; for a draw, the winner is `null` |
//! | [`Move`] | its [two bytes](Move::to_bits), a number |
//!
//! A [`Move`] is a number because without a position UCI cannot distinguish castling from a king
//! move. Reading a [`Chess`] infers the castling mode from the FEN ([`Setup::castling_mode`]); an
//! [`AnyPosition`] keeps it. Anything that Fairy-Stockfish's FEN does not hold is lost: the counting policy of Makruk,
//! and during a count the half-move clock and the first number.

use crate::{
    AnyPosition, Chess, Color, MaterialKey, Move, Outcome, Piece, Role, San, Setup, UciMove,
    Variant,
};
use alloc::string::{String, ToString};
use core::fmt;
use core::marker::PhantomData;
use serde_core::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_core::ser::SerializeStruct;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads a string with a function.
struct Text<T, F> {
    expected: &'static str,
    read: F,
    made: PhantomData<T>,
}

impl<T, E: fmt::Display, F: Fn(&str) -> Result<T, E>> Visitor<'_> for Text<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<D: Error>(self, text: &str) -> Result<T, D> {
        (self.read)(text).map_err(D::custom)
    }
}

macro_rules! as_text {
    ($($made:ty: $expected:literal, $read:expr;)*) => {$(
        impl Serialize for $made {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $made {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let made = PhantomData::<$made>;
                deserializer.deserialize_str(Text { expected: $expected, read: $read, made })
            }
        }
    )*};
}

as_text! {
    Chess: "a FEN of chess or Chess960", |text: &str| Chess::from_fen(text, None);
    Setup: "a FEN", str::parse::<Setup>;
    UciMove: "a UCI move", str::parse::<UciMove>;
    San: "a SAN", str::parse::<San>;
    MaterialKey: "the pieces of both sides, such as KQvKR", str::parse::<MaterialKey>;
    Role: "the name of a role", |text: &str| {
        Role::from_name(text).ok_or("expected pawn, knight, bishop, rook, queen, king, khon or met")
    };
    Piece: "a letter of FEN", |text: &str| {
        let mut letters = text.chars();
        let piece = letters.next().and_then(Piece::from_char).filter(|_| letters.next().is_none());
        piece.ok_or("expected a letter of PNBRQKSM, upper case for White, lower case for Black")
    };
    Variant: "the name of a game", |text: &str| {
        Variant::from_name(text).ok_or("expected chess, chess960, makruk, makpong or asean")
    };
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.to_bits())
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u16::deserialize(deserializer)?;
        let found = Unexpected::Unsigned(bits.into());
        Self::from_bits(bits).ok_or_else(|| D::Error::invalid_value(found, &"the bits of a move"))
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Outcome", 2)?;
        fields.serialize_field("kind", self.name())?;
        fields.serialize_field("winner", &self.winner())?;
        fields.end()
    }
}

/// The outcome with this name and winner.
fn outcome<E: Error>(name: &str, winner: Option<Color>) -> Result<Outcome, E> {
    let draws = [
        Outcome::Stalemate,
        Outcome::InsufficientMaterial,
        Outcome::FivefoldRepetition,
        Outcome::SeventyFiveMoves,
        Outcome::ThreefoldRepetition,
        Outcome::FiftyMoves,
        Outcome::CountingDraw,
    ];
    let wins = Color::ALL.map(|winner| Outcome::Checkmate { winner });
    let mut named =
        wins.into_iter().chain(draws).filter(|outcome| outcome.name() == name).peekable();
    if named.peek().is_none() {
        return Err(E::invalid_value(
            Unexpected::Str(name),
            &"the kind of an outcome, such as checkmate",
        ));
    }
    named.find(|outcome| outcome.winner() == winner).ok_or_else(|| {
        E::custom(
            "expected white or black as the winner of a checkmate, and null as that of a draw",
        )
    })
}

/// Keeps the value of a field, or reports that the field is duplicated.
fn put<T, E: Error>(name: &'static str, place: &mut Option<T>, value: T) -> Result<(), E> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Outcome;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an outcome with the fields kind and winner")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Outcome, A::Error> {
                let name = seq.next_element::<String>()?;
                let winner = seq.next_element::<Option<Color>>()?;
                let name = name.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                outcome(&name, winner.ok_or_else(|| A::Error::invalid_length(1, &self))?)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Outcome, A::Error> {
                let (mut name, mut winner) = (None, None);
                while let Some(field) = map.next_key::<String>()? {
                    match field.as_str() {
                        "kind" => put("kind", &mut name, map.next_value::<String>()?)?,
                        "winner" => put("winner", &mut winner, map.next_value::<Option<Color>>()?)?,
                        _ => return Err(A::Error::unknown_field(&field, &["kind", "winner"])),
                    }
                }
                let name = name.ok_or_else(|| A::Error::missing_field("kind"))?;
                outcome(&name, winner.flatten())
            }
        }

        deserializer.deserialize_struct("Outcome", &["kind", "winner"], Fields)
    }
}

impl Serialize for AnyPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("AnyPosition", 2)?;
        fields.serialize_field("variant", &self.variant())?;
        fields.serialize_field("fen", &self.to_string())?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for AnyPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = AnyPosition;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position with the fields variant and fen")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AnyPosition, A::Error> {
                let variant = seq.next_element::<Variant>()?;
                let variant = variant.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                let fen = seq.next_element::<String>()?;
                let fen = fen.ok_or_else(|| A::Error::invalid_length(1, &self))?;
                AnyPosition::from_fen(&fen, variant).map_err(A::Error::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AnyPosition, A::Error> {
                let (mut variant, mut fen) = (None, None);
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "variant" => put("variant", &mut variant, map.next_value::<Variant>()?)?,
                        "fen" => put("fen", &mut fen, map.next_value::<String>()?)?,
                        _ => return Err(A::Error::unknown_field(&name, &["variant", "fen"])),
                    }
                }
                let variant = variant.ok_or_else(|| A::Error::missing_field("variant"))?;
                let fen = fen.ok_or_else(|| A::Error::missing_field("fen"))?;
                AnyPosition::from_fen(&fen, variant).map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_struct("AnyPosition", &["variant", "fen"], Fields)
    }
}
