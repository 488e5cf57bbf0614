//! SQL functions that users type without looking them up.

use halfmove_sql::{Sql, SqlError, SqlOptions};

use crate::support::{Outcome, ask, three, wait};

#[test]
fn texts() -> Outcome {
    let (_folder, archive) = three();
    for (call, expected) in [
        ("substr('Capablanca', 5)", "blanca"),
        ("substr('Capablanca', 1, 4)", "Capa"),
        ("substring('Capablanca', 1, 4)", "Capa"),
        ("substring('Capablanca' from 5 for 3)", "bla"),
        ("substring('Capablanca' from 5)", "blanca"),
        ("substring('Capablanca' for 4)", "Capa"),
        ("position('b' in 'Capablanca')", "5"),
        ("strpos('Capablanca', 'b')", "5"),
        ("instr('Capablanca', 'b')", "5"),
        ("left('Capablanca', 4)", "Capa"),
        ("right('Capablanca', 5)", "lanca"),
        ("length('Ståhlberg')", "9"),
        ("char_length('Ståhlberg')", "9"),
        ("character_length('Ståhlberg')", "9"),
        ("octet_length('Ståhlberg')", "10"),
        ("lower('TAL')", "tal"),
        ("upper('Tal')", "TAL"),
        ("initcap('mikhail tal')", "Mikhail Tal"),
        ("reverse('Tal')", "laT"),
        ("trim('  Tal ')", "Tal"),
        ("trim(both 'x' from 'xxTalx')", "Tal"),
        ("trim(leading 'x' from 'xxTalx')", "Talx"),
        ("ltrim('  Tal')", "Tal"),
        ("rtrim('Tal  ')", "Tal"),
        ("btrim(' Tal ')", "Tal"),
        ("replace('Tal, M', ', ', ' ')", "Tal M"),
        ("translate('1.d4', '.', ' ')", "1 d4"),
        ("split_part('Tal, Mikhail', ', ', 2)", "Mikhail"),
        ("concat('Tal', ' - ', 'Fischer')", "Tal - Fischer"),
        ("concat('Tal', NULL, '!')", "Tal!"),
        ("concat_ws(' - ', 'Tal', 'Fischer')", "Tal - Fischer"),
        ("'Tal' || ' - ' || 'Fischer'", "Tal - Fischer"),
        ("'Tal' || NULL", "null"),
        ("'round ' || 3", "round 3"),
        ("lpad('7', 3, '0')", "007"),
        ("rpad('Tal', 5, '.')", "Tal.."),
        ("repeat('ab', 3)", "ababab"),
        ("overlay('Txl' placing 'a' from 2 for 1)", "Tal"),
        ("starts_with('Tal', 'Ta')", "true"),
        ("ends_with('Tal', 'al')", "true"),
        ("contains('Tal', 'a')", "true"),
        ("levenshtein('Petrosian', 'Petrosjan')", "1"),
        ("ascii('T')", "84"),
        ("chr(84)", "T"),
        ("to_hex(255)", "ff"),
        ("encode('Tal', 'hex')", "54616c"),
        ("'Tal' like 'T%'", "true"),
        ("'Tal' not like 't%'", "true"),
        ("'Tal' ilike 't%'", "true"),
        ("'Tal' similar to '(Tal|Fischer)'", "true"),
        ("'Tal' ~ '^T.l$'", "true"),
        ("'Tal' ~* '^t'", "true"),
        ("regexp_like('Tal', '^T')", "true"),
        ("regexp_replace('Tal, M', ',.*', '')", "Tal"),
        ("regexp_count('e4 e5 e4', 'e4')", "2"),
        ("array_to_string(regexp_match('B90', '([A-E])([0-9]+)'), '-')", "B-90"),
        ("array_to_string(string_to_array('a b c', ' '), ',')", "a,b,c"),
        ("coalesce(NULL, 'Tal')", "Tal"),
        ("nullif('Tal', 'Tal')", "null"),
        ("greatest(1, 3, 2)", "3"),
        ("cast('12' as int) + 1", "13"),
        ("'12'::int + 1", "13"),
        ("round(2.345, 2)", "2.35"),
        ("extract(year from date '1924-03-23')", "1924"),
        ("date_part('month', date '1924-03-23')", "3"),
        ("date_trunc('month', date '1924-03-23')", "1924-03-01T00:00:00"),
        ("to_char(date '1924-03-23', '%d.%m.%Y')", "23.03.1924"),
        ("date '1924-03-23' + interval '1 day'", "1924-03-24"),
        ("array_length(range(0, 5))", "5"),
        ("array_repeat(1, 3)", "[1, 1, 1]"),
        ("array_concat([1], [2])", "[1, 2]"),
    ] {
        let rows = ask(&archive, &format!("SELECT {call}"))
            .unwrap_or_else(|error| panic!("{call}: {error}"));
        assert_eq!(rows, [[expected.to_owned()]], "{call}");
    }
    Ok(())
}

