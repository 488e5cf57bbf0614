//! Bit scans by De Bruijn multiplication, and every sequence that can be used for them.

use super::isolate_lowest;

/// A De Bruijn sequence with the table that it indexes: a bit scan by one multiplication.
///
/// **Idea.** A binary De Bruijn sequence of order six is a ring of 64 bits in which each of the 64
/// words of six bits occurs once. A factor that begins with its run of zeros, multiplied by 2^n, is
/// shifted left by n; its top six bits are then a word that no other n brings to the top. A table of
/// 64 bytes turns the word back into n.
///
/// ```text
/// order three, eight bits: 0 0 0 1 0 1 1 1      0 0 0 . . . . .   n = 0
///                                               . 0 0 1 . . . .   n = 1
///                                               . . 0 1 0 . . .   n = 2
///                                               . . . 1 0 1 . .   and so on, each word once
/// ```
///
/// **Formula.** `index[(isolate_lowest(x) * factor) >> 58]`
///
/// **Cost.** Three operations, a multiplication and a load; a table of 64 bytes. **When it wins.**
/// Where the CPU has no instruction for it. **When it loses.** Everywhere else.
///
/// ```
/// use halfmove_techniques::bits::DeBruijn;
/// const SCAN: DeBruijn = DeBruijn::LEISERSON;
/// assert_eq!(SCAN.scan_forward(0b10100), Some(2));
/// assert_eq!(SCAN.scan_reverse(0b10100), Some(4));
/// assert_eq!(SCAN.scan_forward(0), None);
///
/// // Anyone can have one of their own: here is number 2008 of the 67,108,864.
/// let own = DeBruijn::nth(2008).expect("there are 2^26");
/// assert_eq!(own.number(), 2008);
/// assert_eq!(own.scan_forward(0b10100), Some(2));
/// ```
///
/// # Source
/// Isenberg 2008, "De Bruijn multiplication", after Charles Leiserson, Harald Prokop and Keith
/// Randall, *Using de Bruijn sequences to index a 1 in a computer word* (1998).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DeBruijn {
    factor: u64,
    index: [u8; 64],
}

impl DeBruijn {
    /// The factor that is quoted most often, from the paper of Leiserson, Prokop and Randall.
    pub const LEISERSON: Self =
        Self::from_factor(0x07ed_d5e5_9a4e_28c2).expect("a De Bruijn sequence");

    /// The number of sequences that begin with six zeros: 2^26. Shifting each left by one gives as many
    /// again that begin with five.
    pub const COUNT: u32 = 1 << 26;

    /// The scan with a factor; `None` if the factor is not a De Bruijn sequence, that is, if two powers of two
    /// bring the same six bits to the top.
    ///
    /// A factor with too few leading zeros fails as well, because a shift brings in zeros from below.
    pub const fn from_factor(factor: u64) -> Option<Self> {
        let mut index = [u8::MAX; 64];
        let mut place = 0;
        while place < 64 {
            let word = (factor << place >> 58) as usize;
            if index[word] != u8::MAX {
                return None;
            }
            index[word] = place;
            place += 1;
        }
        Some(Self { factor, index })
    }

    /// The sequence with this number among those that begin with six zeros, in ascending order from 0;
    /// `None` if the number is [`COUNT`](Self::COUNT) or more.
    ///
    /// The sequence is written bit by bit. Before each bit, the sequences that continue with a zero are
    /// counted. If there are no more of them than the number, all are skipped and the bit is a one.
    pub const fn nth(number: u32) -> Option<Self> {
        if number >= Self::COUNT {
            return None;
        }
        let mut left = number;
        let mut walk = Walk::START;
        while walk.bits < 64 {
            let passed = walk.with(0).completions();
            let one = left >= passed;
            if one {
                left -= passed;
            }
            walk = walk.with(one as u64);
        }
        Self::from_factor(walk.factor)
    }

    /// The number of the sequence: the argument from which [`nth`](Self::nth) makes it. A sequence that begins
    /// with five zeros has the number of the one that is shifted right by one.
    pub const fn number(&self) -> u32 {
        let odd = if self.factor & 1 == 0 { self.factor >> 1 } else { self.factor };
        let mut number = 0;
        let mut walk = Walk::START;
        while walk.bits < 64 {
            let bit = odd >> (63 - walk.bits) & 1;
            if bit == 1 {
                number += walk.with(0).completions();
            }
            walk = walk.with(bit);
        }
        number
    }

    /// The sequence as a factor.
    #[inline]
    pub const fn factor(&self) -> u64 {
        self.factor
    }

    /// The table: the index of the bit, by the top six bits of the product.
    #[inline]
    pub const fn index(&self) -> &[u8; 64] {
        &self.index
    }

