//! The list of openings, indexed by position.
//!
//! ```text
//!  pieces, side to move ──▶ key ──▶ filter: 8 KiB of bits, in the fastest cache
//!                            │         └ perhaps listed: 1 position in 17 that is not
//!                            └─────▶ slots: is the key listed?
//!                                      └ castling rights, en passant ──▶ opening
//! ```
//!
//! Replay has a key of the pieces and the side to move after each half-move, without castling rights and en passant.
//! These are compared only if the key is listed.

use std::sync::LazyLock;

use halfmove_rules::{
    Bitboard, CastlingRights, Chess, Color, Flaws, Rank, Role, San, Setup, Square, piece_key,
    turn_key,
};

use super::Opening;

/// The files of the list: ECO code, name and moves, below a line of headings.
const VOLUMES: [&str; 5] = [
    include_str!("../../data/openings/a.tsv"),
    include_str!("../../data/openings/b.tsv"),
    include_str!("../../data/openings/c.tsv"),
    include_str!("../../data/openings/d.tsv"),
    include_str!("../../data/openings/e.tsv"),
];

/// The key of a slot with no opening.
const FREE: u64 = 0;

/// The number of slots: more than twice the number of openings, so that most keys are found in their first slot.
const SLOTS: usize = 1 << 13;

/// The number of bits in the filter.
const BITS: usize = 1 << 16;

/// The openings and their positions.
pub(crate) struct List {
    pub(super) openings: Vec<Opening>,
    /// The position of each opening.
    positions: Vec<Listed>,
    /// The keys of the positions, each in the first free slot at or after its hash. No position has the key 0.
    keys: Box<[u64; SLOTS]>,
    /// The opening in each slot.
    slots: Box<[u16; SLOTS]>,
    /// The key of the standard starting position.
    start: u64,
    /// A filter of the keys that may be listed.
    filter: Box<[u64; BITS / 64]>,
    /// For each set of pawns that have not moved, the smallest number of pieces in a listed position that can still
    /// arise; [`NONE`](Self::NONE) if none can.
    fewest: Box<[u8; 1 << 16]>,
}

/// A listed position.
#[derive(Debug, PartialEq, Eq)]
struct Listed {
    castling: CastlingRights,
    ep_square: Option<Square>,
    /// The files on which a pawn could be captured en passant if it had just moved two squares.
    capturable: u8,
}

impl List {
    /// A number above any number of pieces.
    pub(crate) const NONE: u8 = u8::MAX;

