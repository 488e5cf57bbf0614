//! Words of other programs, with the names to use instead.

use super::table::Meant::{Instead, Names};
use super::table::On::{Column, Flag, FlagOf, Function, Verb};

/// The place where a word is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// As a verb.
    Verb,
    /// As a flag of any verb.
    Flag,
    /// As a flag of this verb.
    FlagOf(&'static str),
    /// As a column of a query.
    Column,
    /// As a function of a query.
    Function,
}

/// The advice for a word.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meant {
    /// Verbs or flags of this program.
    Names(&'static [&'static str]),
    /// A sentence that says what to do instead.
    Instead(&'static str),
}

/// Words, each with its place and the advice.
pub(super) const WORDS: &[(On, &[&str], Meant)] = &[
    (Verb, &["tree", "opening", "openings", "explorer", "book"], Names(&["explore"])),
    (Verb, &["find", "filter", "list", "games", "select"], Names(&["search"])),
    (Verb, &["view", "game", "cat"], Names(&["show"])),
    (Verb, &["arena", "match", "tournament"], Names(&["selfplay"])),
    (Verb, &["query"], Names(&["sql"])),
    (Verb, &["dedup", "dedupe", "deduplicate"], Names(&["duplicates"])),
    (Verb, &["delete"], Names(&["remove"])),
    (Verb, &["add", "create", "load", "new", "init"], Names(&["import"])),
    (Verb, &["convert"], Names(&["encode", "pgn normalize"])),
    (Verb, &["merge", "fix-names", "rename"], Names(&["players merge"])),
    (Verb, &["log", "versions"], Names(&["history"])),
    (Verb, &["revert", "restore", "rollback"], Names(&["undo"])),
    (Verb, &["optimize", "repack"], Names(&["compact"])),
    (Verb, &["vacuum"], Names(&["compact --vacuum"])),
    (Flag, &["--name", "--players"], Names(&["--player"])),
    (Flag, &["--side", "--playing"], Names(&["--as"])),
    (Flag, &["--from", "--after", "--date"], Names(&["--since", "--year"])),
    (Flag, &["--to", "--before"], Names(&["--until"])),
    (Flag, &["--min-rating", "--rating", "--elo"], Names(&["--min-elo"])),
    (Flag, &["--max-rating"], Names(&["--max-elo"])),
    (Flag, &["--order", "--order-by", "--sort-by", "--orderby"], Names(&["--sort"])),
    (Flag, &["--fields", "--select"], Names(&["--columns"])),
    (Flag, &["--move"], Names(&["--moves"])),
    (Flag, &["--group-by", "--group"], Names(&["--by"])),
    (Flag, &["--tournament"], Names(&["--event"])),
    (Flag, &["--place"], Names(&["--site"])),
    (Flag, &["--endgame", "--ending", "--pieces"], Names(&["--material"])),
    (Flag, &["--position", "--board"], Names(&["--fen"])),
    (Flag, &["--line", "--variation"], Names(&["--moves"])),
    (Flag, &["--top", "--max", "--head", "--first"], Names(&["--limit"])),
    (Flag, &["--all"], Names(&["--limit 0"])),
    (Flag, &["--json"], Names(&["--format json"])),
    (Flag, &["--ndjson", "--jsonl"], Names(&["--format ndjson"])),
    (Flag, &["--csv"], Names(&["--format csv"])),
    (Flag, &["--tsv"], Names(&["--format tsv"])),
    (Flag, &["--out", "--file"], Names(&["--output"])),
    (
        FlagOf("export"),
        &["--offset", "--order", "--format", "--columns"],
        Instead(
            "search lists some of the games, in any order and format: halfmove search ARCHIVE --sort -date --limit 10 --format pgn",
        ),
    ),
    (
        FlagOf("export"),
        &["--no-comments", "--no-variations", "--no-nags", "--reduced"],
        Instead(
            "pipe the games through pgn normalize: halfmove export ARCHIVE -o - | halfmove pgn normalize --no-comments -",
        ),
    ),
    (
        FlagOf("explore"),
        &["--limit", "--top", "--max"],
        Instead("--games N lists N games, --min-games N leaves out rare moves"),
    ),
    (
        FlagOf("players"),
        &["--player", "--name"],
        Instead("a name is given without an option: halfmove players ARCHIVE NAME"),
    ),
    (
        FlagOf("events"),
        &["--event", "--name"],
        Instead("a name is given without an option: halfmove events ARCHIVE NAME"),
    ),
    (
        FlagOf("show"),
        &["--id"],
        Instead("an id is given without an option: halfmove show ARCHIVE 42"),
    ),
    (
        Column,
        &["player", "name"],
        Instead("the names of the players are in the columns white and black"),
    ),
    (
        Column,
        &["opening", "opening_name"],
        Instead("opening(moves) is a function; tag('Opening') is the tag of the file"),
    ),
    (Column, &["elo", "rating"], Instead("the ratings are in the columns white_elo and black_elo")),
    (Column, &["winner"], Instead("the column result is 1-0, 0-1, 1/2-1/2 or *")),
    (Column, &["length", "ply_count"], Instead("the column plies has the number of half-moves")),
    (
        Column,
        &["fen"],
        Instead(
            "fen_at(moves, 10) is the position after 10 half-moves, final_fen(moves) the last one",
        ),
    ),
    (Column, &["pgn"], Instead("san(moves) is the main line as text; halfmove export writes PGN")),
    (
        Column,
        &["eco_code"],
        Instead("the column eco is the tag; eco(moves) is the code by the positions"),
    ),
    (Column, &["clock"], Instead(CLOCK)),
    (Function, &["clock", "clocks"], Instead(CLOCK)),
    (Column, &["eval", "evaluation"], Instead(EVALUATION)),
    (
        Column,
        &["move", "movetext"],
        Instead(
            "san(moves) is the main line as text; the table halfmoves has san and uci of each half-move",
        ),
    ),
    (Function, &["eval", "evals", "evaluation", "evaluations"], Instead(EVALUATION)),
    (
        Function,
        &["mate"],
        Instead("mate_at(evaluations, 10) is the number of moves to mate after 10 half-moves"),
    ),
    (
        Function,
        &["list", "group_concat"],
        Instead("array_agg(id order by date) is a list, string_agg(white, ', ') a text"),
    ),
    (
        Function,
        &["arg_max", "argmax", "arg_min", "argmin", "max_by", "min_by"],
        Instead("first_value(id order by plies desc) is the id of the longest game"),
    ),
    (
        Function,
        &["regexp_extract"],
        Instead("regexp_match(white, '(.*),')[1] is the first group of an expression"),
    ),
    (Function, &["strftime", "date_format"], Instead("to_char(date, '%Y-%m') is a date as text")),
    (Function, &["count_if", "countif"], Instead("count(*) filter (where plies > 80)")),
    (
        Function,
        &["quantile", "quantile_cont", "percentile"],
        Instead("percentile_cont(0.9) within group (order by plies); median(plies)"),
    ),
    (Function, &["novelty"], Instead("novelties are marked by halfmove show --novelty")),
    (Function, &["surprise", "surprisal", "bits"], Instead(BITS)),
    (Column, &["surprise", "surprisal"], Instead(BITS)),
    (Function, &["opening_name"], Instead("opening(moves) is the name of the opening")),
    (Function, &["fen"], Instead("fen_at(moves, 10) is the position after 10 half-moves")),
    (Function, &["move"], Instead("move_at(moves, 10) is the tenth half-move")),
    (Function, &["year"], Instead("year is a column, null if the year is not known")),
    (Function, &["month"], Instead("date_part('month', date), null if the day is not known")),
];

const CLOCK: &str = "clock_at(clocks, 10) is the clock after 10 half-moves, in seconds; the table halfmoves has it in clock";
const EVALUATION: &str = "eval_at(evaluations, 10) is the evaluation after 10 half-moves, in centipawns; the table halfmoves has it in cp";

/// Verbs and flags that remove or replace something. They are never suggested, however similar a word is.
pub(super) const UNOFFERED: [&str; 2] = ["remove", "--force"];
const BITS: &str = "bits_at(moves, 10) is how unexpected the tenth half-move is; the table halfmoves has it in bits; mean_bits(moves) is their mean";