    /// The index of the lowest set bit, 0 to 63; `None` if there is none.
    #[inline]
    pub const fn scan_forward(&self, x: u64) -> Option<u32> {
        if x == 0 { None } else { Some(self.log2(isolate_lowest(x))) }
    }

    /// The index of the highest set bit, 0 to 63; `None` if there is none.
    #[inline]
    pub const fn scan_reverse(&self, x: u64) -> Option<u32> {
        if x == 0 { None } else { Some(self.log2(super::isolate_highest(x))) }
    }

    #[inline]
    const fn log2(&self, power: u64) -> u32 {
        self.index[(power.wrapping_mul(self.factor) >> 58) as usize] as u32
    }
}

/// A partly written sequence: a walk over the graph whose 32 nodes are the words of five bits, and
/// whose 64 edges, the words of six bits, each append a bit and drop one. A De Bruijn sequence is
/// a round trip that uses every edge once.
#[derive(Copy, Clone)]
struct Walk {
    /// The bits so far, at the top.
    factor: u64,
    /// The number of bits so far.
    bits: u32,
    /// The edges used.
    used: u64,
    /// True if an edge was used twice.
    broken: bool,
}

impl Walk {
    /// Six zeros and the one that must follow: both edges of the node 00000 are used.
    const START: Self = Self { factor: 0, bits: 5, used: 0, broken: false }.with(0).with(1);

    const fn node(&self) -> u64 {
        self.factor >> (64 - self.bits) & 31
    }

    const fn with(self, bit: u64) -> Self {
        let edge = self.node() << 1 | bit;
        Self {
            factor: self.factor | bit << (63 - self.bits),
            bits: self.bits + 1,
            used: self.used | 1 << edge,
            broken: self.broken || self.used >> edge & 1 != 0,
        }
    }

    /// The number of ways to complete the walk back to the node 00000.
    ///
    /// A walk leaves every other node for the last time by some edge, and these edges make a tree that leads
    /// to the end. No node has more than two edges, so the tree decides everything else. The completions are
    /// therefore the trees of unused edges, and the determinant of the graph's Laplacian matrix counts
    /// those (de Bruijn, van Aardenne-Ehrenfest, Smith and Tutte, 1951).
    const fn completions(&self) -> u32 {
        if self.broken {
            return 0;
        }
        let mut matrix = [[0; 31]; 31];
        let mut node = 1;
        while node < 32 {
            let mut degree = 0;
            let mut bit = 0;
            while bit < 2 {
                let edge = node << 1 | bit;
                let to = edge & 31;
                if self.used >> edge & 1 == 0 {
                    degree += 1;
                    // An edge from a node to itself cancels.
                    if to != 0 {
                        matrix[node - 1][to - 1] = minus(matrix[node - 1][to - 1], 1);
                    }
                }
                bit += 1;
            }
            // The walk does not return to this node, so it plays no part.
            let own = if degree == 0 { 1 } else { degree };
            matrix[node - 1][node - 1] = (matrix[node - 1][node - 1] + own) % PRIME;
            node += 1;
        }
        determinant(matrix) as u32
    }
}

/// A prime. The determinants are at most 2^26, so their remainders modulo this prime are exact.
const PRIME: u64 = (1 << 31) - 1;

const fn minus(a: u64, b: u64) -> u64 {
    (a + PRIME - b) % PRIME
}

/// Computed by Gaussian elimination.
const fn determinant(mut matrix: [[u64; 31]; 31]) -> u64 {
    let mut product = 1;
    let mut column = 0;
    while column < 31 {
        let mut pivot = column;
        while matrix[pivot][column] == 0 {
            pivot += 1;
            if pivot == 31 {
                return 0;
            }
        }
        if pivot != column {
            let row = matrix[pivot];
            matrix[pivot] = matrix[column];
            matrix[column] = row;
            product = minus(0, product);
        }
        product = product * matrix[column][column] % PRIME;
        let inverse = inverse(matrix[column][column]);
        let mut row = column + 1;
        while row < 31 {
            if matrix[row][column] != 0 {
                let factor = matrix[row][column] * inverse % PRIME;
                let mut i = column;
                while i < 31 {
                    matrix[row][i] = minus(matrix[row][i], factor * matrix[column][i] % PRIME);
                    i += 1;
                }
            }
            row += 1;
        }
        column += 1;
    }
    product
}

/// By Fermat's little theorem: `a` to the power of the prime minus two.
const fn inverse(a: u64) -> u64 {
    let (mut power, mut exponent, mut result) = (a, PRIME - 2, 1);
    while exponent != 0 {
        if exponent & 1 != 0 {
            result = result * power % PRIME;
        }
        power = power * power % PRIME;
        exponent >>= 1;
    }
    result
}
