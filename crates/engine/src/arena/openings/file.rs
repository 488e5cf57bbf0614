//! Openings from text: a FEN or an EPD a line, or games in PGN.

use super::Opening;
use halfmove_rules::{AnyPosition, Variant};

/// A line's number and what is wrong with it.
type Fault = (usize, String);

pub(super) fn parse(text: &str, variant: Variant) -> Result<Vec<Opening>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(first) = text.lines().map(str::trim).find(|line| !is_empty(line)) else {
        return Ok(Vec::new());
    };
    // A FEN has seven slashes in its first word; a tag or a move has none.
    if first.split(' ').next().is_some_and(|word| word.contains('/')) {
        return positions(text, variant);
    }
    games(text, variant)
}

/// Whether a line says nothing, or only something for people.
fn is_empty(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

fn positions(text: &str, variant: Variant) -> Result<Vec<Opening>, Fault> {
    let mut openings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if is_empty(line) {
            continue;
        }
        let start = position(line, variant).map_err(|reason| (i + 1, reason))?;
        openings.push(Opening { start, moves: Vec::new() });
    }
    Ok(openings)
}

/// A FEN; or the first four fields of one, and operations, which say nothing that matters here.
fn position(line: &str, variant: Variant) -> Result<AnyPosition, String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let is_number = |at: usize| words.get(at).is_some_and(|word| word.parse::<u16>().is_ok());
    let fen = if is_number(4) && is_number(5) {
        words[..6].join(" ")
    } else {
        format!("{} 0 1", words[..words.len().min(4)].join(" "))
    };
    AnyPosition::from_fen(&fen, variant).map_err(|error| format!("{fen}: {error}"))
}

/// The main lines of games: numbers, glyphs, comments and variations are passed over.
fn games(text: &str, variant: Variant) -> Result<Vec<Opening>, Fault> {
    let mut openings = Vec::new();
    let mut game = Reader::new(variant);
    for (i, line) in text.lines().enumerate() {
        game.line(line, &mut openings).map_err(|reason| (i + 1, reason))?;
    }
    game.finish(&mut openings);
    Ok(openings)
}

struct Reader {
    variant: Variant,
    opening: Opening,
    position: AnyPosition,
    /// How deep in variations.
    depth: u32,
    in_comment: bool,
    in_moves: bool,
}

impl Reader {
    fn new(variant: Variant) -> Self {
        let start = AnyPosition::start(variant);
        let opening = Opening { start: start.clone(), moves: Vec::new() };
        Self { variant, opening, position: start, depth: 0, in_comment: false, in_moves: false }
    }

    fn finish(&mut self, openings: &mut Vec<Opening>) {
        let next = Self::new(self.variant);
        let ended = std::mem::replace(self, next);
        if ended.in_moves {
            openings.push(ended.opening);
        }
    }

    fn line(&mut self, line: &str, openings: &mut Vec<Opening>) -> Result<(), String> {
        if !self.in_comment && line.trim_start().starts_with('[') {
            if self.in_moves {
                self.finish(openings);
            }
            return self.tag(line.trim());
        }
        if !self.in_comment && line.starts_with('%') {
            return Ok(());
        }
        let mut rest = line;
        while !rest.is_empty() {
            if self.in_comment {
                let Some((_, behind)) = rest.split_once('}') else { return Ok(()) };
                self.in_comment = false;
                rest = behind;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || "{}();".contains(c));
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            if !word.is_empty() {
                self.word(word, openings)?;
                rest = behind;
                continue;
            }
            let mut chars = behind.chars();
            match chars.next() {
                Some('{') => self.in_comment = true,
                Some('(') => self.depth += 1,
                Some(')') => self.depth = self.depth.saturating_sub(1),
                Some(';') => return Ok(()),
                _ => {}
            }
            rest = chars.as_str();
        }
        Ok(())
    }

    fn tag(&mut self, line: &str) -> Result<(), String> {
        let Some((name, value)) = line[1..].split_once(" \"") else { return Ok(()) };
        let value = value.rsplit_once('"').map_or(value, |(value, _)| value);
        match name.trim() {
            "FEN" => {
                let start = position(value, self.variant)?;
                self.position = start.clone();
                self.opening = Opening { start, moves: Vec::new() };
                // An opening even without moves.
                self.in_moves = false;
                Ok(())
            }
            "Variant" => {
                let known = Variant::from_name(&value.to_ascii_lowercase());
                // Files of chess say so in many ways.
                let plain =
                    ["standard", "from position", "normal", "regular", "classical", "chess"];
                let is_plain = plain.contains(&value.to_ascii_lowercase().as_str());
                if known == Some(self.variant)
                    || is_plain && matches!(self.variant, Variant::Chess | Variant::Chess960)
                    || known.is_none() && self.variant == Variant::Chess960 && value.contains("960")
                {
                    return Ok(());
                }
                Err(format!("a game of {value}, expected {}", self.variant))
            }
            _ => Ok(()),
        }
    }

