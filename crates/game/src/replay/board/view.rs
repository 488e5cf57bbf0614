//! One of the alternatives of some conditions, prepared.

use halfmove_rules::{Bitboard, Color, Piece, Rank, Role, Square};

use super::super::conditions::{SignatureConditions, first};
use super::super::pattern::Contents;
use super::super::watch::{EMPTY_CHESS, Occupant};
use super::counts::{MANY, Side};
use super::pawns::{PawnFeature, PawnFile, beside};
use super::{BoardCondition, Pawns};

/// The highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A one in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// A range for each of eight numbers below 128, one byte each.
#[derive(Copy, Clone, Debug)]
struct Ranges {
    least: u64,
    most: u64,
}

impl Ranges {
    fn new(ranges: [(u8, u8); 8]) -> Self {
        let word = |bound: fn((u8, u8)) -> u8| u64::from_le_bytes(ranges.map(bound));
        Self { least: word(|(least, _)| least), most: word(|(_, most)| most) }
    }

    /// Returns true if all numbers are within their ranges. All bytes are compared at once: the bit above a number
    /// stays set if subtracting the smaller number causes no borrow.
    #[inline(always)]
    fn hold(self, numbers: u64) -> bool {
        let not_less = (numbers | HIGH).wrapping_sub(self.least);
        let not_more = (self.most | HIGH).wrapping_sub(numbers & !HIGH);
        not_less & not_more & HIGH == HIGH
    }

    /// Returns true if no number is below its range.
    fn are_reached(self, numbers: u64) -> bool {
        (numbers | HIGH).wrapping_sub(self.least) & HIGH == HIGH
    }
}

/// The pieces of one side.
#[derive(Copy, Clone, Debug)]
struct SideRanges {
    kinds: Ranges,
    /// Ones in the bytes of kinds that are counted together.
    others: u64,
    other_range: (u8, u8),
}

impl SideRanges {
    fn new(side: &Side) -> Self {
        let (which, other_range) = side.others.unwrap_or(([false; 8], (0, 0)));
        let others = u64::from_le_bytes(which.map(|is_other| if is_other { 0xff } else { 0 }));
        Self { kinds: Ranges::new(side.kinds), others, other_range }
    }

    #[inline(always)]
    fn hold(&self, counts: u64) -> bool {
        let others = ((counts & self.others).wrapping_mul(EACH) >> 56) as u8;
        self.kinds.hold(counts) && self.other_range.0 <= others && others <= self.other_range.1
    }

    /// Returns true if there are enough pieces.
    fn have_enough(&self, counts: u64) -> bool {
        let others = ((counts & self.others).wrapping_mul(EACH) >> 56) as u8;
        self.kinds.are_reached(counts) && self.other_range.0 <= others
    }
}

/// All conditions on a position except the pattern.
#[derive(Clone, Debug)]
pub(super) struct View {
    sides: [SideRanges; 2],
    /// The range of White's surplus of each kind, plus 64.
    more: Ranges,
    opposite_bishops: bool,
    pawns: Option<[u64; 2]>,
    features: Vec<PawnFeature>,
    /// The conditions on the signature.
    pub(super) conditions: SignatureConditions,
    /// The same for games from the standard starting position of chess before a promotion; `None` if these cannot
    /// match.
    pub(super) unpromoted: Option<SignatureConditions>,
    /// True if there is a condition on pawns on their first squares, which differ in Makruk.
    pub(super) has_home_pawns: bool,
}

/// The offset that represents a surplus of zero.
const LEVEL: i8 = 64;

/// The number of pieces of each side, one byte per role. In chess the byte of the khons is the number of bishops on
/// light squares.
pub(super) type Counts = [u64; 2];

/// The byte of bishops on light squares.
const LIGHT_BISHOPS: u32 = 8 * Role::Khon as u32;

/// The contribution of a piece to the counts, on dark squares and on light ones.
pub(super) const fn count_table(empty: Occupant) -> [[Counts; 16]; 2] {
    let mut table = [[[0; 2]; 16]; 2];
    let mut occupant = 0;
    while occupant < 16 {
        if occupant != empty as usize {
            let (color, role) = (occupant >> 3, occupant & 7);
            let one = 1 << (8 * role);
            let is_bishop = empty == EMPTY_CHESS && role == Role::Bishop as usize;
            table[0][occupant][color] = one;
            table[1][occupant][color] = if is_bishop { one | 1 << LIGHT_BISHOPS } else { one };
        }
        occupant += 1;
    }
    table
}

