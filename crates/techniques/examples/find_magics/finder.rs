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

/// Both sliders, rooks first, in the order of their tables.
pub(crate) const SLIDERS: [Slider; 2] = [Slider::Rook, Slider::Bishop];

/// A kind of magics.
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
        Effort { least_extra: 0, most_extra: 2, climbs: 64, steps: 60_000, keep: 40 }
    } else {
        Effort { least_extra: 0, most_extra: 3, climbs: 100, steps: 4_000, keep: 128 }
    };
    let mut found = search::candidates(case, SEED, number as u64, effort);
    if is_rook {
        let mut random = Random::new(SEED, 1_000 + number as u64);
        let effort = Effort { climbs: 60, steps: 20_000, keep: 3, ..effort };
        found.extend(search::in_lanes(case, &found, &mut random, effort, &search::LANES));
    }
    found
}

/// Black factors with the constant shift, for number `number` of [`black_cases`]. A rook with fewer
/// relevant squares than index bits gets combs too: slots in two, or in one, of every four.
pub(crate) fn combs(case: &mut Case, number: usize) -> Vec<Found> {
    let index_bits = 64 - constant_shift(SLIDERS[number / 64]);
    let extra = index_bits - case.relevant.len();
    let effort = Effort { least_extra: extra, most_extra: extra, climbs: 4, steps: 2_000, keep: 4 };
    if number >= 64 || extra == 0 {
        return search::candidates(case, SEED, number as u64, effort);
    }
    let mut random = Random::new(SEED, 2_000 + number as u64);
    let effort = Effort { climbs: 200, steps: 8_000, keep: 1, ..effort };
    let combs = search::COMBS.iter().filter(|(_, spare)| *spare == extra);
    let mut found = combs.map(|comb| search::in_lanes(case, &[], &mut random, effort, &[*comb]));
    found.find(|found| !found.is_empty()).expect("the last comb is easy")
}

/// Packs the candidates of shared magics into one table.
pub(crate) fn shared(cases: &mut [Case], candidates: &[Vec<Found>], rounds: u32) -> Packing {
    let mut random = Random::new(SEED, 1 << 32);
    let mut packing = Packing::new(cases, candidates);
    packing.weave(cases, &mut random);
    packing.shorten(cases, &mut random, rounds);
    packing
}

/// Packs combs into one table.
pub(crate) fn black(cases: &mut [Case]) -> Packing {
    let combs: Vec<Vec<Found>> =
        cases.iter_mut().enumerate().map(|(number, case)| combs(case, number)).collect();
    let mut random = Random::new(SEED, 1 << 32);
    let mut packing = Packing::new(cases, &combs);
    packing.first_fit(cases, &mut random);
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
        "\n/// The number of sets in the table.\npub(super) const {}_LEN: usize = {};\n",
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
    _ = writeln!(text, "\npub(super) const {name}_{slider}: [{entry}; 64] = [");
}
