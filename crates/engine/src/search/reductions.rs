//! Late move reductions: the number of plies by which the depth of late moves is reduced.
//!
//! `0.8 + ln(depth) · ln(move number) / 2.3`, in whole plies. The logarithm is computed with integers, so that the
//! table is the same on every machine.

/// Reductions in plies, by depth and by move number.
static REDUCTIONS: [[i8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut number = 1;
        while number < 64 {
            // In units of 1/1024².
            let product = ln_1024(depth) * ln_1024(number);
            table[depth as usize][number as usize] = ((819 * 1024 + product * 10 / 23) >> 20) as i8;
            number += 1;
        }
        depth += 1;
    }
    table
};

/// The natural logarithm, times 1024.
const fn ln_1024(x: i64) -> i64 {
    // The binary logarithm, bit by bit: squaring doubles it.
    let whole = 63 - x.leading_zeros() as i64;
    let mut mantissa = (x << 30) >> whole;
    let mut bits = 0;
    let mut i = 0;
    while i < 12 {
        mantissa = (mantissa * mantissa) >> 30;
        bits *= 2;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            bits += 1;
        }
        i += 1;
    }
    // ln 2 = 0.693147
    ((whole << 12) + bits) * 693_147 / 1_000_000 / 4
}

/// The reduction of the `number`-th move, from 1.
#[inline]
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    let depth = depth.clamp(0, 63) as usize;
    i32::from(REDUCTIONS[depth][number.min(63)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_follow_the_formula() {
        for depth in 1..64 {
            for number in 1..64 {
                let exact = 0.8 + f64::from(depth).ln() * f64::from(number).ln() / 2.3;
                let table = f64::from(reduction(depth, number as usize));
                let rounded_down = exact - 1.01 < table && table < exact + 0.01;
                assert!(rounded_down, "{depth} {number}: {table}, expected {exact}");
            }
        }
        assert_eq!(reduction(200, 900), reduction(63, 63));
    }
}
