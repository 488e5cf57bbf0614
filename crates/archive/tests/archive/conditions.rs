//! Conditions as named texts: each of the table is read, and the rules between them hold.

use std::time::SystemTime;

use halfmove_archive::{Condition, ConditionError, Conditions, Filter, GameCondition};

/// A text for each condition, whose filter differs from that of the others alone.
const TEXTS: &[(&str, &str)] = &[
    ("player", "tal"),
    ("opponent", "petrosian"),
    ("as", "Black"),
    ("white", "tal"),
    ("black", "tal"),
    ("exact", "1"),
    ("event", "riga"),
    ("site", "riga"),
    ("eco", "B90,C1"),
    ("opening", "king's indian"),
    ("speed", "blitz, rapid"),
    ("time_control", "3+2"),
    ("result", "LOSS"),
    ("since", "2y"),
    ("until", "1924-03"),
    ("year", "1990-1995"),
    ("min_elo", "2000"),
    ("max_elo", "65535"),
    ("min_plies", "0"),
    ("max_plies", "4294967295"),
    ("sample", "1%"),
    ("seed", "7"),
    ("ids", "42,7,10-20"),
    ("pattern", "8/8/8/8/8/8/8/K7"),
    ("structure", "iqp"),
    ("material", "KvK"),
    ("imbalance", "QvRR"),
    ("opposite_bishops", "yes"),
    ("pawns", "d4f2ve6f7"),
    ("isolated", "d,black:d"),
    ("doubled", "c"),
    ("passed", "black:a"),
    ("either_color", "on"),
    ("mirrored", "true"),
    ("for", "10"),
    ("final", "1"),
    ("played", "Bxh7+ Kxh7 Ng5+"),
    ("comment", "novelty"),
    ("annotated", "1"),
    ("ended", "insufficient-material"),
    ("in_variations", "1"),
];

/// The conditions that another one needs.
fn needed(name: &str) -> &'static [(&'static str, &'static str)] {
    match name {
        "opponent" | "as" | "exact" | "result" => &[("player", "keres")],
        "seed" => &[("sample", "50%")],
        "either_color" | "mirrored" | "for" | "final" | "in_variations" => &[("material", "RvR")],
        _ => &[],
    }
}

fn built(texts: &[(&str, &str)]) -> Result<Filter, ConditionError> {
    let mut conditions = Conditions::new(SystemTime::UNIX_EPOCH);
    for (name, text) in texts {
        conditions.set(name, text)?;
    }
    conditions.build(30)
}

#[test]
fn each_condition_of_the_table_is_in_the_filter() {
    let names: Vec<&str> = Condition::all().map(|condition| condition.name).collect();
    let mut tested: Vec<&str> = TEXTS.iter().map(|(name, _)| *name).collect();
    let is_flag = |name: &str| Condition::named(name).is_some_and(|it| it.value.is_empty());
    for (name, text) in TEXTS {
        let without = built(needed(name)).unwrap();
        let with = [needed(name), &[(*name, *text)]].concat();
        assert_ne!(built(&with).unwrap(), without, "{name}");
        if !needed(name).is_empty() {
            assert!(built(&[(*name, *text)]).is_err_and(|error| error.name == *name), "{name}");
        }
        if is_flag(name) {
            assert_eq!(built(&[(*name, "0")]), built(&[]), "{name}");
            assert_eq!(built(&[(*name, "")]).unwrap_err().name, *name);
        }
    }
    tested.sort_unstable();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(tested, sorted);
}

#[test]
fn rules_of_conditions() {
    let error = |texts: &[(&str, &str)]| built(texts).unwrap_err().to_string();
    assert_eq!(
        error(&[("since", "1950"), ("until", "1949-12")]),
        "until: 1949-12 contradicts since 1950"
    );
    assert_eq!(error(&[("max_elo", "1"), ("min_elo", "2")]), "max_elo: 1 contradicts min_elo 2");
    assert_eq!(
        error(&[("year", "1950"), ("until", "1960")]),
        "year: cannot be combined with until"
    );
    assert_eq!(error(&[("result", "win")]), "result: needs player");
    assert_eq!(error(&[("colour", "red")]), "colour: there is no such condition");
    for (name, text) in [
        ("ids", ","),
        ("ids", "7,"),
        ("min_elo", "65536"),
        ("for", "-1"),
        ("sample", "0"),
        ("sample", "101%"),
        ("year", "99"),
        ("year", "1995-1990"),
        ("result", "2-0"),
        ("speed", ""),
        ("ids", ""),
        ("isolated", ""),
    ] {
        assert_eq!(built(&[(name, text)]).unwrap_err().name, name, "{text}");
    }
    let ids = built(&[("ids", "29-9999999999"), ("ids", "3")]).unwrap().ids;
    assert_eq!(ids.map(|ids| ids.iter().collect()), Some(vec![3, 29, 30]));
    let mut none = Conditions::new(SystemTime::UNIX_EPOCH);
    none.add_ids([]);
    assert_eq!(none.build(30).unwrap().ids.map(|ids| ids.len()), Some(0));
    assert_eq!(built(&[("sample", "0.25")]).unwrap(), built(&[("sample", "25%")]).unwrap());
    let board = |texts: &[(&str, &str)]| match &built(texts).unwrap().conditions[..] {
        [GameCondition::Board(board)] => board.either_color,
        other => panic!("{other:?}"),
    };
    assert!(board(&[("structure", "iqp")]) && !board(&[("structure", "white:iqp")]));
}
