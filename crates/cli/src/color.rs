//! Color on terminals, unless the user turns it off.
//!
//! `--color always` and `never` override everything else. With `auto`, there is color on a terminal, unless `NO_COLOR` is set or
//! `CLICOLOR` is 0; `CLICOLOR_FORCE`, if it is not 0, turns it on elsewhere. No information is in the color alone.

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};

/// The head of a table or of a list.
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// The frame of an excerpt.
#[cfg(feature = "sql")]
pub(crate) const FRAME: Style = AnsiColor::Blue.on_default();

/// Sets the color choice of the whole program. The option is read before the command line is parsed, since the errors of parsing
/// have colors, too.
pub(crate) fn begin(args: impl Iterator<Item = OsString>) {
    let choice = match requested(args) {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    // The library only checks that the variable is set.
    let is_unforced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0");
    let are_screens = io::stdout().is_terminal() && io::stderr().is_terminal();
    let choice = match choice {
        ColorChoice::Auto if is_unforced && !are_screens => ColorChoice::Never,
        choice => choice,
    };
    choice.write_global();
    console::set_colors_enabled(on_stdout());
    console::set_colors_enabled_stderr(on_stderr());
}

/// The value of `--color`. An invalid one is reported later.
fn requested(args: impl Iterator<Item = OsString>) -> clap::ColorChoice {
    let mut args = args.skip(1).take_while(|arg| arg != "--");
    let mut choice = clap::ColorChoice::Auto;
    while let Some(arg) = args.next() {
        let arg = arg.to_string_lossy();
        let value = match arg.strip_prefix("--color") {
            Some("") => args.next().map(|value| value.to_string_lossy().into_owned()),
            Some(value) => value.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        if let Some(value) = value {
            choice = clap::ColorChoice::from_str(&value, false).unwrap_or(choice);
        }
    }
    choice
}

pub(crate) fn on_stdout() -> bool {
    is_on(&io::stdout())
}

pub(crate) fn on_stderr() -> bool {
    is_on(&io::stderr())
}

fn is_on<S: RawStream>(stream: &S) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// Returns the text in a style, if color is on.
pub(crate) fn paint(text: &str, style: Style, is_on: bool) -> String {
    if is_on { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{HEADING, paint, requested};
    use clap::ColorChoice;

    #[test]
    fn the_option_is_found_anywhere() {
        let choice = |line: &str| requested(line.split(' ').map(Into::into));
        for (line, expected) in [
            ("halfmove info club", ColorChoice::Auto),
            ("halfmove --color always info club", ColorChoice::Always),
            ("halfmove info club --color=never", ColorChoice::Never),
            ("halfmove info --color=always club --color never", ColorChoice::Never),
            ("halfmove info --color", ColorChoice::Auto),
            ("halfmove info --color loud", ColorChoice::Auto),
            ("halfmove info --colors=never", ColorChoice::Auto),
            ("halfmove pgn check -- --color=never", ColorChoice::Auto),
        ] {
            assert_eq!(choice(line), expected, "{line}");
        }
    }

    #[test]
    fn text_is_painted_only_if_color_is_on() {
        assert_eq!(paint("id", HEADING, false), "id");
        assert_eq!(paint("id", HEADING, true), "\u{1b}[1mid\u{1b}[0m");
    }
}
