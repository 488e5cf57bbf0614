//! The flags of this build, shared by the runner and the program of `bench/peers`.

/// The instructions that the compiler was allowed to use.
pub(crate) fn flags() -> String {
    let flags = option_env!("RUSTFLAGS").filter(|flags| !flags.is_empty());
    let features = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi1", cfg!(target_feature = "bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("gfni", cfg!(target_feature = "gfni")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("avx512cd", cfg!(target_feature = "avx512cd")),
        ("avx512vpopcntdq", cfg!(target_feature = "avx512vpopcntdq")),
        ("avx512vbmi", cfg!(target_feature = "avx512vbmi")),
    ];
    let on = features.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect::<Vec<_>>();
    let on = if on.is_empty() { "only the target's baseline".to_owned() } else { on.join(" ") };
    let flags = flags.unwrap_or("none of our own");
    let lto = option_env!("CARGO_PROFILE_RELEASE_LTO").unwrap_or("none");
    format!(
        "release profile, link-time optimization: {lto}, rustc flags: {flags}; the compiler may \
         use: {on}"
    )
}
