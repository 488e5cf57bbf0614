//! Properties of any bytes: random, damaged or from a fuzzer. The fuzz targets use this file too.

use halfmove_codecs::dense::{Model, ModelError};
use halfmove_codecs::{CODECS, file, pack};
use halfmove_game::Game;
use halfmove_game::codec::number::push_number;

/// Any bytes in any codec, which the first byte selects: an error, or a game that round-trips through its bytes; the
/// dump covers the bytes up to there.
pub(crate) fn codecs(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let codec = CODECS[usize::from(*first) % CODECS.len()];
    let mut end = 0;
    let shown = codec.dump(bytes, &mut |code| {
        assert!(code.bytes.end <= bytes.len() && code.bytes.start < code.bytes.end);
        end = end.max(code.bytes.end);
    });
    let mut moves = Vec::new();
    let main_line = codec.decode_moves(bytes, &mut moves);
    match codec.decode(bytes) {
        Err(error) => {
            assert!(error.offset <= bytes.len());
            assert_eq!(shown, Err(error));
        }
        Ok(game) => {
            assert_eq!(shown, Ok(()));
            assert_eq!((main_line, &moves), (Ok(game.start.clone()), &game.moves));
            let mut again = Vec::new();
            if codec.encode(&game, &mut again).is_ok() {
                assert_eq!(codec.decode(&again), Ok(game));
                // Each move has one number.
                assert!(again == bytes || !codec.name().starts_with("numbered-"), "{again:?}");
            }
        }
    }
}

/// Any bytes as a file of games: an error, or games that round-trip through a new file. A first byte other than that of
/// such files selects a codec and replaces everything before the games.
pub(crate) fn coded_file(bytes: &[u8]) {
    let codec = bytes.first().filter(|first| **first != file::MAGIC[0]);
    let codec = codec.map(|first| CODECS[usize::from(*first) % CODECS.len()]);
    let whole = codec.map(|codec| {
        let mut head = file::Writer::new(codec, Vec::new()).and_then(file::Writer::finish);
        let head = head.as_mut().expect("memory does not fail");
        // The end of a file without games.
        head.truncate(head.len() - 2);
        [&head[..], &bytes[1..]].concat()
    });
    let bytes = whole.as_deref().unwrap_or(bytes);
    let failed = |error: file::FileError| assert!(error.offset <= bytes.len() as u64, "{error}");
    let mut reader = match file::Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return failed(error),
    };
    let codec = reader.codec();
    let mut writer = file::Writer::new(codec, Vec::new()).expect("memory does not fail");
    let mut games = Vec::new();
    loop {
        match reader.next() {
            Err(error) => return failed(error),
            Ok(None) => break,
            Ok(Some(stored)) => match stored.game() {
                Err(error) => return failed(error),
                // Some games that can be read cannot be written.
                Ok(game) => games.extend(writer.write(&game).is_ok().then_some(game)),
            },
        }
    }
    let again = writer.finish().expect("memory does not fail");
    let mut reader = file::Reader::new(&again[..]).expect("a file");
    for mut game in games {
        // Tags that the codec holds come first.
        let held = codec.holds().tags;
        let (mut first, others): (Vec<_>, Vec<_>) =
            game.tags.iter().partition(|(name, _)| held.contains(name));
        first.extend(others);
        game.tags = first.into_iter().collect();
        let stored = reader.next().expect("a file").expect("a game");
        assert_eq!(stored.game().expect("its own bytes"), game);
    }
    assert!(reader.next().expect("a file").is_none());
}

/// Any bytes as a file of packed games, and as the only block of one: an error, or games that return from a new file.
pub(crate) fn packed(bytes: &[u8]) {
    unpacked(bytes);
    let whole = pack::Writer::new(Vec::new()).and_then(pack::Writer::finish);
    let mut whole = whole.expect("memory does not fail");
    // The head of a file.
    whole.truncate(17);
    whole.push(1);
    push_number(bytes.len() as u64, &mut whole);
    whole.extend(bytes);
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    let games = unpacked(&whole);
    let mut writer = pack::Writer::new(Vec::new()).expect("memory does not fail");
    for game in &games {
        writer.write(game).expect("a game that was read");
    }
    let again = writer.finish().expect("memory does not fail");
    assert!(unpacked(&again) == games);
}

/// The games of a file up to the first fault.
fn unpacked(bytes: &[u8]) -> Vec<Game> {
    let failed = |error: pack::PackError| assert!(error.offset <= bytes.len() as u64, "{error}");
    let mut games = Vec::new();
    match pack::Reader::new(bytes) {
        Err(error) => failed(error),
        Ok(mut reader) => loop {
            match reader.next() {
                Ok(Some(game)) => games.push(game),
                Ok(None) => break,
                Err(error) => {
                    failed(error);
                    break;
                }
            }
        },
    }
    games
}

/// Any bytes as a game of the codec `dense`, and as a model: an error, or a game of legal moves that has no
/// other bytes.
pub(crate) fn dense(bytes: &[u8]) {
    let model = Model::shipped();
    let mut moves = Vec::new();
    match model.decode(bytes, &mut moves) {
        Err(error) => assert!(error.offset <= bytes.len(), "{error}"),
        Ok((start, setting)) => {
            let mut position = start.clone();
            for mv in &moves {
                let next =
                    if mv.is_null() { position.null_move() } else { position.play(*mv).ok() };
                position = next.expect("a legal move");
            }
            let mut again = Vec::new();
            model.encode(&start, &moves, setting, &mut again).expect("a decoded game");
            assert_eq!(again, bytes);
        }
    }
    let error = Model::from_bytes(bytes).err();
    assert!(!matches!(error, None | Some(ModelError::Contents)), "{error:?}");
}
