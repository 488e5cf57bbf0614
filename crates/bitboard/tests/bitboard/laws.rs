//! The small laws of sets and squares.

use crate::random;
use halfmove_bitboard::attacks::{empty_board, setwise};
use halfmove_bitboard::sliders::{RayWalk, Sliders};
use halfmove_bitboard::{Bitboard, Color, Direction, File, Rank, Square, attacks, lines};

#[test]
fn hopping_pieces_attack_by_distance() {
    for a in Square::ALL {
        for b in Square::ALL {
            let files = (a.index() % 8).abs_diff(b.index() % 8);
            let ranks = (a.index() / 8).abs_diff(b.index() / 8);
            assert_eq!(attacks::king(a).has(b), files.max(ranks) == 1, "{a}{b}");
            assert_eq!(attacks::knight(a).has(b), files * ranks == 2, "{a}{b}");
            for color in Color::ALL {
                let ahead = b.index() / 8 > a.index() / 8;
                let forward = ahead == (color == Color::White);
                let attacked = files == 1 && ranks == 1 && forward;
                assert_eq!(attacks::pawn(color, a).has(b), attacked, "{color} {a}{b}");
                assert_eq!(attacks::bia(color, a).has(b), attacked, "{color} {a}{b}");
                let diagonal = files == 1 && ranks == 1;
                let straight = files == 0 && ranks == 1 && forward;
                assert_eq!(attacks::met(a).has(b), diagonal, "{a}{b}");
                assert_eq!(attacks::khon(color, a).has(b), diagonal || straight, "{color} {a}{b}");
            }
        }
    }
}

#[test]
fn lines_and_segments_agree_with_the_queen() {
    let oracle = RayWalk::new().expect("needs nothing");
    for a in Square::ALL {
        for b in Square::ALL {
            let aligned = oracle.queen(a, Bitboard::EMPTY).has(b);
            assert_eq!(!lines::line(a, b).is_empty(), aligned, "{a}{b}");
            assert_eq!(lines::between(a, b), lines::between(b, a));
            if aligned {
                assert!(lines::line(a, b).has(a) && lines::line(a, b).has(b));
                // Blockers on both ends cut the queens' sets down to the segment between them.
                let ends = Bitboard::from(a) | b;
                let common = oracle.queen(a, ends) & oracle.queen(b, ends) & lines::line(a, b);
                assert_eq!(lines::between(a, b), common - ends, "{a}{b}");
            }
        }
    }
}

#[test]
fn squares_and_sets_round_trip() {
    for (index, square) in Square::ALL.into_iter().enumerate() {
        assert_eq!(square.index(), index);
        assert_eq!(square.to_string().parse(), Ok(square));
        assert_eq!(Square::try_from(index as u8), Ok(square));
        assert_eq!(Square::new(square.file(), square.rank()), square);
        assert_eq!(Bitboard::from(square).single(), Some(square));
    }
    assert!("e9".parse::<Square>().is_err() && "é".parse::<Square>().is_err());
    assert!(Square::try_from(64).is_err());
    let set: Bitboard = [Square::A1, Square::E4, Square::H8].into_iter().collect();
    assert!(set.iter().eq([Square::A1, Square::E4, Square::H8]));
    assert!(set.iter().rev().eq([Square::H8, Square::E4, Square::A1]));
    assert_eq!(size_of::<Option<Square>>(), 1);
}

/// Sets for the laws: empty, full, single squares, sparse and dense random ones.
fn sample_sets() -> Vec<Bitboard> {
    let mut state = 0x1234_5678_9abc_def1;
    let mut sets = vec![Bitboard::EMPTY, Bitboard::FULL];
    sets.extend(Square::ALL.map(Bitboard::square));
    for _ in 0..500 {
        let (a, b) = (random(&mut state), random(&mut state));
        sets.extend([a, a & b, a | b, a & b & random(&mut state)].map(Bitboard));
    }
    sets
}

