//! CPU features that the operating system supports.
//!
//! The standard library's `is_x86_feature_detected!` does not exist without `std`, so this module executes CPUID
//! directly, once. Wide registers are usable only if the operating system saves them when it switches tasks, which the
//! register XCR0 shows.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use core::sync::atomic::{AtomicU32, Ordering};

/// A set of CPU features.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Features(u32);

/// `BMI2`: PEXT and PDEP.
pub(crate) const BMI2: Features = Features(1);
/// `AVX2`: integers in registers of 256 bits.
pub(crate) const AVX2: Features = Features(1 << 1);
/// `AVX512F`, `AVX512BW`, `AVX512VL` and `AVX512CD`: registers of 512 bits. To the compiler, AVX-512 includes
/// `FMA` and `F16C`, so they are required as well.
pub(crate) const AVX512: Features = Features(1 << 2);
/// `AVX512_VPOPCNTDQ`: counts the bits of each lane.
pub(crate) const LANE_COUNTS: Features = Features(1 << 3);
/// `POPCNT`, `LZCNT` and `BMI1`: count the bits of a word, and find the first and the last.
pub(crate) const SCALAR: Features = Features(1 << 4);
/// PEXT and PDEP are single instructions in hardware as well. AMD before Zen 3 runs them as microcode.
pub(crate) const FAST_PEXT: Features = Features(1 << 5);
/// `AVX512_VBMI2`: packs the chosen bytes of a register.
pub(crate) const PACK: Features = Features(1 << 6);
/// Marks a cache that has been filled.
const KNOWN: Features = Features(1 << 31);

static CACHE: AtomicU32 = AtomicU32::new(0);

impl Features {
    /// The features of both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if CPU and operating system have all of them.
    #[inline]
    pub(crate) fn are_there(self) -> bool {
        let mut found = CACHE.load(Ordering::Relaxed);
        if found == 0 {
            // Two threads may both get here, with the same result.
            found = Registers::ask().features().and(KNOWN).0;
            CACHE.store(found, Ordering::Relaxed);
        }
        found & self.0 == self.0
    }
}

/// Bits of the registers, as Intel's and AMD's manuals number them.
mod bit {
    // Leaf 1, ECX.
    pub(super) const FMA: u32 = 12;
    pub(super) const POPCNT: u32 = 23;
    pub(super) const OSXSAVE: u32 = 27;
    pub(super) const AVX: u32 = 28;
    pub(super) const F16C: u32 = 29;
    // Leaf 7, EBX.
    pub(super) const BMI1: u32 = 3;
    pub(super) const AVX2: u32 = 5;
    pub(super) const BMI2: u32 = 8;
    pub(super) const AVX512F: u32 = 16;
    pub(super) const AVX512CD: u32 = 28;
    pub(super) const AVX512BW: u32 = 30;
    pub(super) const AVX512VL: u32 = 31;
    // Leaf 7, ECX.
    pub(super) const AVX512_VBMI2: u32 = 6;
    pub(super) const AVX512_VPOPCNTDQ: u32 = 14;
    // Leaf 0x8000_0001, ECX.
    pub(super) const LZCNT: u32 = 5;
}

/// The state that the operating system saves, in XCR0: registers of 128 and 256 bits; then also masks
/// and registers of 512 bits.
const STATE_AVX: u64 = 0b110;
const STATE_AVX512: u64 = 0b1110_0110;

/// The registers in which the CPU describes itself; 0 where it lacks a leaf or a register.
#[derive(Copy, Clone, Default)]
struct Registers {
    /// Leaf 0, EBX, EDX and ECX: `GenuineIntel` and the like.
    vendor: [u8; 12],
    /// Leaf 1, EAX: family, model and stepping.
    signature: u32,
    /// Leaf 1, ECX.
    basic: u32,
    /// Leaf 7, EBX and ECX.
    extended: [u32; 2],
    /// Leaf 0x8000_0001, ECX.
    more: u32,
    /// XCR0.
    saved: u64,
}

impl Registers {
    #[allow(unused_unsafe, reason = "CPUID is a safe function in newer toolchains")]
    fn ask() -> Self {
        const EXTENDED: u32 = 0x8000_0000;
        let mut registers = Self::default();
        // SAFETY: every x86-64 has CPUID. Leaf 0 and the first extended leaf give the number of leaves.
        unsafe {
            let first = __cpuid(0);
            let vendor = [first.ebx, first.edx, first.ecx].map(u32::to_le_bytes);
            registers.vendor.copy_from_slice(vendor.as_flattened());
            if first.eax >= 1 {
                let basic = __cpuid(1);
                (registers.signature, registers.basic) = (basic.eax, basic.ecx);
            }
            if first.eax >= 7 {
                let extended = __cpuid_count(7, 0);
                registers.extended = [extended.ebx, extended.ecx];
            }
            if __cpuid(EXTENDED).eax > EXTENDED {
                registers.more = __cpuid(EXTENDED + 1).ecx;
            }
        }
        if has(registers.basic, &[bit::OSXSAVE]) {
            // SAFETY: OSXSAVE means that XGETBV exists and may be used.
            registers.saved = unsafe { saved_state() };
        }
        registers
    }