impl View {
    pub(super) fn new(question: &BoardCondition) -> Self {
        let mut sides = question.material.map_or([Side::ANY; 2], |material| material.sides);
        if question.opposite_bishops {
            for side in &mut sides {
                let (least, most) = &mut side.kinds[Role::Bishop as usize];
                (*least, *most) = ((*least).max(1), (*most).min(1));
            }
        }
        let more =
            question.imbalance.map_or([(1 - LEVEL, LEVEL - 1); 8], |imbalance| imbalance.more);
        for (role, (least, most)) in more.iter().enumerate() {
            // A side with a surplus has at least that number of pieces.
            for (side, more) in sides.iter_mut().zip([*least, -most]) {
                let (least, _) = &mut side.kinds[role];
                *least = (*least).max(more.max(0) as u8);
            }
        }
        // Signatures share a number for bishops and khons, and for queens and mets, which never occur together.
        let is_there = |role: Role| sides.iter().any(|side| side.kinds[role as usize].0 > 0);
        if is_there(Role::Bishop) || is_there(Role::Queen) {
            for side in &mut sides {
                side.kinds[Role::Khon as usize].1 = 0;
                side.kinds[Role::Met as usize].1 = 0;
            }
        }
        let biased = more.map(|(least, most)| ((least + LEVEL) as u8, (most + LEVEL) as u8));
        let (conditions, has_home_pawns) = conditions(question, &sides);
        let unpromoted = as_at_the_start(sides, &more);
        let unpromoted = unpromoted.map(|sides| self::conditions(question, &sides).0);
        Self {
            sides: [SideRanges::new(&sides[0]), SideRanges::new(&sides[1])],
            more: Ranges::new(biased),
            opposite_bishops: question.opposite_bishops,
            pawns: question.pawns.map(|pawns| pawns.squares.map(|squares| squares.0)),
            features: question.features.clone(),
            conditions,
            unpromoted,
            has_home_pawns,
        }
    }

    /// Returns true if the number of pieces of a role matters; that of kings never does.
    pub(super) fn counts_role(&self, role: Role) -> bool {
        if role == Role::King {
            return false;
        }
        let of = |word: u64| word >> (8 * role as u32) & 0xff;
        let is_any = |range: &Ranges, least: u8, most: u8| {
            of(range.least) == least.into() && of(range.most) == most.into()
        };
        let is_free =
            self.sides.iter().all(|side| is_any(&side.kinds, 0, MANY) && of(side.others) == 0);
        let level = is_any(&self.more, 1, 2 * LEVEL as u8 - 1);
        !is_free || !level || self.opposite_bishops && role == Role::Bishop
    }

    /// The squares on which a pawn of each side matters.
    pub(super) fn pawn_squares(&self) -> [u64; 2] {
        if self.pawns.is_some() {
            return [u64::MAX; 2];
        }
        let mut squares = [0; 2];
        for feature in &self.features {
            match *feature {
                PawnFeature::Isolated(PawnFile { color, file }) => {
                    squares[color.index()] |= (Bitboard::file(file) | beside(file)).0;
                }
                PawnFeature::Doubled(PawnFile { color, file }) => {
                    squares[color.index()] |= Bitboard::file(file).0;
                }
                PawnFeature::Passed(PawnFile { color, file }) => {
                    squares[color.index()] |= Bitboard::file(file).0;
                    squares[(!color).index()] |= (Bitboard::file(file) | beside(file)).0;
                }
            }
        }
        squares
    }

    /// Squares on which a side has no pawns when the conditions hold.
    pub(super) fn squares_without_pawns(&self) -> [u64; 2] {
        let mut squares = [0; 2];
        for feature in &self.features {
            if let PawnFeature::Isolated(PawnFile { color, file }) = *feature {
                squares[color.index()] |= beside(file).0;
            }
        }
        squares
    }

    /// Returns true if the numbers of pieces match.
    #[inline(always)]
    pub(super) fn counts_hold<const EMPTY: Occupant>(&self, counts: Counts) -> bool {
        // In chess the byte of the khons has another meaning.
        let not_pieces = if EMPTY == EMPTY_CHESS { 0xff << LIGHT_BISHOPS } else { 0 };
        let [white, black] = counts.map(|counts| counts & !not_pieces);
        let more = white.wrapping_add(LEVEL as u64 * EACH).wrapping_sub(black);
        self.sides[0].hold(white)
            && self.sides[1].hold(black)
            && self.more.hold(more)
            && (!self.opposite_bishops || (counts[0] ^ counts[1]) >> LIGHT_BISHOPS & 1 == 1)
    }