#[test]
fn set_attacks_are_the_unions_of_the_squares_attacks() {
    let union = |set: Bitboard, of: &dyn Fn(Square) -> Bitboard| set.iter().map(of).collect();
    for set in sample_sets() {
        assert_eq!(setwise::king(set), union(set, &attacks::king));
        assert_eq!(setwise::knight(set), union(set, &attacks::knight));
        assert_eq!(setwise::met(set), union(set, &attacks::met));
        for color in Color::ALL {
            assert_eq!(setwise::khon(color, set), union(set, &|from| attacks::khon(color, from)));
            assert_eq!(setwise::bia(color, set), union(set, &|from| attacks::bia(color, from)));
            let attackers = |to| set.iter().filter(move |&from| attacks::pawn(color, from).has(to));
            for to in Square::ALL {
                let count = attackers(to).count();
                assert_eq!(setwise::pawn_any(color, set).has(to), count > 0, "{color} {to}");
                assert_eq!(setwise::pawn_single(color, set).has(to), count == 1, "{color} {to}");
                assert_eq!(setwise::pawn_double(color, set).has(to), count == 2, "{color} {to}");
                let from_west = attackers(to).any(|from| from.file() < to.file());
                assert_eq!(setwise::pawn_east(color, set).has(to), from_west, "{color} {to}");
                let from_east = attackers(to).any(|from| from.file() > to.file());
                assert_eq!(setwise::pawn_west(color, set).has(to), from_east, "{color} {to}");
            }
        }
    }
}

#[test]
fn a_set_turns_as_its_squares_do() {
    type Turn =
        (fn(Bitboard) -> Bitboard, fn(Square) -> Square, fn(usize, usize) -> (usize, usize));
    let turns: [Turn; 7] = [
        (Bitboard::flip_vertical, Square::flip_vertical, |file, rank| (file, 7 - rank)),
        (Bitboard::flip_horizontal, Square::flip_horizontal, |file, rank| (7 - file, rank)),
        (Bitboard::flip_diagonal, Square::flip_diagonal, |file, rank| (rank, file)),
        (Bitboard::flip_anti_diagonal, Square::flip_anti_diagonal, |file, rank| {
            (7 - rank, 7 - file)
        }),
        (Bitboard::rotate_90, Square::rotate_90, |file, rank| (rank, 7 - file)),
        (Bitboard::rotate_180, Square::rotate_180, |file, rank| (7 - file, 7 - rank)),
        (Bitboard::rotate_270, Square::rotate_270, |file, rank| (7 - rank, file)),
    ];
    for (set_turn, square_turn, numbers) in turns {
        for square in Square::ALL {
            let (file, rank) = numbers(square.file().index(), square.rank().index());
            assert_eq!(square_turn(square), Square::new(File::ALL[file], Rank::ALL[rank]));
        }
        for set in sample_sets() {
            assert_eq!(set_turn(set), set.iter().map(square_turn).collect());
        }
    }
}

/// The tables of the source, from the eighth rank to the first.
#[test]
fn diagonals_are_numbered_as_in_the_source() {
    for square in Square::ALL {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        assert_eq!(square.diagonal_index() as i32, (rank - file).rem_euclid(16));
        let sum = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9][(file + rank) as usize];
        assert_eq!(square.anti_diagonal_index(), sum);
        for other in empty_board::diagonal(square) {
            assert_eq!(other.diagonal_index(), square.diagonal_index());
        }
        for other in empty_board::anti_diagonal(square) {
            assert_eq!(other.anti_diagonal_index(), square.anti_diagonal_index());
        }
    }
    assert_eq!((Square::A8.diagonal_index(), Square::H1.diagonal_index()), (7, 9));
    assert_eq!((Square::A1.anti_diagonal_index(), Square::H8.anti_diagonal_index()), (7, 9));
}

