//! Help that fits a screen or two: flags that verbs share are explained once, by topics.

use crate::program::{ok, run};
use std::collections::BTreeSet;
use std::fs;

/// The verbs, each with its page of the manual. clap makes the pages from the definitions of the flags, with all their words.
fn pages() -> Vec<(Vec<String>, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("man1");
    ok(&["man", "--dir", path.to_str().unwrap()]);
    let pages = fs::read_dir(&path).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let verb = name.split('-').skip(1).map(str::to_owned).collect::<Vec<_>>();
        let mut page = fs::read_to_string(&path).unwrap();
        for (code, text) in [
            (r"\fB", ""),
            (r"\fI", ""),
            (r"\fR", ""),
            (r"\&", ""),
            (r"\-", "-"),
            (r"\*(Aq", "'"),
            (r"\\", r"\"),
        ] {
            page = page.replace(code, text);
        }
        (verb, page)
    });
    let mut pages: Vec<_> = pages.filter(|(verb, _)| !verb.is_empty()).collect();
    pages.sort();
    assert!(pages.len() > 30, "{}", pages.len());
    pages
}

/// The flags of a page: the name of each, and the lines of its text.
fn flags(page: &str) -> Vec<(String, Vec<String>)> {
    let (_, page) = page.split_once(".SH OPTIONS\n").expect("flags");
    let entries = page.split(".TP\n").skip(1).filter_map(|entry| {
        let entry = entry.split("\n.SH ").next()?;
        let (head, body) = entry.split_once('\n').unwrap_or((entry, ""));
        let name = head.split([' ', ',']).find(|word| word.starts_with("--"))?;
        let default = head.find("[default: ").map(|at| head[at..].to_owned());
        let text = body.lines().map(str::trim);
        let text = text.filter(|line| {
            !line.is_empty() && !line.starts_with('.') && *line != "Possible values:"
        });
        Some((name.to_owned(), default.into_iter().chain(text.map(str::to_owned)).collect()))
    });
    entries.filter(|(name, _)| name != "--help").collect()
}

fn help(verb: &[String], length: &str) -> String {
    let mut args: Vec<&str> = verb.iter().map(String::as_str).collect();
    args.push(length);
    ok(&args)
}

/// The text in one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The topics that a text names, as in "`halfmove help filters`".
fn topics(text: &str) -> BTreeSet<&str> {
    let named = text.split("`halfmove help ").skip(1);
    named.filter_map(|rest| rest.split('`').next()).collect()
}

/// The flags below the heading "Rarely needed".
fn rare(text: &str) -> BTreeSet<String> {
    let section = text.split_once("\nRarely needed").map_or("", |(_, rest)| rest);
    let lines = section.lines().skip(1).take_while(|line| !line.is_empty());
    let flags = lines.filter_map(|line| line.trim_start().strip_prefix("--"));
    flags.filter_map(|flag| flag.split(' ').next()).map(|flag| format!("--{flag}")).collect()
}

/// Returns true if the text has the flag as a word.
fn has(text: &str, flag: &str) -> bool {
    let is_name = |char: char| char.is_alphanumeric() || char == '-';
    text.split(|char: char| !is_name(char)).any(|word| word == flag)
}

#[test]
fn help_fits_its_screens() {
    let mut verbs: Vec<Vec<String>> = pages().into_iter().map(|(verb, _)| verb).collect();
    verbs.extend([vec!["sql".to_owned()], vec!["help".to_owned()]]);
    for verb in &verbs {
        for (length, most) in [("-h", 30), ("--help", 60)] {
            let text = help(verb, length);
            let lines = text.lines().count();
            assert!(lines <= most, "halfmove {} {length}: {lines} lines", verb.join(" "));
        }
    }
    // The program itself.
    verbs.push(Vec::new());
    let texts = verbs.iter().map(|verb| help(verb, "--help"));
    let of_topics = listed_topics().into_iter().map(|(name, _)| ok(&["help", &name]));
    for line in texts.chain(of_topics).collect::<String>().lines() {
        assert!(line.chars().count() <= 100 && line == line.trim_end(), "{line:?}");
    }
}

/// The help of a verb names all its flags. Details that it omits are in the topics that it names.
#[test]
fn all_words_of_a_flag_are_in_help() {
    for (verb, page) in pages() {
        let text = help(&verb, "--help");
        let of_topics = topics(&text).into_iter().map(|name| ok(&["help", name]));
        let all = joined(&(text.clone() + &of_topics.collect::<String>()));
        for (flag, lines) in flags(&page) {
            assert!(has(&text, &flag), "halfmove {} --help: {flag}", verb.join(" "));
            assert!(!lines.is_empty(), "halfmove man {}: {flag}", verb.join(" "));
            for line in lines {
                let verb = verb.join(" ");
                assert!(all.contains(&joined(&line)), "halfmove {verb} --help: {flag}: {line}");
            }
        }
    }
}