    /// The list, built by the first call.
    pub(crate) fn get() -> &'static List {
        static LIST: LazyLock<List> = LazyLock::new(|| List::read(&VOLUMES));
        &LIST
    }

    fn read(volumes: &[&'static str]) -> List {
        let mut list = List {
            openings: Vec::new(),
            positions: Vec::new(),
            keys: Box::new([FREE; SLOTS]),
            slots: Box::new([0; SLOTS]),
            start: key_of(&Chess::default()),
            filter: Box::new([0; BITS / 64]),
            fewest: Box::new([Self::NONE; 1 << 16]),
        };
        let mut line = Line::default();
        for row in volumes.iter().flat_map(|volume| volume.lines().skip(1)) {
            let mut fields = row.split('\t');
            let (Some(eco), Some(name), Some(moves)) =
                (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let Some(position) = line.play(moves) else { continue };
            list.add(eco, name, moves, position);
        }
        spread(&mut list.fewest);
        list
    }

    fn add(
        &mut self,
        eco: &'static str,
        name: &'static str,
        moves: &'static str,
        position: &Chess,
    ) {
        let key = key_of(position);
        let passed = position.ep_square();
        // If the list is too long for its slots, or has a position twice, the first entries win.
        if self.with_key(key, position.castling(), passed).is_some()
            || 2 * self.openings.len() > SLOTS
        {
            return;
        }
        let mut slot = key as usize % SLOTS;
        while self.keys[slot] != FREE {
            slot = (slot + 1) % SLOTS;
        }
        let index = self.openings.len() as u16;
        (self.keys[slot], self.slots[slot]) = (key, index);
        let bit = (key >> 48) as usize;
        self.filter[bit / 64] |= 1 << (bit % 64);
        let pawns = position.board().by_role(Role::Pawn);
        let [white, black] = Color::ALL.map(|color| {
            let own = pawns & position.board().by_color(color);
            (own.0 >> if color == Color::White { 8 } else { 48 }) as usize & 0xff
        });
        let pieces = position.board().occupied().len() as u8;
        let fewest = &mut self.fewest[white | black << 8];
        *fewest = pieces.min(*fewest);
        self.openings.push(Opening { index, eco, name, moves });
        let castling = position.castling();
        let capturable = capturable(position);
        self.positions.push(Listed { castling, ep_square: passed, capturable });
    }

    /// The index of the opening of a position.
    pub(super) fn listed(&self, position: &Chess) -> Option<u16> {
        self.with_key(key_of(position), position.castling(), position.ep_square())
    }

    /// The index of the opening of a position with this key. `passed` is the square behind a pawn that has just moved
    /// two squares, whether it can be captured or not.
    pub(crate) fn with_key(
        &self,
        key: u64,
        castling: CastlingRights,
        passed: Option<Square>,
    ) -> Option<u16> {
        let slots = self.slots_of(key).filter(|slot| self.keys[*slot] == key);
        let mut indices = slots.map(|slot| self.slots[slot]);
        indices.find(|index| self.positions[usize::from(*index)].is(castling, passed))
    }

    /// The key of the standard starting position.
    pub(crate) fn start_key(&self) -> u64 {
        self.start
    }

    /// Returns true if the pieces and the side to move of a position are those of a listed one.
    #[inline(always)]
    pub(crate) fn has_key(&self, key: u64) -> bool {
        self.may_have(key) && self.slots_of(key).any(|slot| self.keys[slot] == key)
    }

    /// The slots to probe for a key.
    #[inline(always)]
    fn slots_of(&self, key: u64) -> impl Iterator<Item = usize> {
        let first = key as usize;
        let slots = (first..first.saturating_add(SLOTS)).map(|slot| slot % SLOTS);
        slots.take_while(|slot| self.keys[*slot] != FREE)
    }

    /// Returns true if a key may be listed. A single bit rules out most of the others.
    #[inline(always)]
    fn may_have(&self, key: u64) -> bool {
        let bit = (key >> 48) as usize;
        self.filter[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The smallest number of pieces in a listed position that can still arise in a game whose moves have begun or
    /// ended on these squares; [`NONE`](Self::NONE) if none can. The pawns that a listed position has on their first
    /// squares must not have moved.
    #[inline(always)]
    pub(crate) fn fewest_pieces(&self, touched: Bitboard) -> u8 {
        let [white, black] = [!touched.0 >> 8 & 0xff, !touched.0 >> 48 & 0xff];
        self.fewest[(white | black << 8) as usize]
    }
}

impl Listed {
    /// Returns true if a position with its key is this one.
    fn is(&self, castling: CastlingRights, passed: Option<Square>) -> bool {
        let is_capturable = |square: &Square| self.capturable >> square.file().index() & 1 == 1;
        self.castling == castling && self.ep_square == passed.filter(is_capturable)
    }
}

/// The key of the pieces and the side to move, as in [`replay::keys`](crate::replay::keys).
fn key_of(position: &Chess) -> u64 {
    let turn = if position.side_to_move() == Color::White { turn_key() } else { 0 };
    let pieces = position.board().pieces();
    pieces.fold(turn, |key, (square, piece)| key ^ piece_key(piece, square))
}

/// The files on which a pawn could be captured en passant if it had just moved two squares.
fn capturable(position: &Chess) -> u8 {
    let (board, us) = (position.board(), position.side_to_move());
    let ranks = match us {
        Color::White => [Rank::Fifth, Rank::Sixth, Rank::Seventh],
        Color::Black => [Rank::Fourth, Rank::Third, Rank::Second],
    };
    let pawns = board.by_role(Role::Pawn) & Bitboard::rank(ranks[0]);
    let (ours, theirs) = (pawns & board.by_color(us), pawns & board.by_color(!us));
    let mut files = 0;
    for square in theirs {
        let file = square.file();
        let [_, ep_square, home] = ranks.map(|rank| Square::new(file, rank));
        let is_beside = |other: Square| other.file().index().abs_diff(file.index()) == 1;
        let has_come = !board.occupied().has(ep_square) && !board.occupied().has(home);
        if !has_come || !ours.into_iter().any(is_beside) {
            continue;
        }
        let setup = Setup { ep_square: Some(ep_square), ..position.to_setup() };
        let forgiven = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
        let moved = Chess::from_setup_in(setup, Some(position.castling_mode()), forgiven);
        if moved.is_ok_and(|position| position.ep_square() == Some(ep_square)) {
            files |= 1 << file.index();
        }
    }
    files
}

/// Propagates the minimum of each set to all of its subsets.
fn spread(fewest: &mut [u8; 1 << 16]) {
    for bit in 0..16 {
        for pair in fewest.chunks_exact_mut(2 << bit) {
            let (without, with) = pair.split_at_mut(1 << bit);
            for (with, without) in with.iter_mut().zip(without) {
                *with = (*with).min(*without);
            }
        }
    }
}

/// A line and its positions. Most lines share a beginning with the previous one, so few moves have to be parsed again.
#[derive(Default)]
struct Line {
    words: Vec<&'static [u8]>,
    positions: Vec<Chess>,
}

impl Line {
    /// The position after some moves; `None` if one of them is invalid.
    fn play(&mut self, moves: &'static str) -> Option<&Chess> {
        let words = moves.as_bytes().split(|byte| *byte == b' ');
        let mut depth = 0;
        for word in words.filter(|word| !word.ends_with(b".")) {
            if self.words.get(depth) != Some(&word) {
                self.words.truncate(depth);
                self.positions.truncate(depth);
                let mut position = self.positions.last().cloned().unwrap_or_default();
                let mv = San::parse(word).ok()?.resolve(&position).ok()?;
                position.play_unchecked(mv);
                self.words.push(word);
                self.positions.push(position);
            }
            depth += 1;
        }
        self.positions.get(depth.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(moves: &'static str) -> Chess {
        Line::default().play(moves).expect("moves").clone()
    }

    /// Two lines to the same position, and one whose end is not a move.
    #[test]
    fn the_first_line_to_a_position_counts() {
        let rows = "eco\tname\tpgn\n\
            A01\tOne\t1. e4 e5 2. d4\nA02\tOther\t1. d4 e5 2. e4\nA03\tNone\t1. e4 Ke7\nA04\tEnd\t1. d4\n";
        let list = List::read(&[rows]);
        let names: Vec<_> = list.openings.iter().map(|opening| opening.name).collect();
        assert_eq!(names, ["One", "End"]);
        assert_eq!(list.listed(&position("1. d4 e5 2. e4")), Some(0));
        assert_eq!(list.listed(&position("1. d4")), Some(1));
        assert_eq!(list.listed(&position("1. d4 d5")), None);
    }

    /// A position with an en passant capture differs from the one without, and so does one with fewer castling rights.
    #[test]
    fn rights_and_en_passant_are_part_of_a_position() {
        let rows = "eco\tname\tpgn\nA01\tOne\t1. e4 e6 2. e5 d5\nA02\tTwo\t1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8\n";
        let list = List::read(&[rows]);
        assert_eq!(list.listed(&position("1. e4 e6 2. e5 d5")), Some(0));
        assert_eq!(list.listed(&position("1. e4 d5 2. e5 e6")), None);
        assert_eq!(list.listed(&position("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8")), Some(1));
        assert_eq!(list.listed(&position("1. e4 e5")), None);
    }

    #[test]
    fn the_fewest_pieces_of_all_parts_of_a_set() {
        let mut fewest = Box::new([List::NONE; 1 << 16]);
        let listed = [(0b1010_u16, 24), (0b1110, 30), (0x8000, 20), (0xffff, 32)];
        for (set, pieces) in listed {
            fewest[usize::from(set)] = pieces;
        }
        spread(&mut fewest);
        for set in 0..=u16::MAX {
            let parts = listed.iter().filter(|(part, _)| part & set == *part);
            let slow = parts.map(|(_, pieces)| *pieces).min().unwrap_or(List::NONE);
            assert_eq!(fewest[usize::from(set)], slow, "{set:b}");
        }
    }
}