#[test]
fn sets_of_squares_obey_set_algebra() {
    let sets = sample_sets();
    for (&a, &b) in sets.iter().zip(sets.iter().rev()) {
        assert_eq!(!(a | b), !a & !b);
        assert_eq!(a - b, a & !b);
        assert_eq!(a ^ b, (a - b) | (b - a));
        assert_eq!(a.is_disjoint(b), (a & b).is_empty());
        assert_eq!(a.is_disjoint(b), !a.intersects(b));
        assert_eq!(a.is_subset(b), a - b == Bitboard::EMPTY);
        assert_eq!((a | b).len() + (a & b).len(), a.len() + b.len());
        assert_eq!(a.has_many(), a.len() > 1);
        let mut assigned = a;
        assigned |= b;
        assigned -= a & b;
        assert_eq!(assigned, a ^ b);
        assigned ^= b;
        assigned &= b;
        assert_eq!(assigned, a & b);
        let mut grown = a;
        grown.extend(b);
        assert_eq!(grown, [a, b].into_iter().collect());
        for square in Square::ALL {
            assert_eq!(a.with(square), a | square);
            assert_eq!(a.without(square), a - square);
            assert_eq!(a.has(square), a.iter().any(|other| other == square));
        }
        let forwards: Vec<Square> = a.iter().collect();
        let mut backwards: Vec<Square> = a.iter().rev().collect();
        backwards.reverse();
        assert!(forwards.is_sorted() && forwards == backwards);
        assert_eq!((a.first(), a.last()), (forwards.first().copied(), forwards.last().copied()));
        assert_eq!(a.iter().len(), forwards.len());
        for direction in Direction::ALL {
            let stepped = a.iter().filter_map(|square| square.step(direction)).collect();
            assert_eq!(a.step(direction), stepped, "{direction:?}");
        }
    }
    for index in 0..8 {
        assert!(Bitboard::from(File::ALL[index]).iter().all(|at| at.file() == File::ALL[index]));
        assert!(Bitboard::from(Rank::ALL[index]).iter().all(|at| at.rank() == Rank::ALL[index]));
    }
}

