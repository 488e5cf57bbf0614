//! Techniques that follow rays: square by square, by tables of rays, by doubling.

use crate::drawing::{Scene, board, heading, show};
use halfmove_bitboard::{Bitboard, Direction, Square};

const NAMES: [&str; 8] =
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

fn name(direction: Direction) -> &'static str {
    NAMES[direction.index()]
}

/// All squares in a direction, to the edge.
pub(crate) fn ray(square: Square, direction: Direction) -> u64 {
    std::iter::successors(square.step(direction), |at| at.step(direction))
        .fold(0, |ray, at| ray | Bitboard::square(at).0)
}

/// Ray by ray, as far as the first piece.
pub(crate) fn ray_walk(scene: Scene) -> u64 {
    heading(
        "Ray walk",
        "step along each ray until the edge or the first piece, which is attacked too",
    );
    let mut all = 0;
    let mut boards = Vec::new();
    for direction in Direction::ALL {
        let (mut steps, mut attacked, mut at) = (0, 0, scene.square);
        while let Some(next) = at.step(direction) {
            steps += 1;
            attacked |= Bitboard::square(next).0;
            if scene.occupied.has(next) {
                break;
            }
            at = next;
        }
        all |= attacked;
        let plural = if steps == 1 { "" } else { "s" };
        boards.push(board(format!("{}\n{steps} step{plural}", name(direction)), attacked));
    }
    boards.push(board("all rays\nof the queen", all));
    show(scene, &boards);
    all
}

/// The ray, the pieces on it, the first of them, and the ray behind it taken away.
pub(crate) fn classical(scene: Scene) -> u64 {
    heading(
        "Classical: rays and a bit scan",
        "blockers = ray[direction][square] & occupied\n\
         first    = lowest bit of blockers where squares count up that way, else the highest\n\
         attacks  = ray[direction][square] ^ ray[direction][first]",
    );
    let mut all = 0;
    for direction in Direction::ALL {
        let ray_here = ray(scene.square, direction);
        if ray_here == 0 {
            continue;
        }
        let blockers = Bitboard(ray_here & scene.occupied.0);
        let first = if direction.is_positive() { blockers.first() } else { blockers.last() };
        let behind = first.map_or(0, |first| ray(first, direction));
        let says = match first {
            Some(first) => format!("ray behind\n{first}, the first piece"),
            None => "no piece, so\nnothing behind".to_owned(),
        };
        let way = if direction.is_positive() { "lowest" } else { "highest" };
        show(
            scene,
            &[
                board(format!("ray\n{}", name(direction)), ray_here),
                board(format!("blockers\n{way} is first"), blockers.0),
                board(says, behind),
                board("attacks\nray ^ behind", ray_here ^ behind),
            ],
        );
        all |= ray_here ^ behind;
    }
    all
}

/// Three doubling steps and one shift more, in all eight directions.
pub(crate) fn kogge_stone(scene: Scene) -> u64 {
    heading(
        "Kogge-Stone: fill by doubling",
        "g |= p & step(g);   p &= step(p)          1 square far; p: what may be walked through\n\
         g |= p & step2(g);  p &= step2(p)         3 squares far\n\
         g |= p & step4(g)                         7 squares far\n\
         attacks = step(g)                         one more, onto the first piece\n\
         step2 is two steps, step4 four; p begins with the empty squares",
    );
    let mut all = 0;
    for direction in Direction::ALL {
        let steps =
            |set: u64, count| (0..count).fold(Bitboard(set), |set, _| set.step(direction)).0;
        let (mut g, mut p) = (scene.slider(), !scene.occupied.0);
        g |= p & steps(g, 1);
        p &= steps(p, 1);
        let one = g;
        g |= p & steps(g, 2);
        p &= steps(p, 2);
        let three = g;
        g |= p & steps(g, 4);
        let attacks = steps(g, 1);
        show(
            scene,
            &[
                board(format!("{}\ng, 1 step", name(direction)), one),
                board("\ng, 3 steps", three),
                board("\ng, 7 steps", g),
                board("\nattacks", attacks),
            ],
        );
        all |= attacks;
    }
    all
}
