//! Detects in machine code whether the compiler has vectorized a loop over queens.
//!
//! The loop over slices writes only its results, so an instruction that stores a whole vector
//! register anywhere but on the stack stores several results. The code is disassembled by `objdump`.

use std::process::Command;

/// The number of bytes of code to read, more than a loop has.
const MAX: usize = 32 * 1024;

/// The widest register that is stored at once, in the words of the last column of the table.
pub(crate) fn vectorized(code: usize) -> &'static str {
    let Some(listing) = listing(code) else { return "not known" };
    match widest_store(&listing) {
        Some(64) => "512 bits",
        Some(32) => "256 bits",
        Some(16) => "128 bits",
        _ => "no",
    }
}

/// The code from an address in this process to the end of the function there.
fn listing(code: usize) -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let first = maps.lines().find(|line| line.ends_with(&*program.to_string_lossy()))?;
    let base = usize::from_str_radix(first.split_once('-')?.0, 16).ok()?;
    let begin = code.checked_sub(base)?;
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn"])
        .arg(format!("--start-address={begin:#x}"))
        .arg(format!("--stop-address={:#x}", begin + MAX))
        .arg(&program)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let body = text.split_once(">:\n")?.1;
    // Functions are separated by an empty line.
    Some(body.split("\n\n").next()?.to_owned())
}

/// Bytes of the widest vector register that is stored whole, and not on the stack.
fn widest_store(listing: &str) -> Option<usize> {
    const STORES: [&str; 6] = ["movdqu", "movdqa", "movups", "movaps", "movupd", "movapd"];
    let width = |line: &str| {
        let code = line.split_once(":\t")?.1;
        let (name, operands) = code.split_once(char::is_whitespace)?;
        let name = name.strip_prefix('v').unwrap_or(name);
        let stores = STORES.iter().any(|store| name.starts_with(store));
        let (register, to) = operands.trim().split_once(',')?;
        let memory = to.contains('(') && !to.contains("(%rsp") && !to.contains("(%rbp");
        let bytes = match register.get(1..4)? {
            "xmm" => 16,
            "ymm" => 32,
            "zmm" => 64,
            _ => return None,
        };
        (stores && memory).then_some(bytes)
    };
    listing.lines().filter_map(width).max()
}

#[cfg(test)]
mod tests {
    use super::widest_store;

    #[test]
    fn whole_registers_count() {
        let spill = "  1:\tvmovdqu %ymm1,0x20(%rsp)\n  2:\tmov    %rax,(%rcx)\n";
        assert_eq!(widest_store(spill), None);
        assert_eq!(widest_store("  1:\tvmovdqu64 %zmm3,(%rcx,%rax,8)"), Some(64));
        assert_eq!(widest_store("  1:\tmovups %xmm0,0x10(%rdx)\n  5:\tret"), Some(16));
        assert_eq!(widest_store("  1:\tmovups 0x10(%rdx),%xmm0"), None);
        assert_eq!(widest_store("  1:\tvmovq  %xmm0,(%rdx)"), None);
    }
}