    fn word(&mut self, word: &str, openings: &mut Vec<Opening>) -> Result<(), String> {
        if self.depth > 0 || word.starts_with('$') {
            return Ok(());
        }
        self.in_moves = true;
        if matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2") {
            self.finish(openings);
            return Ok(());
        }
        // "12.", "12...", "12.e4"
        let without_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = match without_digits.strip_prefix('.') {
            Some(rest) => rest.trim_start_matches('.'),
            None if without_digits.is_empty() => "",
            None => word,
        };
        let text = text.trim_end_matches(['!', '?']);
        // Opinions and novelties, as words or behind a move.
        if text.is_empty()
            || matches!(text, "N" | "D" | "=" | "+-" | "-+" | "+=" | "=+" | "+/-" | "-/+")
        {
            return Ok(());
        }
        let bare = text.trim_end_matches("+-").trim_end_matches("-+").trim_end_matches('=');
        let mv = self.position.parse_san(bare).map_err(|error| format!("\"{text}\": {error}"))?;
        self.position.play_unchecked(mv);
        self.opening.moves.push(mv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_from_fen_and_epd() {
        let text = "\n# two\n8/8/8/8/8/k7/p7/K6R w - - bm Rh3+; id \"x\";\n8/8/8/8/8/k7/p7/K6R w - - 12 70\n";
        let openings = parse(text, Variant::Chess).unwrap();
        let fens: Vec<_> = openings.iter().map(|opening| opening.start.to_string()).collect();
        assert_eq!(fens, ["8/8/8/8/8/k7/p7/K6R w - - 0 1", "8/8/8/8/8/k7/p7/K6R w - - 12 70"]);
        let makruk = "rnsmksnr/8/1ppppppp/p7/8/PPPPPPPP/8/RNSKMSNR w - - 0 2";
        assert_eq!(parse(makruk, Variant::Makruk).unwrap()[0].start.to_string(), makruk);
        let (line, reason) =
            parse("8/8/8/8/8/k7/p7/K6R w - -\n8/8 w - -", Variant::Chess).unwrap_err();
        assert_eq!(line, 2);
        assert!(reason.starts_with("8/8 w - - 0 1: "), "{reason}");
    }

    #[test]
    fn main_lines_are_read_from_games() {
        let text = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {a (b) [\nc]} (1. e3 Kd7) \
                    1... Kd7! $1 ; 2. e6\n2.e5 *\n[Event \"b\"]\n\n1.d4 d5 2.c4 1/2-1/2\n\n1. e4 e5";
        let openings = parse(text, Variant::Chess).unwrap();
        let lines: Vec<Vec<String>> = openings
            .iter()
            .map(|opening| opening.moves.iter().map(ToString::to_string).collect())
            .collect();
        let expected: [&[&str]; 3] =
            [&["e2e4", "e8d7", "e4e5"], &["d2d4", "d7d5", "c2c4"], &["e2e4", "e7e5"]];
        assert_eq!(lines, expected);
        assert_eq!(openings[0].start.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!(openings[1].start, AnyPosition::start(Variant::Chess));

        let (line, reason) = parse("1. e4 e5\n2. Ke3 *", Variant::Chess).unwrap_err();
        assert_eq!((line, reason.as_str()), (2, "\"Ke3\": illegal: no such piece can go there"));
        let marked = "\u{feff}1. e4+- e5 N 2. Nf3! += Nc6= 1-0";
        assert_eq!(parse(marked, Variant::Chess).unwrap()[0].moves.len(), 4);
        assert_eq!(parse("\u{feff}8/8/8/8/8/k7/p7/K6R w - -", Variant::Chess).unwrap().len(), 1);
        assert_eq!(parse("# nothing\n\n", Variant::Chess).unwrap(), []);
        let other = "[Variant \"Crazyhouse\"]\n\n1. e4 *";
        let reason = parse(other, Variant::Chess).unwrap_err().1;
        assert_eq!(reason, "a game of Crazyhouse, expected chess");
        let plain = "[Variant \"From Position\"]\n\n1. e4 *";
        assert_eq!(parse(plain, Variant::Chess).unwrap().len(), 1);

        let text = "[Variant \"Makruk\"]\n\n1. e4 *";
        assert_eq!(parse(text, Variant::Chess).unwrap_err().1, "a game of Makruk, expected chess");
        assert_eq!(parse(text, Variant::Makruk).unwrap()[0].moves.len(), 1);
    }
}
