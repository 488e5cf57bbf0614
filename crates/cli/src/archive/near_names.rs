//! Notes on names in conditions: similar names, and other spellings of the same player.

use crate::output::{self, counted};
use crate::visible::visible;
use halfmove_archive::{Archive, ArchiveError, Filter, NearName};
use halfmove_rules::Color;

/// The maximum number of names to suggest.
const OFFERED: usize = 3;

/// Prints notes for a filter without matches: similar names, and the player's games with the other color.
pub(crate) fn note_near_names(archive: &Archive, filter: &Filter) -> Result<(), ArchiveError> {
    let typed = [&filter.player, &filter.opponent, &filter.white, &filter.black];
    for typed in typed.into_iter().flatten() {
        if filter.exact_names {
            let player = Some(typed.clone());
            let exactly = Filter { player, exact_names: true, ..Filter::default() };
            if archive.count(&exactly)? == 0 {
                note_exact_name(archive, typed)?;
            }
        } else {
            note_near_name(archive, typed)?;
        }
    }
    let (Some(player), Some(color)) = (&filter.player, filter.color) else { return Ok(()) };
    let of = |color| Filter {
        player: Some(player.clone()),
        color: Some(color),
        exact_names: filter.exact_names,
        ..Filter::default()
    };
    if archive.count(&of(color))? == 0 {
        let games = archive.count(&of(!color))?;
        let side = if color == Color::White { "Black" } else { "White" };
        if games > 0 {
            output::note(format_args!("\"{player}\" has {}, with {side}", counted(games, "game")));
        }
    }
    Ok(())
}

/// Prints a note if a search for the player's initials, as many files spell names, finds more games than the full name.
pub(crate) fn note_more_spellings(
    archive: &Archive,
    filter: &Filter,
    games: u64,
) -> Result<(), ArchiveError> {
    if filter.exact_names {
        return Ok(());
    }
    let Some(short) = filter.player.as_deref().and_then(with_initial) else { return Ok(()) };
    let player = Some(short.clone());
    let all = archive.count(&Filter { player, ..filter.clone() })?;
    if games > 0 && all > games {
        let more = output::grouped(all - games);
        output::note(format_args!(
            "{more} more games may be of this player: --player \"{short}\" finds them, too"
        ));
    }
    Ok(())
}

/// A name with an initial in place of the given names: `Tal, M` for `Mikhail Tal` and `Tal, Mikhail`. `None` if no given name is
/// spelled out.
fn with_initial(name: &str) -> Option<String> {
    let (surname, given) = match name.split_once(',') {
        Some((surname, given)) => (surname.trim(), given.trim()),
        None => {
            let (given, surname) = name.trim().rsplit_once(' ')?;
            (surname, given.trim())
        }
    };
    let first = given.split([' ', '.', '-']).next()?;
    let mut letters = first.chars();
    let initial = letters.next()?;
    let is_written_out = initial.is_alphabetic() && letters.next().is_some();
    let is_surname = surname.chars().nth(1).is_some();
    (is_written_out && is_surname).then(|| format!("{surname}, {initial}"))
}

/// Prints a note on a name that no player has, with similar names.
pub(crate) fn note_near_name(archive: &Archive, typed: &str) -> Result<(), ArchiveError> {
    let names = archive.names_near(typed, OFFERED)?;
    if !names.first().is_some_and(|name| name.is_match) {
        offer(&format!("no player is called \"{}\"", visible(typed)), &names);
    }
    Ok(())
}

/// Prints a note on a name that no player has in exactly this spelling, with similar names.
pub(crate) fn note_exact_name(archive: &Archive, typed: &str) -> Result<(), ArchiveError> {
    let names = archive.names_near(typed, OFFERED)?;
    offer(&format!("no player is called exactly \"{}\"", visible(typed)), &names);
    Ok(())
}

fn offer(what: &str, names: &[NearName]) {
    let mut text = what.to_owned();
    for (index, name) in names.iter().enumerate() {
        let games = counted(name.games, "game");
        let before = if index == 0 { "; did you mean " } else { " or " };
        text += &format!("{before}\"{}\" ({games})", name.name);
    }
    text += if names.is_empty() { "" } else { "?" };
    output::note(text);
}
