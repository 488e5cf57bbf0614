//! The net: opposite for colors swapped, learned, written, read, and refused.

use crate::conversation::Gui;
use crate::net_file::{any_net, seal, small, small_of, weight};
use crate::random::positions;
use crate::{chess, kin, makruk};
use halfmove_engine::{
    Bench, Evaluator, KeyedMakruk, Limits, Memory, Net, NetError, Random, Search, SearchBoard,
    StoppedClock,
};
use halfmove_rules::makruk::Rules;
use halfmove_rules::{AnyPosition, Color, Variant};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// A net for a game, with weights of all sizes.
fn net(variant: Variant) -> &'static Net {
    static NETS: [OnceLock<Net>; 2] = [OnceLock::new(), OnceLock::new()];
    let which = usize::from(variant == Variant::Makruk);
    NETS[which].get_or_init(|| Net::from_bytes(&small_of(which as u8)).expect("a net"))
}

fn for_white<B: SearchBoard>(net: &Net, position: &B) -> i32 {
    let value = net.value(position).expect("a game that it knows");
    if position.side_to_move() == Color::White { value } else { -value }
}

fn any_for_white(net: &Net, position: &AnyPosition) -> i32 {
    match position {
        AnyPosition::Chess(chess) => for_white(net, chess),
        AnyPosition::Makruk(makruk) => for_white(net, &KeyedMakruk::new(makruk.clone())),
    }
}

#[test]
fn swapped_colors_negate_the_value() {
    for variant in [Variant::Chess, Variant::Chess960, Variant::Makruk] {
        let net = net(if variant == Variant::Makruk { variant } else { Variant::Chess });
        let mut unequal = 0;
        positions(variant, 6, |position| {
            let value = any_for_white(net, position);
            assert_eq!(value, -any_for_white(net, &position.flipped()), "{position}");
            unequal += u32::from(value != 0);
        });
        assert!(unequal > 300, "{unequal}");
    }
}

/// Makruk has no castling, so a mirrored position is worth the same.
#[test]
fn a_mirror_image_is_worth_the_same() {
    let net = net(Variant::Makruk);
    let mut checked = 0;
    positions(Variant::Makruk, 6, |position| {
        // Mets that are promoted bia are marked; they have the same value.
        let fen = position.to_string().replace('~', "");
        let (ranks, rest) = fen.split_once(' ').expect("a side to move");
        let mirrored: Vec<String> =
            ranks.split('/').map(|rank| rank.chars().rev().collect()).collect();
        let mirrored = format!("{} {rest}", mirrored.join("/"));
        let mirrored = KeyedMakruk::new(makruk(&mirrored));
        assert_eq!(any_for_white(net, position), for_white(net, &mirrored), "{fen}");
        checked += 1;
    });
    assert!(checked > 300, "{checked}");
}

#[test]
fn other_games_do_without() {
    let makruk = net(Variant::Makruk);
    for (fen, rules, known) in [
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", Rules::Makruk, true),
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", Rules::Makpong, false),
        ("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1", Rules::Asean, false),
    ] {
        let position = KeyedMakruk::new(kin(fen, rules));
        assert_eq!(makruk.value(&position).is_some(), known, "{rules:?}");
        let memories = [Memory::new(1), Memory::new(1)];
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let search = |memory, evaluator| {
            let search = Search::new(memory).with_evaluator(evaluator);
            let answer = search.run(&position, &[], &limits, &mut |_| {});
            (answer.nodes, answer.value)
        };
        let same = search(&memories[0], Evaluator::HandCrafted)
            == search(&memories[1], Evaluator::Net(makruk));
        assert_eq!(same, !known, "{rules:?}");
    }
    assert_eq!(makruk.value(&chess("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")), None);
    let chess960 = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse::<halfmove_rules::Chess>();
    let chess960 = chess960.expect("a position").into_chess960();
    assert!(net(Variant::Chess).value(&chess960).is_some());
}

/// The endings apply: a position that cannot be won in the remaining moves is worth nothing.
#[test]
fn the_count_scales_the_lead() {
    let net = Net::built_in(Variant::Makruk).expect("a net of Makruk");
    let of = |ply: u32| {
        let fen = format!("8/8/3k4/8/3KR3/8/8/3R4 w - 32 {ply} 60");
        for_white(net, &KeyedMakruk::new(makruk(&fen)))
    };
    let all: Vec<_> = (9..=33).step_by(2).map(of).collect();
    assert!(all[0] != 0 && all.is_sorted_by_key(|value| -value.abs()), "{all:?}");
    assert_eq!(of(33), 0);
}

#[test]
fn a_net_comes_back() {
    for net in [net(Variant::Chess), net(Variant::Makruk)] {
        assert_eq!(Net::from_bytes(&net.to_bytes()).as_ref(), Ok(net));
    }
    let small = Net::from_bytes(&small()).expect("a net");
    assert_eq!((small.game(), small.hidden(), small.origin()), (Variant::Makruk, 32, "by me"));
}