#[test]
fn subsets_are_complete_and_in_order() {
    for set in sample_sets().into_iter().filter(|set| set.len() <= 12) {
        let subsets: Vec<u64> = set.subsets().map(|subset| subset.0).collect();
        assert_eq!(subsets.len(), 1 << set.len());
        assert!(subsets.iter().all(|subset| subset & !set.0 == 0));
        assert!(subsets.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn rays_and_empty_boards_are_walks() {
    let oracle = RayWalk::new().expect("needs nothing");
    for from in Square::ALL {
        for direction in Direction::ALL {
            let walked = core::iter::successors(from.step(direction), |at| at.step(direction));
            assert_eq!(lines::ray(from, direction), walked.collect());
        }
        assert_eq!(empty_board::rook(from), oracle.rook(from, Bitboard::EMPTY));
        assert_eq!(empty_board::bishop(from), oracle.bishop(from, Bitboard::EMPTY));
        assert_eq!(empty_board::queen(from), oracle.queen(from, Bitboard::EMPTY));
        let own = Bitboard::from(from);
        assert_eq!(empty_board::rank(from), Bitboard::from(from.rank()) - own);
        assert_eq!(empty_board::file(from), Bitboard::from(from.file()) - own);
    }
}

#[test]
fn aligned_squares_share_a_line() {
    // By numbers: one of rank, file, diagonal and anti-diagonal is the same for all three.
    let numbers = |at: Square| {
        let (file, rank) = (at.file().index(), at.rank().index());
        [file, rank, file + rank, file + 7 - rank]
    };
    for a in Square::ALL {
        for b in Square::ALL {
            for c in Square::ALL {
                let (x, y, z) = (numbers(a), numbers(b), numbers(c));
                let share = (0..4).any(|i| x[i] == y[i] && y[i] == z[i]);
                assert_eq!(lines::aligned(a, b, c), share, "{a} {b} {c}");
            }
        }
    }
}

/// Direction by direction: the squares after the first piece, if it is transparent, up to the next piece.
#[test]
fn x_rays_go_through_one_piece() {
    let seen_behind =
        |from: Square, directions: [Direction; 4], through: Bitboard, pieces: Bitboard| {
            let mut seen = Bitboard::EMPTY;
            for direction in directions {
                let mut behind = false;
                let mut at = from;
                while let Some(next) = at.step(direction) {
                    at = next;
                    if behind {
                        seen |= at;
                    }
                    if pieces.has(at) {
                        if behind || !through.has(at) {
                            break;
                        }
                        behind = true;
                    }
                }
            }
            seen
        };
    let mut state = 99;
    for from in Square::ALL {
        for _ in 0..500 {
            let pieces = Bitboard(random(&mut state) & random(&mut state));
            let through = Bitboard(random(&mut state));
            let rook = seen_behind(from, Direction::ORTHOGONAL, through, pieces);
            assert_eq!(lines::xray_rook(from, through, pieces), rook);
            let bishop = seen_behind(from, Direction::DIAGONAL, through, pieces);
            assert_eq!(lines::xray_bishop(from, through, pieces), bishop);
        }
    }
}

#[test]
fn an_operator_takes_squares_files_and_ranks_for_their_sets() {
    for set in sample_sets().into_iter().step_by(20) {
        for square in Square::ALL {
            let one = Bitboard::square(square);
            assert_eq!([set | square, set & square], [set | one, set & one]);
            assert_eq!([set ^ square, set - square], [set ^ one, set - one]);
            let mut assigned = set;
            assigned |= square;
            assert_eq!(assigned, set.with(square));
            assigned -= square;
            assert_eq!(assigned, set.without(square));
            assigned ^= square;
            assigned &= square;
            assert_eq!(assigned, one);
        }
        for index in 0..8 {
            let (file, rank) = (File::ALL[index], Rank::ALL[index]);
            assert!((set & file).iter().all(|square| square.file() == file));
            assert!((set - rank).iter().all(|square| square.rank() != rank));
        }
        assert_eq!(Bitboard::from(u64::from(set)), set);
    }
}

#[test]
fn squares_are_taken_from_either_end() {
    for set in sample_sets() {
        let (mut rising, mut falling) = (set, set);
        let from_first: Vec<Square> = core::iter::from_fn(|| rising.pop_first()).collect();
        let mut from_last: Vec<Square> = core::iter::from_fn(|| falling.pop_last()).collect();
        from_last.reverse();
        let members: Vec<Square> = Square::ALL.into_iter().filter(|at| set.has(*at)).collect();
        assert_eq!((&from_first, &from_last), (&members, &members));
        assert_eq!((rising, falling), (Bitboard::EMPTY, Bitboard::EMPTY));
    }
}

#[test]
fn neighbors_differ_in_color() {
    for square in Square::ALL {
        assert_eq!(Bitboard::LIGHT.has(square), square.is_light());
        assert_eq!(Bitboard::DARK.has(square), square.is_dark());
        for direction in Direction::ORTHOGONAL {
            if let Some(next) = square.step(direction) {
                assert_ne!(square.is_light(), next.is_light(), "{square}{next}");
            }
        }
    }
    assert!(Square::A1.is_dark() && Square::H1.is_light());
}

/// A king's walk, ring by ring, and a rook's of single steps.
#[test]
fn distances_are_numbers_of_steps() {
    for from in Square::ALL {
        for (directions, distance) in [
            (&Direction::ALL[..], Square::distance as fn(Square, Square) -> u8),
            (&Direction::ORTHOGONAL[..], Square::manhattan_distance),
        ] {
            let (mut reached, mut steps) = (Bitboard::from(from), 0);
            let mut ring = reached;
            while !ring.is_empty() {
                for to in ring {
                    assert_eq!(distance(from, to), steps, "{from}{to}");
                }
                let next: Bitboard = directions.iter().map(|way| ring.step(*way)).collect();
                ring = next - reached;
                reached |= next;
                steps += 1;
            }
            assert_eq!(reached, Bitboard::FULL);
        }
    }
}

#[test]
fn every_offset_is_within_range() {
    for square in Square::ALL {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        for files in i8::MIN..=i8::MAX {
            for ranks in i8::MIN..=i8::MAX {
                let (file, rank) = (file + i32::from(files), rank + i32::from(ranks));
                let there = (0..8).contains(&file) && (0..8).contains(&rank);
                let expected = there.then(|| Square::ALL[(8 * rank + file) as usize]);
                assert_eq!(square.offset(files, ranks), expected, "{square} {files} {ranks}");
            }
        }
    }
}

#[test]
fn a_set_is_printed_as_a_drawing_or_a_number() {
    let set = Bitboard::from(Square::A1) | Square::B1 | Square::H8;
    let drawn = ". . . . . . . 1\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n\
                 . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n1 1 . . . . . .\n";
    assert_eq!(set.to_string(), drawn);
    let indented: String = drawn.lines().map(|row| format!("    {row}\n")).collect();
    assert_eq!(format!("{set:?}"), format!("bitboard! {{\n{indented}}}"));
    assert_eq!(format!("{set:#018x} {set:X}"), "0x8000000000000003 8000000000000003");
    assert_eq!(format!("{:b} {:o}", set & Rank::First, set & Rank::First), "11 3");
}

#[test]
fn a_square_is_two_letters() {
    assert_eq!("e4".parse::<Square>().ok(), Some(Square::E4));
    for text in ["", "e", "e4x", "e44", " e4", "e4 ", "4e", "e9", "i4", "E4"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
}