    fn features(&self) -> Features {
        let Self { basic, extended: [ebx, ecx], more, saved, .. } = *self;
        let mut found = Features(0);
        if has(basic, &[bit::POPCNT]) && has(ebx, &[bit::BMI1]) && has(more, &[bit::LZCNT]) {
            found = found.and(SCALAR);
        }
        if has(ebx, &[bit::BMI2]) {
            found = found.and(BMI2);
            if self.has_fast_pext() {
                found = found.and(FAST_PEXT);
            }
        }
        if !has(basic, &[bit::AVX]) || saved & STATE_AVX != STATE_AVX || !has(ebx, &[bit::AVX2]) {
            return found;
        }
        found = found.and(AVX2);
        let wide = [bit::AVX512F, bit::AVX512CD, bit::AVX512BW, bit::AVX512VL];
        if saved & STATE_AVX512 != STATE_AVX512
            || !has(ebx, &wide)
            || !has(basic, &[bit::FMA, bit::F16C])
        {
            return found;
        }
        found = found.and(AVX512);
        if has(ecx, &[bit::AVX512_VPOPCNTDQ]) {
            found = found.and(LANE_COUNTS);
        }
        if has(ecx, &[bit::AVX512_VBMI2]) {
            found = found.and(PACK);
        }
        found
    }

    /// Returns true if PEXT is more than microcode. On AMD, and on Hygon, which builds AMD's cores, it is from
    /// family 25 on, which is Zen 3.
    fn has_fast_pext(&self) -> bool {
        let is_amd = [b"AuthenticAMD", b"HygonGenuine"].contains(&&self.vendor);
        // The extended family is added only to family 15.
        let family = match self.signature >> 8 & 15 {
            15 => 15 + (self.signature >> 20 & 255),
            family => family,
        };
        !is_amd || family >= 25
    }
}

/// Returns true if all these bits are set.
fn has(register: u32, bits: &[u32]) -> bool {
    bits.iter().all(|bit| register >> bit & 1 != 0)
}

/// The register XCR0.
#[target_feature(enable = "xsave")]
fn saved_state() -> u64 {
    // SAFETY: register 0 exists wherever XGETBV does.
    unsafe { _xgetbv(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;

    #[test]
    fn finds_what_the_standard_library_finds() {
        macro_rules! all {
            ($($name:tt)*) => { true $(&& std::is_x86_feature_detected!($name))* };
        }
        let avx512 = all!("avx512f" "avx512bw" "avx512vl" "avx512cd" "avx2" "fma" "f16c");
        for (features, expected) in [
            (SCALAR, all!("popcnt" "lzcnt" "bmi1")),
            (BMI2, all!("bmi2")),
            (AVX2, all!("avx2")),
            (AVX512, avx512),
            (LANE_COUNTS, avx512 && all!("avx512vpopcntdq")),
            (PACK, avx512 && all!("avx512vbmi2")),
        ] {
            assert_eq!(features.are_there(), expected, "{features:?}");
        }
    }

    /// A CPU with all features, under an operating system that saves all registers.
    const FULL: Registers = Registers {
        vendor: *b"GenuineIntel",
        signature: 0x0006_06a6,
        basic: !0,
        extended: [!0; 2],
        more: !0,
        saved: !0,
    };

    #[test]
    fn only_amd_before_zen_3_has_a_slow_pext() {
        for (vendor, signature, fast) in [
            (b"GenuineIntel", 0x0003_06c3, true),  // Haswell
            (b"GenuineIntel", 0x0006_06a6, true),  // Ice Lake
            (b"AuthenticAMD", 0x0066_0f01, false), // Excavator
            (b"AuthenticAMD", 0x0080_0f11, false), // Zen
            (b"AuthenticAMD", 0x0087_0f10, false), // Zen 2
            (b"HygonGenuine", 0x0090_0f01, false), // Dhyana, a Zen
            (b"AuthenticAMD", 0x00a2_0f10, true),  // Zen 3
            (b"AuthenticAMD", 0x00a1_0f11, true),  // Zen 4
        ] {
            let cpu = Registers { vendor: *vendor, signature, ..FULL };
            let found = cpu.features();
            assert_eq!(found.0 & FAST_PEXT.0 != 0, fast, "{signature:#x}");
            assert_eq!(found.and(FAST_PEXT), FULL.features(), "{signature:#x}: all else is there");
            let without = Registers { extended: [!(1 << bit::BMI2), !0], ..cpu };
            assert_eq!(without.features().0 & BMI2.and(FAST_PEXT).0, 0, "{signature:#x}");
        }
    }

    #[test]
    fn a_register_that_the_system_does_not_save_is_not_used() {
        let scalar = SCALAR.and(BMI2).and(FAST_PEXT);
        let narrow = scalar.and(AVX2);
        for (saved, expected) in [
            (0, scalar),
            (0b010, scalar),
            (0b110, narrow),
            (0b0010_0110, narrow),
            (0b1110_0110, FULL.features()),
        ] {
            assert_eq!(Registers { saved, ..FULL }.features(), expected, "{saved:#b}");
        }
        // A virtual machine may hide features that the compiler takes for granted with AVX-512.
        for hidden in [bit::FMA, bit::F16C] {
            let cpu = Registers { basic: !(1 << hidden), ..FULL };
            assert_eq!(cpu.features(), narrow, "without bit {hidden}");
        }
        assert_eq!(Registers::default().features(), Features(0), "a CPU without leaf 7");
    }
}
