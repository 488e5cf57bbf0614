//! A dump of our own bytes names the piece and the step in the words of the tables of `docs/reference/codec.md`.

use halfmove_codecs::{Codec, Halfmove};

use crate::page::{every_byte, every_makruk_byte};

/// The fields of the last code of a dump.
fn last_fields(bytes: &[u8]) -> String {
    let mut fields = String::new();
    Halfmove.dump(bytes, &mut |code| fields.clone_from(&code.fields)).expect("legal moves");
    fields
}

#[test]
fn every_byte_has_the_name_of_the_table() {
    for example in every_byte() {
        let mut bytes = Vec::new();
        Halfmove.encode_moves(&example.start.into(), &example.moves, &mut bytes).unwrap();
        assert_eq!(bytes.last(), Some(&example.byte));
        assert_eq!(last_fields(&bytes), example.fields);
    }
}

#[test]
fn every_byte_of_makruk_has_the_name_of_its_table() {
    every_makruk_byte(|bytes, legal| {
        if let Some((_, fields)) = legal {
            assert_eq!(last_fields(bytes), fields, "{bytes:02x?}");
        }
    });
}