/// Short help names all flags but those that few users need.
#[test]
fn short_help_names_the_usual_flags() {
    let programmers = ["--codec", "--dialect", "--threads", "--hash", "--memory", "--color"];
    for (verb, page) in pages() {
        let (short, long) = (help(&verb, "-h"), help(&verb, "--help"));
        let mut rare_here = rare(&long);
        for name in topics(&long) {
            // A verb may list a flag of this name of its own.
            let of_topic = rare(&ok(&["help", name])).into_iter();
            rare_here.extend(of_topic.filter(|flag| !long.contains(&format!("\n      {flag}"))));
        }
        for (flag, _) in flags(&page) {
            let verb = verb.join(" ");
            assert_ne!(has(&short, &flag), rare_here.contains(&flag), "halfmove {verb} -h: {flag}");
            let is_for_players = !["encode", "dump", "perft"].contains(&verb.as_str());
            if is_for_players && programmers.contains(&flag.as_str()) {
                assert!(!has(&short, &flag), "halfmove {verb} -h: {flag}");
            }
        }
    }
}

/// The topics that the help of the program lists.
fn listed_topics() -> Vec<(String, String)> {
    let long = ok(&["--help"]);
    let (_, list) = long.split_once("\nTopics of `halfmove help`:\n").expect("topics");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let topics = lines.map(|line| line.trim().split_once("  ").expect("a name and a text"));
    topics.map(|(name, about)| (name.to_owned(), about.trim().to_owned())).collect()
}

#[test]
fn topics_are_listed_and_printed() {
    let (short, long) = (ok(&["-h"]), ok(&["--help"]));
    assert_eq!(ok(&["help"]), long);
    assert_eq!(ok(&["help", "pgn", "check"]), ok(&["pgn", "check", "--help"]));
    assert_eq!(ok(&["pgn", "help", "check"]), ok(&["pgn", "check", "--help"]));
    let topics = listed_topics();
    assert!(topics.len() >= 3, "{topics:?}");
    let reference = ok(&["man", "--markdown"]);
    let script = ok(&["completions", "fish"]);
    for (name, about) in &topics {
        let text = ok(&["help", name]);
        assert!(text.starts_with(about) && short.contains(about), "{name}: {text}");
        let section = format!("\n## help {name}\n\n```text\n{text}```\n");
        assert_eq!(reference.matches(&section).count(), 1, "{name}");
        assert!(script.contains(&format!("-a \"{name}\" -d")), "{name} in completions");
        let colored = ok(&["help", name, "--color", "always"]);
        assert!(colored.contains('\u{1b}') || !text.contains("--"), "{name}: {colored}");
        let output = run(&[name]);
        let hint = format!("this is a topic: halfmove help {name}");
        assert!(output.code == 2 && output.err.contains(&hint), "{output:?}");
    }
    let filters = ok(&["help", "filters"]);
    assert!(
        filters.contains(
            "verbs import, search, explore, show, export, pack, stats, remove, analyze.\n"
        )
    );
    assert!(has(&filters, "--player") && !has(&filters, "--pattern"), "{filters}");
    for words in [&["help", "serach"][..], &["help", "pgn", "serach"], &["help", "filters", "x"]] {
        let output = run(words);
        assert!(output.code == 2 && output.out.is_empty(), "{output:?}");
        assert!(output.err.contains("tip: "), "{output:?}");
    }
    assert!(run(&["help", "serach"]).err.contains("did you mean `halfmove search`?"));
}

/// The functions of SQL are a topic, too, in programs without SQL as well.
#[test]
fn functions_are_a_topic() {
    let (help, functions) = (ok(&["sql", "--help"]), ok(&["help", "functions"]));
    assert!(help.contains("`halfmove help functions`") && !help.contains("fen_at("), "{help}");
    assert!(functions.contains("\n  fen_at(moves, ply) "), "{functions}");
}

/// A topic with a wrong ending is offered.
#[test]
fn topics_of_similar_names() {
    for (typed, topic) in
        [("filter", "filters"), ("boards", "board"), ("outputs", "output"), ("fliters", "filters")]
    {
        let help = run(&["help", typed]);
        let hint = format!("did you mean halfmove help {topic}?");
        assert!(help.code == 2 && help.err.contains(&hint), "{help:?}");
    }
    let other = run(&["help", "serach"]);
    assert!(other.code == 2 && other.err.contains("search"), "{other:?}");
    assert!(ok(&["help", "search"]).contains("Usage"));
}

/// The topic of tables has every column of them.
#[test]
fn tables_of_sql() {
    let text = ok(&["help", "tables"]);
    for name in ["games, a row", "halfmoves, a row", "history, a row"] {
        assert!(text.contains(name), "{text}");
    }
    let names = halfmove_archive::schema::COLUMNS.iter().map(|column| column.name);
    for name in
        names.chain(halfmove_functions::halfmoves::HALFMOVES.iter().map(|column| column.name))
    {
        assert!(text.contains(&format!("\n  {name} ")), "{name} in {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}
