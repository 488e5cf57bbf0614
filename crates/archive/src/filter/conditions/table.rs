//! The table of conditions: names, kinds and help, from which flags, parameters and keyword arguments are made.

use super::{Condition, ConditionKind};

/// Conditions on the tags of a game, its length and its id.
pub(super) const ON_GAMES: &[Condition] = &[
    text("player", "NAME", "Words of the name of White or Black: \"mikhail tal\", \"Tal, M\", kasp*").more(
        "In any order, ignoring case and accents. A single letter is an initial (\"Tal, M\"), and kasp* matches words with this \
         beginning",
    ),
    text("opponent", "NAME", "Words of the name of the player's opponent"),
    one_of("as", "COLOR", &["white", "black"], "The color of the player"),
    text("white", "NAME", "Words of the name of White"),
    text("black", "NAME", "Words of the name of Black"),
    flag("exact", "Names of players are whole names, as they are spelled: \"Aronian, Levon\"")
        .more("Only case, accents and punctuation do not matter"),
    text("event", "NAME", "Words of the event"),
    text("site", "NAME", "Words of the site"),
    list("eco", "CODE", "The ECO code, its beginning, a range or several: B90, B9, E60-E99").more(
        "Separate several by commas: B90,B92. The code is that of the tag ECO, or of the opening if a game has no such tag",
    ),
    text("opening", "NAME", "The opening's name contains these words (any move order): \"king's indian\"").more(
        "In quotation marks of its own, as '\"Sicilian Defense: Najdorf Variation\"', it is a whole name: the opening and its variations",
    ),
    list("speed", "SPEED", "The speed: ultrabullet, bullet, blitz, rapid, classical or correspondence").more(
        "Separate several by commas. By the tag TimeControl, as on Lichess: base + 40 increments, below 30 seconds, 3, 8 and 25 \
         minutes, 6 hours",
    ),
    text(
        "time_control",
        "TIME",
        "The time control: 3+2 is 3 minutes and 2 seconds a move, 40/7200 is 40 moves in 7200 seconds",
    ),
    text("result", "RESULT", "1-0, 0-1, 1/2-1/2 or *; of the player also win, draw or loss")
        .more("1-0 is White's win; win, draw and loss are those of the player"),
    text("since", "DATE", "Played no earlier than this year, month or day: 1924, 1924-03, 1924-03-23, 2y").more(
        "2y, 6m, 3w and 30d count years, months, weeks and days back from today. The date is that of the first of the tags Date, \
         UTCDate and EventDate with a year",
    ),
    text("until", "DATE", "Played no later than this year, month or day"),
    range("year", "YEARS", "Played in this year or range of years: 1999 or 1990-1995"),
    text("min_elo", "ELO", "Both players have at least this rating"),
    text("max_elo", "ELO", "Both players have a rating, and at most this one"),
    text("min_plies", "N", "The game has at least this many half-moves"),
    text("max_plies", "N", "The game has at most this many half-moves"),
    text("sample", "SHARE", "A sample of all games, of which the other conditions choose: 1% or 0.01").more(
        "By a hash of the id and of the seed: the same conditions find the same games, and later those again if the archive has \
         grown",
    ),
    text("seed", "N", "Seed of the sample: another number selects another sample"),
    list("ids", "IDS", "Only games with these ids: 42,7,10-20"),
];

/// Conditions on the board, the moves and the comments of a game.
pub(super) const ON_MOVES: &[Condition] = &[
    text("pattern", "BOARD", "The pieces on some squares: a board as in a FEN, with wildcards").more(
        "A digit is that many squares with any content, A and a are any piece of White and of Black, _ is an empty square, and \
         square brackets hold alternatives. All conditions on the board must hold in the same position",
    ),
    text("structure", "NAME", "A pawn structure, in either color: carlsbad, hedgehog, iqp, maroczy, stonewall").more(
        "Also benoni, caro-kann, dragon, french, hanging, kings-indian, scheveningen. For one side: white:iqp; else either color is \
         implied for all conditions on the board",
    ),
    text("material", "PIECES", "The pieces of White and Black: KRPvKR").more(
        "P2 is exactly two pawns, P2+ two or more, P1-3 one to three, P* any number; A* is any other pieces",
    ),
    text("imbalance", "PIECES", "Material imbalance: White's extra pieces, then Black's: QvRR").more(
        "QvRR is a queen for two rooks, RvB the exchange. Pawns may differ unless they are named; P0 requires equal numbers of pawns",
    ),
    flag("opposite_bishops", "Each side has one bishop, on squares of different colors"),
    text("pawns", "PAWNS", "Exactly these pawns: a board as in a FEN, or squares of White and Black: d4f2ve6f7"),
    list("isolated", "FILE", "White has an isolated pawn on this file: d; Black: black:d; several: d,black:d"),
    list("doubled", "FILE", "White has two pawns or more on this file; Black: black:c"),
    list("passed", "FILE", "White has a passed pawn on this file; Black: black:a"),
    flag("either_color", "Also match with the colors exchanged"),
    flag("mirrored", "Also match mirrored left to right"),
    text("for", "N", "While at least this many half-moves are played: in N + 1 positions in a row"),
    flag("final", "The conditions hold at the end of the game"),
    text("played", "MOVES", "These moves follow each other: \"Bxh7+ Kxh7 Ng5+\"").more(
        "N is any move of a knight, x any capture, =N any promotion to a knight, ? any half-move, -- a null move, * any number of \
         half-moves; .Nf3 is White's, ...Nf6 Black's, 12.Nf3 White's move 12",
    ),
    text("comment", "WORDS", "A comment has these words")
        .more("In any order, ignoring case and accents; novel* matches words with this beginning"),
    flag("annotated", "The game has comments, glyphs or variations")
        .more("Comments that have only clocks, times and evaluations do not count"),
    one_of(
        "ended",
        "HOW",
        &["checkmate", "stalemate", "insufficient_material", "counting"],
        "The last position ends the game in this way",
    )
    .more("Counting: a count of Makruk has run out"),
    flag(
        "in_variations",
        "The position, the moves and the conditions on the board: in the game or in one of its variations",
    )
    .more("Those of fen, moves, played, pattern and the like; each may hold in another variation"),
];

const fn text(name: &'static str, value: &'static str, help: &'static str) -> Condition {
    Condition { name, value, kind: ConditionKind::Text, help, more: "" }
}

const fn list(name: &'static str, value: &'static str, help: &'static str) -> Condition {
    Condition { kind: ConditionKind::List, ..text(name, value, help) }
}

const fn range(name: &'static str, value: &'static str, help: &'static str) -> Condition {
    Condition { kind: ConditionKind::Range, ..text(name, value, help) }
}

const fn flag(name: &'static str, help: &'static str) -> Condition {
    Condition { kind: ConditionKind::Flag, ..text(name, "", help) }
}

const fn one_of(
    name: &'static str,
    value: &'static str,
    values: &'static [&'static str],
    help: &'static str,
) -> Condition {
    Condition { kind: ConditionKind::OneOf(values), ..text(name, value, help) }
}

impl Condition {
    const fn more(self, more: &'static str) -> Self {
        Self { more, ..self }
    }
}
