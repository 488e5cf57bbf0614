//! Nets learned from games of the engine against itself.

use halfmove_engine::{KeyedMakruk, Net};
use halfmove_lab::training::{Datagen, Errors, Trained, Training};
use halfmove_rules::{AnyPosition, Variant};

/// Positions of some games that the engine has played in this test.
fn samples(variant: Variant, games: u32) -> Vec<u8> {
    let mut samples = Vec::new();
    let games = Datagen { games, nodes: 60, threads: 2, ..Datagen::new(variant) };
    games.run(&mut samples, &mut |_| {}).expect("memory can be written");
    samples
}

fn train(training: Training, samples: &[u8]) -> (Trained, Vec<Errors>) {
    let mut epochs = Vec::new();
    let mut samples = samples;
    let trained = training.run(&mut samples, &mut |_, errors| epochs.push(errors));
    (trained.expect("good samples"), epochs)
}

#[test]
fn training_lowers_the_error_and_is_repeatable() {
    let samples = samples(Variant::Makruk, 24);
    let training = Training { hidden: 32, epochs: 5, step: 0.02, ..Training::new(Variant::Makruk) };
    let (once, epochs) = train(training, &samples);
    let [first, .., last] = &epochs[..] else { panic!("{epochs:?}") };
    assert!(last.training < first.training, "{epochs:?}");
    let best = epochs.iter().filter_map(|errors| errors.validation).fold(f64::INFINITY, f64::min);
    assert!(
        once.errors.validation.is_some_and(|error| (error - best).abs() < 0.01),
        "{once}: rounded, but near {best}"
    );
    assert!(once.samples[0] > 800 && once.samples[1] == 256, "{once}");
    for threads in [2, 3, 8] {
        let (again, same) = train(Training { threads, ..training }, &samples);
        assert_eq!((again.net, same), (once.net.clone(), epochs.clone()), "{threads}");
    }
    let (other, _) = train(Training { seed: 2, ..training }, &samples);
    assert_ne!(other.net.to_bytes(), once.net.to_bytes());
    let (wide, _) = train(Training { hidden: 64, ..training }, &samples);
    assert_eq!(wide.net.hidden(), 64);
    assert!(wide.net.origin().contains("--hidden 64 --epochs 5"), "{}", wide.net.origin());
}

#[test]
fn a_net_that_was_trained_can_be_read() {
    for variant in [Variant::Chess, Variant::Makruk] {
        let training =
            Training { hidden: 32, epochs: 4, step: 0.02, threads: 2, ..Training::new(variant) };
        let (trained, _) = train(training, &samples(variant, 4));
        assert_eq!(trained.errors.validation, None, "four games are too few to hold some out");
        assert!(trained.to_string().ends_with("none were held out."), "{trained}");
        let net = Net::from_bytes(&trained.net.to_bytes()).expect("a net");
        assert_eq!((net.game(), net.hidden(), &net), (variant, 32, &trained.net));
        assert!(net.origin().starts_with(&format!("halfmove-lab train --game {variant} ")));
        // Other than zero, and the same with colors swapped.
        let value = |position: &AnyPosition| match position {
            AnyPosition::Chess(chess) => net.value(chess),
            AnyPosition::Makruk(makruk) => net.value(&KeyedMakruk::new(makruk.clone())),
        };
        let mut position = AnyPosition::start(variant);
        let uci = if variant == Variant::Chess { "e2e4" } else { "e3e4" };
        position.play_unchecked(position.parse_uci(uci).expect("a move"));
        assert!(value(&position).is_some_and(|value| value != 0), "{variant}");
        assert_eq!(value(&position), value(&position.flipped()), "{variant}");
    }
}
