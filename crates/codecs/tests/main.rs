//! All codecs through one trait, on real games and on hostile bytes, and each compared with its source.

#[path = "codecs/brenner.rs"]
mod brenner;
#[path = "codecs/corpus.rs"]
mod corpus;
#[path = "../../game/tests/game/data.rs"]
#[expect(dead_code, reason = "the tests of `game` read more")]
mod data;
#[path = "codecs/dense.rs"]
mod dense;
#[path = "codecs/jose.rs"]
mod jose;
#[path = "codecs/names.rs"]
mod names;
#[path = "codecs/pack.rs"]
mod pack;
#[path = "../../game/tests/game/reference/page.rs"]
mod page;
#[path = "codecs/properties.rs"]
mod properties;
#[path = "codecs/suite.rs"]
mod suite;
#[path = "codecs/texts.rs"]
mod texts;
