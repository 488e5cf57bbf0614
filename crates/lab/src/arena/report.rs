//! Reports of a match: a line after each game, and a summary as text and as JSON.

use super::contest::{Contest, Finished, Standings, Stop, Work};
use halfmove_lab::{Decision, Interval, Sprt};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// The result of a game and the score of the match.
pub(super) fn line(contest: &Contest, finished: &Finished, standings: &Standings) -> String {
    let mut names = [contest.engines[0].name.as_str(), contest.engines[1].name.as_str()];
    if finished.second {
        names.reverse();
    }
    let record = &finished.record;
    let (tally, ending) = (&standings.tally, &record.ending);
    let mut text = format!(
        "{:>5}/{}  {} - {}  {}  {ending}, {} plies  |  {}",
        tally.games(),
        2 * contest.pairs,
        names[0],
        names[1],
        ending.result(),
        record.moves.len(),
        score(standings),
    );
    if let Some(estimate) = tally.estimate() {
        let _ = write!(text, "  Elo {}", interval(&estimate.elo));
    }
    if let Some(sprt) = contest.sprt
        && tally.pairs != [0; 5]
    {
        let _ = write!(text, "  LLR {}", ratio(&sprt, standings));
    }
    text
}

fn score(standings: &Standings) -> String {
    let tally = &standings.tally;
    format!("+{} -{} ={}", tally.wins, tally.losses, tally.draws)
}

/// A number with its error; or with the ends of the interval, if the number is not near its middle.
fn interval(interval: &Interval) -> String {
    let [below, above] = [interval.value - interval.low, interval.high - interval.value];
    if above.is_finite() && (below - above).abs() <= 0.1 * (below + above) {
        format!("{:+.1} ± {:.1}", interval.value, interval.error())
    } else {
        format!("{:+.1} ({:+.1} to {:+.1})", interval.value, interval.low, interval.high)
    }
}

fn ratio(sprt: &Sprt, standings: &Standings) -> String {
    let (low, high) = sprt.bounds();
    format!("{:.2} ({low:.2}, {high:.2})", sprt.ratio(standings.tally.pairs))
}

fn per_second(work: &Work) -> Option<u64> {
    let micros = work.time_of_nodes.as_micros();
    let rate = u128::from(work.nodes) * 1_000_000 / micros.max(1);
    (work.nodes > 0 && micros > 0).then(|| u64::try_from(rate).unwrap_or(u64::MAX))
}

fn mean_depth(work: &Work) -> Option<f64> {
    (work.moves_with_depth > 0).then(|| work.depths as f64 / work.moves_with_depth as f64)
}

/// The summary as text.
pub(super) fn summary(
    contest: &Contest,
    standings: &Standings,
    stop: Stop,
    took: Duration,
) -> String {
    let tally = &standings.tally;
    let [first, second] = &contest.engines;
    let mut text = format!("{} against {}: {}", first.name, second.name, contest.variant);
    if first.limit == second.limit {
        let _ = writeln!(text, ", {}", first.limit);
    } else {
        let _ = writeln!(text, ", {} against {}", first.limit, second.limit);
    }
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12} {value}");
    };
    let percent = tally.score().map(|score| format!(", {:.1} %", 100.0 * score));
    let seconds = took.as_secs();
    row(
        "games",
        format!(
            "{}  {}{}  ({seconds} s)",
            tally.games(),
            score(standings),
            percent.unwrap_or_default()
        ),
    );
    let white = &standings.with_white;
    row(
        "with White",
        format!(
            "+{} -{} ={}   with Black +{} -{} ={}",
            white.wins,
            white.losses,
            white.draws,
            tally.wins - white.wins,
            tally.losses - white.losses,
            tally.draws - white.draws
        ),
    );
    let [none, half, one, more, two] = tally.pairs;
    row("pairs", format!("{none} × 0, {half} × ½, {one} × 1, {more} × 1½, {two} × 2 points"));
    match tally.estimate() {
        Some(estimate) => {
            row("Elo", format!("{}  (95 %)", interval(&estimate.elo)));
            row("normalized", interval(&estimate.normalized));
            row("LOS", format!("{:.1} %", 100.0 * estimate.superiority));
        }
        None => row("Elo", "unknown: all pairs have the same result".to_owned()),
    }
    if let Some(sprt) = &contest.sprt {
        let decision = match stop {
            Stop::Decided(Decision::Passed) => {
                format!("passed: accepts elo1={}", sprt.elo1)
            }
            Stop::Decided(Decision::Failed) => {
                format!("failed: accepts elo0={}", sprt.elo0)
            }
            Stop::Played => format!("undecided after all {} games", 2 * contest.pairs),
            Stop::Interrupted => "undecided".to_owned(),
        };
        row(
            "SPRT",
            format!("LLR {}, [{}, {}] {decision}", ratio(sprt, standings), sprt.elo0, sprt.elo1),
        );
    }
    let endings: Vec<_> =
        standings.endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    row("endings", endings.join(", "));
    for (engine, work) in contest.engines.iter().zip(&standings.work) {
        row(&engine.name, work_done(work));
    }
    if stop == Stop::Interrupted {
        row("interrupted", "games that were not over do not count".to_owned());
    }
    text
}