    /// Returns true if the numbers of pieces may still match later, in chess without a promotion, when they only
    /// decrease.
    pub(super) fn may_come(&self, counts: Counts) -> bool {
        let bishops = |counts: u64| counts >> (8 * Role::Bishop as u32) & 0xff;
        let light = |counts: u64| counts >> LIGHT_BISHOPS & 0xff;
        let has_light = counts.map(|counts| light(counts) != 0);
        let has_dark = counts.map(|counts| light(counts) != bishops(counts));
        let [white, black] = counts.map(|counts| counts & !(0xff << LIGHT_BISHOPS));
        self.sides[0].have_enough(white)
            && self.sides[1].have_enough(black)
            && (!self.opposite_bishops
                || has_light[0] && has_dark[1]
                || has_dark[0] && has_light[1])
    }

    /// Returns true if the pawns match.
    #[inline(always)]
    pub(super) fn pawns_hold(&self, pawns: [u64; 2]) -> bool {
        self.pawns.is_none_or(|required| required == pawns)
            && self.features.iter().all(|feature| feature.holds(pawns))
    }
}

/// The same sides, limited to the pieces at the start of chess; `None` if a side must have more.
fn as_at_the_start(mut sides: [Side; 2], more: &[(i8, i8); 8]) -> Option<[Side; 2]> {
    for (role, (least, most)) in Role::ALL.into_iter().zip(*more) {
        let usual =
            sides.each_ref().map(|side| i16::from(side.kinds[role as usize].1.min(first(role))));
        // The weaker side has at most the other side's maximum minus the difference.
        let [white, black] = usual;
        let white = white.min(black + i16::from(most));
        let black = black.min(usual[0] - i16::from(least));
        for (side, most) in sides.iter_mut().zip([white, black]) {
            let kind = &mut side.kinds[role as usize];
            kind.1 = u8::try_from(most).ok().filter(|most| kind.0 <= *most)?;
        }
    }
    Some(sides)
}

/// The conditions on a signature, and true if one of them is about pawns on their first squares.
fn conditions(question: &BoardCondition, sides: &[Side; 2]) -> (SignatureConditions, bool) {
    let mut kinds = sides.map(|side| side.kinds);
    for color in Color::ALL {
        let own = &mut kinds[color.index()];
        if let Some(Pawns { squares }) = question.pawns {
            let pawns = squares[color.index()].len() as u8;
            let (least, most) = &mut own[Role::Pawn as usize];
            (*least, *most) = ((*least).max(pawns), (*most).min(pawns));
        }
    }
    let totals = Color::ALL.map(|color| {
        let side = &sides[color.index()];
        let kinds = kinds[color.index()];
        let is_other = |role: usize| side.others.is_some_and(|(which, _)| which[role]);
        let sum = |bound: fn((u8, u8)) -> u8, of: bool| -> u32 {
            let these = (0..8).filter(|role| is_other(*role) == of);
            these.map(|role| u32::from(bound(kinds[role]))).sum()
        };
        let (other_least, other_most) = side.others.map_or((0, 0), |(_, range)| range);
        let least = sum(|kind| kind.0, false) + sum(|kind| kind.0, true).max(other_least.into());
        let most = sum(|kind| kind.1, false) + u32::from(other_most);
        let on_squares =
            Square::ALL.iter().filter(|square| question.pattern.contents(**square).is_of(color));
        (least.max(on_squares.count() as u32), most)
    });
    let all = totals[0].0 + totals[1].0..=totals[0].1 + totals[1].1;
    let most = |color: Color, role: Role| kinds[color.index()][role as usize].1.min(MANY);
    let mut conditions =
        SignatureConditions::of_pieces(totals.map(|(least, most)| least..=most), all, most);
    let mut has_home_pawns = false;
    for color in Color::ALL {
        let rank = if color == Color::White { Rank::Second } else { Rank::Seventh };
        for square in Bitboard::rank(rank) {
            if let Some(is_there) = home_pawn(question, color, square) {
                has_home_pawns = true;
                conditions.home_pawn(8 * color.index() + square.file().index(), is_there);
            }
        }
    }
    (conditions, has_home_pawns)
}

/// Returns true if a pawn must be on its first square, and false if it must not; `None` if both are allowed.
fn home_pawn(question: &BoardCondition, color: Color, square: Square) -> Option<bool> {
    if let Some(pawns) = question.pawns {
        return Some(pawns.squares[color.index()].has(square));
    }
    let is_beside = |feature: &PawnFeature| {
        matches!(feature,
        PawnFeature::Isolated(PawnFile { color: side, file })
            if *side == color && beside(*file).has(square))
    };
    if question.features.iter().any(is_beside) {
        return Some(false);
    }
    let Contents(set) = question.pattern.contents(square);
    let pawn = Contents::of(Some(Piece { color, role: Role::Pawn })).0;
    match (set & pawn != 0, set & !pawn != 0) {
        (true, true) => None,
        (is_there, _) => Some(is_there),
    }
}
