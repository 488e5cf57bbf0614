//! The arguments of `halfmove serve`.

use super::sql::memory;
use clap::Args;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Serves the page (a board, the explorer, the games and every filter) and answers programs: Lichess's
opening explorer at /masters, /lichess and /player, for which the first archive answers, and
/archives/NAME/masters and so on for the others; and an interface of its own below /api. Clients of
Lichess's explorer only need another address: berserk.Client(explorer_url=\"http://127.0.0.1:9002\").

Only this machine is answered, and nothing can be changed, unless flags say otherwise. Games that
another command imports are seen at once. Ctrl-C ends the server.

Examples:
  halfmove serve club
  halfmove serve club=games/club masters=/data/masters --no-open
  halfmove serve season.pgn.zst
  halfmove serve club --changeable
  halfmove serve club --listen 0.0.0.0:9002 --token correct-horse-battery-staple")]
pub(crate) struct Serve {
    /// Archives, or PGN files: PATH, or NAME=PATH. The first is the default
    #[arg(required = true, value_name = "NAME=PATH")]
    pub(crate) archives: Vec<Named>,
    /// Address and port
    ///
    /// An address that other machines can reach requires --token
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9002")]
    pub(crate) listen: SocketAddr,
    /// Accept only requests with this token of at least 16 characters
    ///
    /// As `Authorization: Bearer TOKEN`, or as the cookie that the address /?token=TOKEN sets
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    pub(crate) token: Option<String>,
    /// Another name of this machine to which requests may be addressed
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) host: Vec<String>,
    /// Let pages of other sites read responses
    #[arg(long, hide_short_help = true)]
    pub(crate) cors: bool,
    /// Allow imports and undo from the page
    #[arg(long)]
    pub(crate) changeable: bool,
    /// Answer queries in SQL, at /api/sql
    ///
    /// They only read. Whoever may ask the server may ask them, within its limits of time and memory
    #[arg(long, hide_short_help = true)]
    pub(crate) sql: bool,
    /// Memory for the columns of each archive
    ///
    /// Searches keep about 130 bytes a game there; what finds no room is read from the disk again
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = memory, hide_short_help = true)]
    pub(crate) cache: usize,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Print a line for each request
    #[arg(long)]
    pub(crate) log: bool,
    /// Serve /metrics, for Prometheus
    #[arg(long, hide_short_help = true)]
    pub(crate) metrics: bool,
}

/// An archive or a PGN file, and the name under which it is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// True if the name is not that of the path, because it has other characters than names may have.
    pub(crate) is_renamed: bool,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
        let is_name = |name: &str| !name.is_empty() && name.chars().all(is_plain);
        // A file may have a = in its name.
        if let Some((name, path)) = text.split_once('=')
            && is_name(name)
            && !Path::new(text).exists()
        {
            return Ok(Self { name: name.to_owned(), path: path.into(), is_renamed: false });
        }
        let path = PathBuf::from(text);
        let full = path.canonicalize().unwrap_or_else(|_| path.clone());
        let name = full.file_name().map(|name| name.to_string_lossy().into_owned());
        // games.pgn.zst is served as games.
        let name = name.as_deref().and_then(|name| name.split('.').next()).unwrap_or_default();
        let plain: String =
            name.chars().map(|char| if is_plain(char) { char } else { '-' }).collect();
        let is_renamed = plain != name;
        let name = if plain.is_empty() { "games".to_owned() } else { plain };
        Ok(Self { name, path, is_renamed })
    }
}

/// Parses a token. It goes into a cookie and a header.
fn token(text: &str) -> Result<String, String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    match text.len() >= 16 && text.bytes().all(is_plain) {
        true => Ok(text.to_owned()),
        false => {
            Err("expected 16 or more ASCII letters, digits, hyphens, underscores or dots"
                .to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Named, token};

    #[test]
    fn archives_have_names() {
        for (text, name, path) in [
            ("club=games/club", "club", "games/club"),
            ("games/club", "club", "games/club"),
            ("season.pgn.zst", "season", "season.pgn.zst"),
            ("a/b=c", "b-c", "a/b=c"),
            ("x=y=z", "x", "y=z"),
            ("/no/my games", "my-games", "/no/my games"),
            ("a_b=x/", "a_b", "x/"),
            ("/no/a_b/", "a_b", "/no/a_b/"),
        ] {
            let named: Named = text.parse().unwrap();
            assert_eq!((named.name.as_str(), named.path.to_str()), (name, Some(path)), "{text}");
            assert_eq!(named.is_renamed, ["b-c", "my-games"].contains(&name), "{text}");
        }
    }

    #[test]
    fn tokens_are_long_and_plain() {
        assert!(token("correct-horse-battery").is_ok());
        for text in ["short", "", "with a space in it", "semicolon;semicolon"] {
            assert!(token(text).is_err(), "{text}");
        }
    }
}
