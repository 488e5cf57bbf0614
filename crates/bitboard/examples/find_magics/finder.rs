//! Everything the program finds, as values and as the text that is committed.

pub(crate) mod case;
pub(crate) mod pack;
pub(crate) mod search;

use case::{Case, Slider};
use halfmove_bitboard::Square;
use pack::{Packing, Place};
use search::{Effort, Found, Random};
use std::fmt::Write;

/// The seed of all that is committed.
pub(crate) const SEED: u64 = 1;

/// Both sliders, rooks first, as their tables lie.
pub(crate) const SLIDERS: [Slider; 2] = [Slider::Rook, Slider::Bishop];

/// Which magics.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The same shift for all squares.
    Plain,
    /// As many index bits as relevant squares.
    Fancy,
    /// Black factors, a constant shift, one table.
    Black,
    /// Black factors, a shift for each square, one table.
    Shared,
}

impl Kind {
    /// The kind of a name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "plain" => Some(Self::Plain),
            "fancy" => Some(Self::Fancy),
            "black" => Some(Self::Black),
            "shared" => Some(Self::Shared),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::Fancy => "FANCY",
            Self::Black => "BLACK",
            Self::Shared => "SHARED",
        }
    }
}

/// The shift that all squares of plain and black magics have.
pub(crate) fn constant_shift(slider: Slider) -> u32 {
    match slider {
        Slider::Rook => 64 - 12,
        Slider::Bishop => 64 - 9,
    }
}

/// A generator for each slider, square and purpose.
fn stream(slider: Slider, square: usize) -> u64 {
    slider as u64 * 64 + square as u64
}

/// White factors, each the first sparse word that works.
pub(crate) fn unshared(kind: Kind, slider: Slider) -> Vec<u64> {
    Square::ALL
        .into_iter()
        .map(|square| {
            let mut case = Case::new(slider, square, false);
            let shift = match kind {
                Kind::Plain => constant_shift(slider),
                _ => 64 - case.relevant.len(),
            };
            let mut random = Random::new(SEED, stream(slider, square.index()));
            let found = search::first(&mut case, shift, &mut random, u64::MAX);
            found.expect("trials do not end").factor
        })
        .collect()
}

/// All cases of black magics: 64 rooks, 64 bishops.
pub(crate) fn black_cases() -> Vec<Case> {
    SLIDERS
        .into_iter()
        .flat_map(|slider| Square::ALL.map(|square| Case::new(slider, square, true)))
        .collect()
}

/// Black factors that use few slots, or keep to few lanes, for number `number` of
/// [`black_cases`].
pub(crate) fn candidates(case: &mut Case, number: usize) -> Vec<Found> {
    let is_rook = number < 64;
    let effort = if is_rook {
        Effort { extra_bits: 2, climbs: 64, steps: 60_000, keep: 40 }
    } else {
        Effort { extra_bits: 3, climbs: 100, steps: 4_000, keep: 128 }
    };
    let mut found = search::candidates(case, SEED, number as u64, effort);
    if is_rook {
        let mut random = Random::new(SEED, 1_000 + number as u64);
        let effort = Effort { extra_bits: 2, climbs: 60, steps: 20_000, keep: 3 };
        found.extend(search::in_lanes(case, &found, &mut random, effort));
    }
    found
}

/// Packs candidates into one table; black magics take those of one shift only.
pub(crate) fn shared(
    kind: Kind,
    cases: &mut [Case],
    candidates: &[Vec<Found>],
    rounds: u32,
) -> Packing {
    let mut random = Random::new(SEED, 1 << 32);
    let candidates: Vec<Vec<Found>> = candidates
        .iter()
        .enumerate()
        .map(|(number, founds)| {
            let shift = constant_shift(SLIDERS[number / 64]);
            let fits = |found: &&Found| kind == Kind::Shared || found.shift == shift;
            let mut founds: Vec<Found> = founds.iter().filter(fits).copied().collect();
            // Bishops in holes: what they start from matters little.
            while founds.len() < 16 {
                let found = search::first(&mut cases[number], shift, &mut random, u64::MAX);
                founds.push(found.expect("trials do not end"));
            }
            founds
        })
        .collect();
    let mut packing = Packing::new(cases, &candidates);
    packing.weave(cases, &mut random);
    packing.shorten(cases, &mut random, rounds);
    packing
}

/// The two constants of plain or fancy magics, as they are committed.
pub(crate) fn unshared_text(kind: Kind) -> String {
    let mut text = String::new();
    for slider in SLIDERS {
        begin(&mut text, kind, slider, "u64");
        for factor in unshared(kind, slider) {
            _ = writeln!(text, "    {factor:#018x},");
        }
        text += "];\n";
    }
    text
}

/// The constants of black or shared magics, as they are committed.
pub(crate) fn shared_text(kind: Kind, packing: &Packing) -> String {
    let mut text = format!(
        "\n/// How many sets the table has.\npub(in crate::sliders) const {}_LEN: usize = {};\n",
        kind.name(),
        packing.len()
    );
    let places: Vec<Place> = packing.places().collect();
    for (slider, places) in SLIDERS.into_iter().zip(places.chunks(64)) {
        begin(&mut text, kind, slider, "(u64, u8, u32)");
        for place in places {
            let Found { factor, shift, .. } = place.found;
            _ = writeln!(text, "    ({factor:#018x}, {shift}, {}),", place.offset());
        }
        text += "];\n";
    }
    text
}

fn begin(text: &mut String, kind: Kind, slider: Slider, entry: &str) {
    let (name, slider) = (kind.name(), format!("{slider:?}").to_uppercase());
    _ = writeln!(text, "\npub(in crate::sliders) const {name}_{slider}: [{entry}; 64] = [");
}