#[test]
fn bytes_that_are_no_net_are_refused() {
    let good = small();
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        seal(&mut bytes);
        Net::from_bytes(&bytes).expect_err("not a net")
    };
    let (len, last) = (good.len(), good.len() - 1);
    assert_eq!(changed(0, b"halfnet1"), NetError::Magic);
    assert_eq!(changed(16, &[2]), NetError::Game(2));
    assert_eq!(changed(17, &[9]), NetError::Buckets(9));
    for hidden in [0_u16, 33, 31, 544, u16::MAX] {
        assert_eq!(changed(18, &hidden.to_le_bytes()), NetError::Hidden(hidden));
    }
    assert_eq!(
        changed(18, &64_u16.to_le_bytes()),
        NetError::Length { expected: len + 785 * 64, found: len }
    );
    assert_eq!(
        changed(20, &6_u32.to_le_bytes()),
        NetError::Length { expected: len + 1, found: len }
    );
    assert!(matches!(changed(20, &[255; 4]), NetError::Length { .. }));
    assert_eq!(changed(25, b"\n"), NetError::Text(25));
    assert_eq!(changed(26, &[0xff]), NetError::Text(26));
    for (row, found, most) in
        [(0, 501, 500), (768, -501, 500), (769, 128, 127), (785, i16::MIN, 32_767)]
    {
        let offset = weight(row);
        let error = changed(offset, &i16::to_le_bytes(found));
        assert_eq!(error, NetError::Weight { offset, most, found });
    }
    assert_eq!(Net::from_bytes(b"HalfNet1"), Err(NetError::Length { expected: 24, found: 8 }));
    let damaged = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        Net::from_bytes(&bytes)
    };
    for at in (8..len).step_by(997).chain([last]) {
        assert_eq!(damaged(at), Err(NetError::Checksum), "byte {at}");
    }
    for end in (16..len).step_by(991) {
        assert!(Net::from_bytes(&good[..end]).is_err(), "{end} bytes");
    }
}

/// Runs the body of the fuzz target on bytes from a generator and on the fuzzer's corpus.
#[test]
fn any_bytes_are_a_net_or_an_error() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let len = random.below(40);
        let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
        any_net(&bytes);
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/net");
    let mut files = 0;
    for entry in fs::read_dir(corpus).expect("a folder of inputs") {
        any_net(&fs::read(entry.expect("an entry").path()).expect("an input"));
        files += 1;
    }
    assert!(files > 10, "{files}");
}

#[test]
fn the_options_choose_the_net() {
    let folder = std::env::temp_dir().join(format!("halfmove-net-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let [good, bad] = ["good.net", "bad.net"].map(|name| folder.join(name));
    fs::write(&good, net(Variant::Makruk).to_bytes()).expect("a file");
    fs::write(&bad, "no net").expect("a file");

    let mut gui = Gui::start();
    let mut complaint = |line: &str| {
        gui.send(line);
        let answer = gui.line().expect("an answer");
        answer.strip_prefix("info string error: setoption: ").map(str::to_owned)
    };
    assert_eq!(
        complaint("setoption name Evaluation value best").as_deref(),
        Some("Evaluation: \"best\", expected hand or net")
    );
    let file = bad.display();
    assert_eq!(
        complaint(&format!("setoption name EvalFile value {file}")),
        Some(format!("EvalFile: {file}: not a net: expected \"HalfNet1\" at its beginning"))
    );
    let missing = complaint("setoption name EvalFile value /no/such/file").expect("an error");
    assert!(missing.starts_with("EvalFile: /no/such/file: "), "{missing}");

    gui.send(&format!("setoption name EvalFile value {}", good.display()));
    gui.send("setoption name UCI_Variant value makruk");
    gui.send("position fen 8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1");
    let position = "8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1";
    let expected = for_white(net(Variant::Makruk), &KeyedMakruk::new(makruk(position)));
    gui.send("eval");
    let lines = gui.until("the net's value");
    assert_eq!(lines.last(), Some(&format!("the net's value for White: {expected} centipawns")));
    let mut nodes = |option: &str| {
        gui.send(option);
        gui.send("bench 4 makruk");
        let line = gui.line().expect("an answer");
        line.split(' ').next().and_then(|nodes| nodes.parse::<u64>().ok()).expect("nodes")
    };
    let bench = Bench { depth: 4, chess: false, ..Bench::default() };
    let built_in = bench.run(&StoppedClock).nodes;
    let hand_crafted = bench.run_with(Evaluator::HandCrafted, &StoppedClock).nodes;
    let by_net = bench.run_with(Evaluator::Net(net(Variant::Makruk)), &StoppedClock).nodes;
    assert!(built_in != hand_crafted && hand_crafted != by_net && built_in != by_net);
    assert_eq!(nodes("setoption name Evaluation value hand"), hand_crafted);
    assert_eq!(nodes("setoption name Evaluation value net"), by_net);
    assert_eq!(nodes("setoption name EvalFile value <empty>"), built_in);
    fs::remove_dir_all(&folder).expect("the folder");
}
