//! A position: a FEN or the standard starting position, and the moves from there.

use halfmove_archive::{Conditions, Filter};
use halfmove_game::movetext::{self, MovetextError};
use halfmove_game::openings::{self, Opening};
use halfmove_rules::makruk::CountingPolicy;
use halfmove_rules::{AnyPosition, CastlingStyle, Move, Variant};

use super::{Parameter, QueryParameters, parameter};
use crate::problem::Problem;

/// The parameters of a position.
pub(crate) const POSITION: &[Parameter] = &[
    parameter("fen", "A position as FEN; the default is the standard starting position"),
    parameter(
        "moves",
        "Moves from there, in SAN or UCI, separated by spaces or commas: e4 e5 Nf3, e2e4,e7e5",
    ),
    parameter(
        "variant",
        "chess, chess960, makruk, makpong or asean; the default is chess, or Chess960 if castling rights require it",
    ),
];

/// The maximum number of moves that lead to a position.
const MAX: usize = 2048;

/// A start position and the moves from there.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) start: AnyPosition,
    pub(crate) steps: Vec<Step>,
    /// The variant, if it was given.
    pub(crate) variant: Option<Variant>,
    /// True if a FEN or moves were given.
    pub(crate) is_given: bool,
}

/// A move, and the position after it.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) mv: Move,
    pub(crate) uci: String,
    pub(crate) san: String,
    pub(crate) after: AnyPosition,
}

impl Line {
    /// Reads a position.
    pub(crate) fn read(parameters: &mut QueryParameters) -> Result<Self, Problem> {
        let variant = match parameters.text("variant")? {
            None => None,
            Some(name) => Some(variant(name)?),
        };
        let fen = parameters.owned("fen")?;
        let start = start(fen.as_deref(), variant)?;
        let moves = parameters.owned("moves")?;
        let is_given = fen.is_some() || moves.is_some();
        let mut line = Self { start, steps: Vec::new(), variant, is_given };
        line.play("moves", &moves.unwrap_or_default())?;
        Ok(line)
    }

    /// Plays the moves of a parameter, separated by spaces or commas.
    pub(crate) fn play(&mut self, name: &str, moves: &str) -> Result<(), Problem> {
        let problem = |error: MovetextError| {
            let problem = Problem::parameter(name, &error);
            match error.hint {
                Some(hint) => problem.with_hint(hint),
                None => problem,
            }
        };
        for word in movetext::words(&moves.replace(',', " ")).map_err(problem)? {
            if self.steps.len() == MAX {
                return Err(Problem::parameter(name, format!("expected at most {MAX} moves")));
            }
            let here = self.position();
            let mv = movetext::find(here, &word).map_err(problem)?;
            let mut after = here.clone();
            after.play_unchecked(mv);
            let (uci, san) = (square_uci(here, mv), here.san(mv).to_string());
            self.steps.push(Step { mv, uci, san, after });
        }
        Ok(())
    }

    /// The position after the moves.
    pub(crate) fn position(&self) -> &AnyPosition {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }

    /// All that the answer to a question about the position depends on, as text; `None` if the filter is too large for a text.
    pub(crate) fn key(&self, filter: &Filter, options: impl std::fmt::Debug) -> Option<String> {
        let (here, opening) = (self.position(), self.opening());
        let opening = opening.map(|opening| (opening.eco(), opening.name()));
        let is_small = filter.ids.is_none() && filter.conditions.is_empty();
        let key = || format!("{} {here} {opening:?} {filter:?} {options:?}", here.variant().name());
        is_small.then(key)
    }

