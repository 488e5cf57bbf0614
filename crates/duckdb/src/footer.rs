//! The footer of the file of an extension, without which DuckDB does not load it.
//!
//! ```text
//! 8 fields of 32 bytes   three empty, ABI, version of the extension, version of the C interface, platform, "4"
//! 256 bytes              the signature; zeros for an unsigned extension
//! ```

use std::env::consts::{ARCH, OS};

/// The version of the C interface that the extension needs: that of DuckDB 1.2 and later.
pub const C_API: &str = "v1.2.0";

/// The number of bytes of a footer.
pub const BYTES: usize = 512;

/// The number of bytes of a field.
const FIELD: usize = 32;

/// DuckDB's name for the platform that this crate is compiled for, such as `linux_amd64`.
///
/// ```
/// assert!(halfmove_duckdb::footer::platform().contains('_'));
/// ```
pub fn platform() -> String {
    let system = match OS {
        "macos" => "osx",
        other => other,
    };
    let processor = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}_{processor}")
}

/// The footer of this version of the extension, unsigned.
///
/// ```
/// use halfmove_duckdb::footer::{C_API, footer};
///
/// let footer = footer();
/// assert!(footer[5 * 32..].starts_with(C_API.as_bytes()));
/// ```
pub fn footer() -> [u8; BYTES] {
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let platform = platform();
    let fields = ["", "", "", "C_STRUCT", version, C_API, &platform, "4"];
    let mut footer = [0; BYTES];
    for (place, text) in footer.chunks_exact_mut(FIELD).zip(fields) {
        let length = text.len().min(FIELD);
        place[..length].copy_from_slice(&text.as_bytes()[..length]);
    }
    footer
}
