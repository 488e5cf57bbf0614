//! The terminal on which `show` steps through a game.

use super::viewer::{Command, Viewer};
use crate::interrupt::Interrupt;
use anyhow::Context;
use console::{Key, Term, is_dumb};
use std::io::{self, IsTerminal};

/// Returns true if there is a terminal with a screen and keys.
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb()
}

/// Shows games until a key or a signal ends it, and restores the previous screen.
pub(super) fn step(mut viewer: Viewer<'_>) -> anyhow::Result<()> {
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let term = Term::buffered_stdout();
    term.write_str("\x1b[?1049h\x1b[?25l")?;
    let stepped = run(&term, &mut viewer, &interrupt);
    term.write_str("\x1b[?25h\x1b[?1049l")?;
    term.flush()?;
    if let Some(interrupted) = interrupt.check() {
        return Err(interrupted.into());
    }
    stepped
}

fn run(term: &Term, viewer: &mut Viewer<'_>, interrupt: &Interrupt) -> anyhow::Result<()> {
    while interrupt.check().is_none() {
        let (rows, columns) = term.size();
        let lines = viewer.screen(rows.into(), columns.into());
        // From the top, line by line, each to its end, and nothing below the last one.
        term.write_str("\x1b[H")?;
        let lines: Vec<String> = lines.into_iter().take(rows.into()).collect();
        term.write_str(&(lines.join("\x1b[K\r\n") + "\x1b[K\x1b[J"))?;
        term.flush()?;
        // A signal ends the wait as Ctrl-C does.
        let Some(command) = command(term.read_key_raw()?) else { continue };
        if !viewer.press(command)? {
            break;
        }
    }
    Ok(())
}

/// The command of a key.
fn command(key: Key) -> Option<Command> {
    Some(match key {
        Key::ArrowRight | Key::ArrowDown | Key::Char(' ' | 'l' | 'j' | 'n') => Command::Next,
        Key::ArrowLeft | Key::ArrowUp | Key::Char('h' | 'k' | 'p') => Command::Back,
        Key::Enter => Command::Enter,
        Key::Backspace => Command::Erase,
        Key::Escape => Command::Escape,
        Key::Char('v' | 'V') => Command::Variation,
        Key::Char('u' | 'U') => Command::Out,
        Key::PageDown | Key::Char(']' | 'N') => Command::NextGame,
        Key::PageUp | Key::Char('[' | 'P') => Command::PreviousGame,
        Key::Char(digit @ '0'..='9') => Command::Digit(digit),
        Key::Char('.' | '…') => Command::Dots,
        Key::Home | Key::Char('g') => Command::First,
        Key::End | Key::Char('G' | '$') => Command::Last,
        Key::Char('f' | 'F') => Command::Flip,
        Key::Char('q' | 'Q') | Key::CtrlC => Command::Quit,
        _ => return None,
    })
}
