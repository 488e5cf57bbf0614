//! The memory of the machine.

use std::fs;

/// The memory available to programs, in MiB: that of the machine, or of the container. `None` if the system does not
/// report it.
pub(super) fn memory_mib() -> Option<usize> {
    let read = |path| fs::read_to_string(path).ok();
    let bytes = |path| read(path).and_then(|text| text.trim().parse::<u64>().ok());
    let machine = read("/proc/meminfo").as_deref().and_then(total_bytes);
    // Control groups of version 2 and 1.
    let group = bytes("/sys/fs/cgroup/memory.max")
        .or_else(|| bytes("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    let least = machine.into_iter().chain(group).min()?;
    usize::try_from(least >> 20).ok()
}

/// The number after `MemTotal:`, which is in KiB.
fn total_bytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        let text = "MemTotal:       16384 kB\nMemFree:         1024 kB\n";
        assert_eq!(total_bytes(text), Some(16 << 20));
        assert_eq!(total_bytes("MemFree: 1 kB"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory() {
        assert!(memory_mib().is_some_and(|mib| mib > 16), "{:?}", memory_mib());
    }
}
