//! What this CPU can do, and what its operating system lets it do.
//!
//! The standard library's `is_x86_feature_detected!` does not exist without `std`, so CPUID is asked
//! here, once. A CPU that has wide registers is not enough: the system must save them when it
//! switches tasks, and says so in the register XCR0.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use core::sync::atomic::{AtomicU32, Ordering};

/// A set of CPU features.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct Features(u32);

/// `BMI2`: PEXT and PDEP.
pub(crate) const BMI2: Features = Features(1);
/// `AVX2`: integers in registers of 256 bits.
pub(crate) const AVX2: Features = Features(1 << 1);
/// `AVX512F`, `AVX512BW`, `AVX512VL` and `AVX512CD`: registers of 512 bits.
pub(crate) const AVX512: Features = Features(1 << 2);
/// `AVX512_VBMI` and `AVX512_BITALG`: bytes and bits from anywhere.
pub(crate) const BYTES: Features = Features(1 << 3);
/// `GFNI`: any linear map of the bits of a byte.
pub(crate) const GFNI: Features = Features(1 << 4);
/// `AVX512_VPOPCNTDQ`: the bits of each lane, counted.
pub(crate) const LANE_COUNTS: Features = Features(1 << 5);
/// `POPCNT`, `LZCNT` and `BMI1`: bits of a word counted, the first and the last of them found.
pub(crate) const SCALAR: Features = Features(1 << 6);
/// PEXT and PDEP that take a few cycles. On AMD before Zen 3 they are microprograms.
pub(crate) const FAST_PEXT: Features = Features(1 << 7);
/// That the features were asked for at all.
const KNOWN: Features = Features(1 << 31);

static CACHE: AtomicU32 = AtomicU32::new(0);

impl Features {
    /// Those of both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether CPU and system have all of them.
    #[inline]
    pub(crate) fn are_there(self) -> bool {
        let mut found = CACHE.load(Ordering::Relaxed);
        if found == 0 {
            // Two threads may both come here; they find the same.
            found = ask().0;
            CACHE.store(found, Ordering::Relaxed);
        }
        found & self.0 == self.0
    }
}

/// Bits of CPUID leaf 1, ECX.
const OSXSAVE: u32 = 1 << 27;
const AVX: u32 = 1 << 28;

/// State that the system saves, in XCR0: 128 and 256 bits; masks and 512 bits besides.
const STATE_AVX: u64 = 0b110;
const STATE_AVX512: u64 = 0b1110_0110;

#[allow(unused_unsafe, reason = "CPUID is a safe function in newer toolchains")]
fn ask() -> Features {
    // SAFETY: every x86-64 has CPUID, and leaf 0 says which leaves there are.
    let (basic, extended) = unsafe {
        let highest = __cpuid(0).eax;
        if highest < 7 {
            return KNOWN;
        }
        (__cpuid(1), __cpuid_count(7, 0))
    };
    let saved = if basic.ecx & OSXSAVE != 0 {
        // SAFETY: OSXSAVE says that XGETBV is there and may be used.
        unsafe { saved_state() }
    } else {
        0
    };
    let has = |register: u32, bits: &[u32]| bits.iter().all(|bit| register >> bit & 1 != 0);
    let mut found = KNOWN;
    if has(basic.ecx, &[23]) && has(extended.ebx, &[3]) && has(more(), &[5]) {
        found = found.and(SCALAR);
    }
    if has(extended.ebx, &[8]) {
        found = found.and(BMI2);
        if has_fast_pext(basic.eax) {
            found = found.and(FAST_PEXT);
        }
    }
    let avx = basic.ecx & AVX != 0 && saved & STATE_AVX == STATE_AVX;
    if avx && has(extended.ebx, &[5]) {
        found = found.and(AVX2);
        if has(extended.ecx, &[8]) {
            found = found.and(GFNI);
        }
        // F, CD, BW, VL.
        if saved & STATE_AVX512 == STATE_AVX512 && has(extended.ebx, &[16, 28, 30, 31]) {
            found = found.and(AVX512);
            if has(extended.ecx, &[1, 12]) {
                found = found.and(BYTES);
            }
            if has(extended.ecx, &[14]) {
                found = found.and(LANE_COUNTS);
            }
        }
    }
    found
}

/// ECX of the extended leaf 1, 0 where there is none.
#[allow(unused_unsafe, reason = "CPUID is a safe function in newer toolchains")]
fn more() -> u32 {
    const EXTENDED: u32 = 0x8000_0000;
    // SAFETY: every x86-64 has CPUID, and the first of its extended leaves says which there are.
    unsafe { if __cpuid(EXTENDED).eax > EXTENDED { __cpuid(EXTENDED + 1).ecx } else { 0 } }
}

/// Whether PEXT is more than a microprogram, from the vendor and the signature in EAX of leaf 1: AMD's (and
/// Hygon's) is one before family 25, which is Zen 3.
#[allow(unused_unsafe, reason = "CPUID is a safe function in newer toolchains")]
fn has_fast_pext(signature: u32) -> bool {
    // SAFETY: every x86-64 has CPUID.
    let vendor = unsafe { __cpuid(0) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let is_amd = [b"AuthenticAMD", b"HygonGenuine"].iter().any(|amd| name.as_flattened() == *amd);
    // The extended family counts only beyond family 15.
    let family = match signature >> 8 & 15 {
        15 => 15 + (signature >> 20 & 255),
        family => family,
    };
    !is_amd || family >= 25
}

/// The register XCR0.
#[target_feature(enable = "xsave")]
fn saved_state() -> u64 {
    // SAFETY: register 0 exists wherever XGETBV does.
    unsafe { _xgetbv(0) }
}
