//! Nets as bytes: shared by the fuzz target `net` and the tests.

use halfmove_engine::{KeyedMakruk, Net};
use halfmove_rules::Makruk;

/// The offset of the weights of [`small`]: after the header and the text.
const WEIGHTS: usize = 24 + 5;

/// FNV-1a of all bytes from 16 on, as the format requires.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum: u64 = 14_695_981_039_346_656_037;
    for byte in bytes {
        sum ^= u64::from(*byte);
        sum = sum.wrapping_mul(1_099_511_628_211);
    }
    sum
}

/// Writes the checksum of bytes into them, if they are long enough to have one.
pub(crate) fn seal(bytes: &mut [u8]) {
    if bytes.len() >= 16 {
        let sum = checksum(&bytes[16..]);
        bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    }
}

/// The smallest net of Makruk, with weights of all sizes, written byte by byte as the format says.
pub(crate) fn small() -> Vec<u8> {
    small_of(1)
}

/// The same for a game by its number.
pub(crate) fn small_of(game: u8) -> Vec<u8> {
    let mut bytes = b"HalfNet1........\x01\x08\x20\x00\x05\x00\x00\x00by me".to_vec();
    bytes[16] = game;
    for row in 0..768 + 1 + 16 + 1_i32 {
        for lane in 0..32_i32 {
            // Small for the inputs, up to 127 for the outputs, anything for the last row.
            let weight = match row {
                0..769 => (row * 37 + lane * 11) % 101 - 45,
                769..785 => (row * 31 + lane * 17) % 255 - 127,
                _ => 4_000 - 321 * lane,
            };
            bytes.extend((weight as i16).to_le_bytes());
        }
    }
    seal(&mut bytes);
    bytes
}

/// Any bytes as a net; and as changes of the small net, three bytes each: an offset and the new byte. The result is a
/// net whose value of a position is within the bounds, or an error, never a panic.
pub(crate) fn any_net(bytes: &[u8]) {
    read(bytes);
    let mut net = small();
    let (changes, rest) = bytes.as_chunks::<3>();
    for [low, high, byte] in changes {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % net.len();
        net[at] = *byte;
    }
    // One more byte after the changes cuts off the end, two extend it.
    match rest {
        [less] => net.truncate(net.len() - usize::from(*less)),
        more => net.extend(more),
    }
    seal(&mut net);
    read(&net);
}

fn read(bytes: &[u8]) {
    let net = match Net::from_bytes(bytes) {
        Ok(net) => net,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(net.to_bytes(), bytes, "a net comes back");
    for fen in [
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60",
        "rrrrkrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/8/8/RRRRRRRR/RRRRRRRK b - - 0 1",
    ] {
        let Ok(position) = fen.parse::<Makruk>() else { continue };
        let value = net.value(&KeyedMakruk::new(position));
        assert!(value.is_none_or(|value| value.abs() < 25_000), "{fen}: {value:?}");
    }
}

/// The offset of the first weight of a row.
pub(crate) const fn weight(row: usize) -> usize {
    WEIGHTS + row * 64
}