    /// The last opening on the way that has a name.
    pub(crate) fn opening(&self) -> Option<&'static Opening> {
        let positions = self.steps.iter().rev().map(|step| &step.after);
        let mut positions = positions.chain(std::iter::once(&self.start));
        positions.find_map(|position| position.as_chess().and_then(openings::of_position))
    }

    /// The counting rules of Makruk.
    pub(crate) fn policy(
        parameters: &mut QueryParameters,
    ) -> Result<Option<CountingPolicy>, Problem> {
        Ok(Some(match parameters.text("counting")? {
            None => return Ok(None),
            Some("auto") => CountingPolicy::Auto,
            Some("thai") => CountingPolicy::Thai,
            Some("makruk-js") => CountingPolicy::MakrukJs,
            Some("fairy-11") => CountingPolicy::Fairy11,
            Some(other) => {
                let expected = format!("\"{other}\": expected auto, thai, makruk-js or fairy-11");
                return Err(Problem::parameter("counting", expected));
            }
        }))
    }
}

/// A move in UCI as boards draw it: castling in chess is the target of the king, in Chess960 king takes rook.
pub(crate) fn square_uci(position: &AnyPosition, mv: Move) -> String {
    match position {
        AnyPosition::Chess(chess) => {
            let style = match chess.is_chess960() {
                true => CastlingStyle::KingTakesRook,
                false => CastlingStyle::KingToTarget,
            };
            mv.uci(style).to_string()
        }
        AnyPosition::Makruk(makruk) => makruk.uci(mv).to_string(),
    }
}

/// The variant with this name.
pub(crate) fn variant(name: &str) -> Result<Variant, Problem> {
    Variant::from_name(&name.to_ascii_lowercase()).ok_or_else(|| {
        let expected = Variant::ALL.map(Variant::name).join(", ");
        Problem::parameter("variant", format!("\"{name}\": expected one of {expected}"))
    })
}

/// A start position, of a FEN as searches everywhere read it.
pub(crate) fn start(fen: Option<&str>, variant: Option<Variant>) -> Result<AnyPosition, Problem> {
    let read = Conditions::start(fen.unwrap_or("startpos"), variant);
    read.map(|(position, _)| position).map_err(|error| Problem::parameter("fen", error.why))
}

#[cfg(test)]
mod tests {
    use super::Line;
    use crate::parameters::QueryParameters;

    fn read(query: &str) -> Result<Line, crate::problem::Problem> {
        Line::read(&mut QueryParameters::of(query))
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        for text in ["e4 e5 Nf3", "1. e4 e5 2. Nf3", "1.e4! e5 2.Nf3 *", "e2e4,e7e5,g1f3"] {
            let line = read(&format!("moves={}", text.replace(' ', "+"))).unwrap();
            let sans: Vec<&str> = line.steps.iter().map(|step| step.san.as_str()).collect();
            assert_eq!(sans, ["e4", "e5", "Nf3"], "{text}");
        }
        assert!(read("moves=").unwrap().steps.is_empty());
    }

    #[test]
    fn castling_is_read_and_written_in_both_styles() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R+w+KQkq+-+0+1";
        for mv in ["e1g1", "e1h1", "O-O"] {
            let line = read(&format!("fen={fen}&moves={mv}")).unwrap();
            assert_eq!(line.steps[0].uci, "e1g1");
            let line = read(&format!("variant=chess960&fen={fen}&moves={mv}"));
            if mv != "e1g1" {
                assert_eq!(line.unwrap().steps[0].uci, "e1h1");
            }
        }
    }

    #[test]
    fn errors_name_parameter_and_word() {
        for (query, parameter, part) in [
            ("moves=e4+e4", "moves", "word 2, \"e4\""),
            ("fen=x", "fen", ""),
            ("variant=shogi", "variant", "expected one of chess"),
            ("variant=makruk&fen=8/8", "fen", ""),
        ] {
            let problem = read(query).unwrap_err();
            assert_eq!(problem.parameter.as_deref(), Some(parameter));
            assert!(problem.detail.contains(part), "{}", problem.detail);
        }
        let long = "Nf3+Nf6+Ng1+Ng8+".repeat(1000);
        assert!(read(&format!("moves={long}")).is_err());
    }
}