/// The moves and faults of an engine, in a row.
fn work_done(work: &Work) -> String {
    let mut words = vec![format!("{} moves", work.moves)];
    if work.moves > 0 {
        let each = work.time.as_secs_f64() * 1000.0 / work.moves as f64;
        words.push(format!("{each:.0} ms each"));
    }
    words.extend(mean_depth(work).map(|depth| format!("depth {depth:.1}")));
    words.extend(per_second(work).map(|rate| format!("{rate} nodes/s")));
    for (count, what) in [
        (work.losses_on_time, "losses on time"),
        (work.illegal_moves, "illegal moves or claims"),
        (work.crashes, "crashes or no move"),
        (work.bad_lines, "illegal lines"),
    ] {
        if count > 0 {
            words.push(format!("{count} {what}"));
        }
    }
    words.join(", ")
}

/// The summary as JSON. An infinite number is null.
pub(super) fn json(contest: &Contest, standings: &Standings, stop: Stop, took: Duration) -> Value {
    let tally = &standings.tally;
    let number = |interval: Interval| json!([interval.value, interval.low, interval.high]);
    let estimate = tally.estimate();
    let engines: Vec<_> = contest
        .engines
        .iter()
        .zip(&standings.work)
        .map(|(engine, work)| {
            json!({
                "name": engine.name,
                "limit": engine.limit.to_string(),
                "moves": work.moves,
                "time_ms": work.time.as_millis() as u64,
                "nodes": work.nodes,
                "nps": per_second(work),
                "mean_depth": mean_depth(work),
                "losses_on_time": work.losses_on_time,
                "illegal_moves": work.illegal_moves,
                "crashes": work.crashes,
                "illegal_lines": work.bad_lines,
            })
        })
        .collect();
    json!({
        "version": 1,
        "game": contest.variant.name(),
        "engines": engines,
        "stopped": match stop {
            Stop::Played => "played",
            Stop::Decided(Decision::Passed) => "passed",
            Stop::Decided(Decision::Failed) => "failed",
            Stop::Interrupted => "interrupted",
        },
        "elapsed_ms": took.as_millis() as u64,
        "games": tally.games(),
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "pairs": tally.pairs,
        "plies": standings.plies,
        "elo": estimate.map(|estimate| number(estimate.elo)),
        "normalized_elo": estimate.map(|estimate| number(estimate.normalized)),
        "superiority": estimate.map(|estimate| estimate.superiority),
        "sprt": contest.sprt.map(|sprt| {
            let (low, high) = sprt.bounds();
            json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                "llr": sprt.ratio(tally.pairs), "low": low, "high": high,
            })
        }),
        "endings": standings.endings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_given_where_the_interval_is_even() {
        let of = |value, low, high| interval(&Interval { value, low, high });
        assert_eq!(of(10.0, -10.0, 31.0), "+10.0 ± 20.5");
        assert_eq!(of(190.8, 60.8, 409.1), "+190.8 (+60.8 to +409.1)");
        assert_eq!(of(240.0, 100.0, f64::INFINITY), "+240.0 (+100.0 to +inf)");
    }
}
