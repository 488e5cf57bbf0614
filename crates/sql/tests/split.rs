//! Texts of several statements.

use halfmove_sql::statements;

#[test]
fn only_semicolons_between_statements_count() {
    for (text, ended, rest) in [
        ("", &[][..], ""),
        (" ;; \n;", &[], ""),
        ("select 1", &[], "select 1"),
        ("select 1;", &["select 1"], ""),
        ("select 1;select 2;\n", &["select 1", "select 2"], ""),
        ("select 'Grünfeld; ½', \"a;b\"; x", &["select 'Grünfeld; ½', \"a;b\""], " x"),
        ("select 'it''s; so';", &["select 'it''s; so'"], ""),
        ("/* a; /* b; */ c; */ select 1;", &["/* a; /* b; */ c; */ select 1"], ""),
        ("select 1; -- a;\n-- b;", &["select 1"], ""),
        ("select 1; 'open; ", &["select 1"], " 'open; "),
        ("select 1; /* open; ", &["select 1"], " /* open; "),
        ("select $$a;b$$;\r\nselect é;", &["select $$a;b$$", "\r\nselect é"], ""),
    ] {
        let found = statements(text);
        assert_eq!((found.ended.as_slice(), found.rest), (ended, rest), "{text:?}");
    }
}