/// The same functions on columns, whose texts have another layout, and their names.
#[test]
fn columns() -> Outcome {
    let (_folder, archive) = three();
    for (query, expected) in [
        (
            "SELECT substring(result from 1 for 1) || '/' || id FROM games ORDER BY id",
            "1/1|1/2|*/3",
        ),
        ("SELECT position('-' in result) FROM games ORDER BY id", "2|4|0"),
        ("SELECT lpad(result, plies + 3, '.') FROM games ORDER BY id", ".......1-0|1/2-1/|..*"),
        (
            "SELECT repeat(result, plies) FROM games WHERE id <> 2 ORDER BY id",
            "1-01-01-01-01-01-01-0|",
        ),
        ("SELECT replace(san(moves), ' ', '_') FROM games WHERE id = 2", "17..._Kd7_18._O-O_Ke6"),
        ("SELECT count(*) FROM games WHERE left(result, 1) = '1'", "2"),
        (
            "SELECT left(result, 1) AS first, count(*) FROM games GROUP BY 1 ORDER BY first",
            "*,1|1,2",
        ),
        (
            "SELECT result || '!' FROM games GROUP BY result || '!' ORDER BY result || '!'",
            "*!|1-0!|1/2-1/2!",
        ),
        ("SELECT max(result || '!') FROM games HAVING max(result || '!') > ''", "1/2-1/2!"),
        ("SELECT string_agg(result, ' ' ORDER BY id) FROM games", "1-0 1/2-1/2 *"),
        ("SELECT unnest(range(0, plies)) AS ply FROM games WHERE id = 2", "0|1|2"),
        ("SELECT value FROM generate_series(1, 3)", "1|2|3"),
    ] {
        let rows = ask(&archive, query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        assert_eq!(rows.join("|"), expected, "{query}");
    }
    Ok(())
}

/// Columns without a name are named by the text of the query.
#[test]
fn columns_have_the_names_that_were_typed() -> Outcome {
    let (_folder, archive) = three();
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    for (query, expected) in [
        ("SELECT result || '!', repeat('x', 2) FROM games", "result || '!'|repeat('x', 2)"),
        (
            "SELECT count(*), Max(plies)+1, plies AS p FROM games GROUP BY 3",
            "count(*)|Max(plies) + 1|p",
        ),
        ("SELECT id, games.plies FROM games", "id|plies"),
        (
            "SELECT tag('Opening'), move_at(moves, -1) FROM games",
            "tag('Opening')|move_at(moves, -1)",
        ),
        ("SELECT left(result, 1) FROM games ORDER BY left(result, 1)", "left(result, 1)"),
        (
            "SELECT DISTINCT left(result, 1), id FROM games ORDER BY left(result, 1) DESC, id",
            "left(result, 1)|id",
        ),
        (
            "SELECT left(result, 1), count(*) FROM games GROUP BY left(result, 1) \
             HAVING count(*) > 0 ORDER BY count(*) DESC, left(result, 1)",
            "left(result, 1)|count(*)",
        ),
        ("SELECT count(*), count(*), id, id FROM games GROUP BY id", "count(*)|count(*)_2|id|id_2"),
        ("SELECT 1 + 1 UNION ALL SELECT plies FROM games ORDER BY 1", "1 + 1"),
        ("SELECT DISTINCT 1 + 1 UNION SELECT plies FROM games ORDER BY 1", "1 + 1"),
        ("WITH one AS (SELECT plies + 1 AS n FROM games) SELECT sum(n) FROM one", "sum(n)"),
        ("(SELECT (plies) FROM games LIMIT 1)", "(plies)"),
        ("SELECT row_number() OVER (ORDER BY id) FROM games", "row_number() OVER (ORDER BY id)"),
        (
            "SELECT (SELECT max(plies) FROM games) - plies FROM games",
            "(SELECT max(plies) FROM games) - plies",
        ),
        // So are those of subqueries, which the outer query may name.
        ("SELECT * FROM (SELECT max(plies) FROM games)", "max(plies)"),
        ("SELECT \"plies + 1\" FROM (SELECT plies + 1 FROM games)", "plies + 1"),
        ("WITH x AS (SELECT plies + 1 FROM games) SELECT x.\"plies + 1\" FROM x", "plies + 1"),
        ("SELECT a.id, b.id, b.plies FROM games a JOIN games b ON a.id = b.id", "id|id_2|plies"),
        (
            "SELECT a.id, b.id FROM games a JOIN games b ON a.id = b.id ORDER BY b.id, a.id",
            "id|id_2",
        ),
        // The engine's names stay if a name would change the meaning.
        ("SELECT unnest(range(0, 2))", "UNNEST(range(Int64(0),Int64(2)))"),
    ] {
        let names = wait(async {
            let answer = sql.query(query).await?;
            let names = answer.columns().iter().map(|column| column.name.clone());
            Ok::<_, SqlError>(names.collect::<Vec<_>>())
        });
        let names = names.unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!(names.join("|"), expected, "{query}");
    }
    Ok(())
}
