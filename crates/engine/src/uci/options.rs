//! The UCI options: names, ranges and defaults.

use halfmove_rules::Variant;
use std::fmt::Write;
use std::path::PathBuf;

/// The games in `UCI_Variant`, by Fairy-Stockfish's names.
pub(super) const VARIANTS: [Variant; 4] =
    [Variant::Chess, Variant::Makruk, Variant::Makpong, Variant::Asean];

pub(super) const ELO: std::ops::RangeInclusive<u32> = 600..=2400;

const MAX_HASH_MIB: usize = 65_536;
const MAX_THREADS: usize = 256;
const MAX_LINES: usize = 218;
const MAX_OVERHEAD_MS: i64 = 5_000;

/// The values of the options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) hash_mib: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) chess960: bool,
    pub(super) variant: Variant,
    pub(super) show_wdl: bool,
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    pub(super) overhead_ms: i64,
    /// True to evaluate with a net in the games that have one.
    pub(super) by_net: bool,
    pub(super) eval_file: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            chess960: false,
            variant: Variant::Chess,
            show_wdl: false,
            limit_strength: false,
            elo: 1500,
            overhead_ms: 20,
            by_net: true,
            eval_file: None,
        }
    }
}

/// The consequence of a changed option.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    /// The table has to be resized or cleared.
    Hash,
    Clear,
    /// A new game starts.
    Variant,
    /// A net has to be read.
    EvalFile,
}

impl Options {
    /// The `option` lines of the response to `uci`.
    pub(super) fn list(&self) -> String {
        let mut text = String::new();
        let variants: String = VARIANTS
            .into_iter()
            .fold(String::new(), |list, variant| list + " var " + variant.name());
        let (least, most) = (ELO.start(), ELO.end());
        let lines = [
            format!("Hash type spin default 16 min 1 max {MAX_HASH_MIB}"),
            "Clear Hash type button".to_owned(),
            format!("Threads type spin default 1 min 1 max {MAX_THREADS}"),
            format!("MultiPV type spin default 1 min 1 max {MAX_LINES}"),
            "Ponder type check default false".to_owned(),
            format!("Move Overhead type spin default 20 min 0 max {MAX_OVERHEAD_MS}"),
            "EvalFile type string default <empty>".to_owned(),
            "Evaluation type combo default net var hand var net".to_owned(),
            "UCI_Chess960 type check default false".to_owned(),
            format!("UCI_Variant type combo default chess{variants}"),
            "UCI_ShowWDL type check default false".to_owned(),
            "UCI_LimitStrength type check default false".to_owned(),
            format!("UCI_Elo type spin default 1500 min {least} max {most}"),
        ];
        for line in lines {
            let _ = writeln!(text, "option name {line}");
        }
        text
    }

    /// Sets an option. Names are case-insensitive.
    ///
    /// The error names the expected value.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, String> {
        let value = value.unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash_mib = number(name, value, 1, MAX_HASH_MIB)?;
                return Ok(Effect::Hash);
            }
            "clear hash" => return Ok(Effect::Clear),
            "threads" => self.threads = number(name, value, 1, MAX_THREADS)?,
            "multipv" => self.multi_pv = number(name, value, 1, MAX_LINES)?,
            "ponder" => {
                flag(name, value)?;
            }
            "move overhead" => self.overhead_ms = number(name, value, 0, MAX_OVERHEAD_MS)?,
            "evaluation" => {
                self.by_net = match value.to_ascii_lowercase().as_str() {
                    "hand" => false,
                    "net" => true,
                    _ => return Err(format!("{name}: \"{value}\", expected hand or net")),
                };
                return Ok(Effect::Clear);
            }
            "evalfile" => {
                let path = Some(value).filter(|value| !matches!(*value, "" | "<empty>"));
                self.eval_file = path.map(PathBuf::from);
                return Ok(Effect::EvalFile);
            }
            "uci_chess960" => {
                self.chess960 = flag(name, value)?;
                return Ok(Effect::Variant);
            }
            "uci_variant" => {
                let known = |variant: &Variant| variant.name().eq_ignore_ascii_case(value);
                let Some(variant) = VARIANTS.into_iter().find(known) else {
                    let names = VARIANTS.map(Variant::name).join(", ");
                    return Err(format!("{name}: \"{value}\" is unknown, expected one of {names}"));
                };
                self.variant = variant;
                return Ok(Effect::Variant);
            }
            "uci_showwdl" => self.show_wdl = flag(name, value)?,
            // The table has values for another strength.
            "uci_limitstrength" => {
                self.limit_strength = flag(name, value)?;
                return Ok(Effect::Clear);
            }
            "uci_elo" => {
                self.elo = number(name, value, *ELO.start(), *ELO.end())?;
                return Ok(Effect::Clear);
            }
            _ => return Err(format!("no option is called \"{name}\": uci lists them")),
        }
        Ok(Effect::None)
    }

    /// The game that is played.
    pub(super) fn game(&self) -> Variant {
        if self.variant == Variant::Chess && self.chess960 {
            Variant::Chess960
        } else {
            self.variant
        }
    }
}

fn number<T>(name: &str, value: &str, least: T, most: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    match value.parse() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("{name}: \"{value}\", expected a number from {least} to {most}")),
    }
}

fn flag(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name}: \"{value}\", expected true or false")),
    }
}
