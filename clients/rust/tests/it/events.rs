//! Events, keys and signatures: what is read, and what is refused.

use euchre_bot::events::EventChain;
use euchre_bot::keys::{PublicKey, key_id, usable_key, verifies};
use euchre_bot::{BotError, hex};
use serde_json::Value;

use crate::cases;

/// The lines of a file of the transcript vectors, each as its event and its signature.
fn lines(case: &Value, all: &[Value]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let base = all.iter().find(|other| other["id"] == case["base"]);
    let line = |item: &Value| match item.as_u64() {
        None => item.as_str().map(str::to_owned),
        Some(n) => base?["input"][n as usize].as_str().map(str::to_owned),
    };
    let cut = |line: String| {
        let (event, sig) = line.strip_prefix("{\"event\":")?.rsplit_once(",\"sig\":\"")?;
        let event = event.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<_>>>()?;
        // A signature that is no lower-case hex cannot come over the wire, where it is bytes.
        Some((event, hex::decode(sig.strip_suffix("\"}")?).unwrap_or_default()))
    };
    let input = case["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    input.iter().filter_map(line).filter_map(cut).collect()
}

fn follow(lines: &[(Vec<u8>, Vec<u8>)]) -> Result<(), BotError> {
    let mut chain = EventChain::default();
    lines.iter().try_for_each(|(event, sig)| chain.take(event, sig).map(|_| ()))
}

#[test]
fn the_chain_of_every_sound_transcript_is_followed_to_its_end() {
    let all = cases("tests/vectors/transcripts-v1.json");
    let sound = |case: &&Value| {
        let flagged = |flag: &str| {
            case["flags"].as_array().is_some_and(|flags| flags.iter().any(|f| f == flag))
        };
        case["exit"] == 0 && !flagged("proof") && !flagged("board")
    };
    for case in all.iter().filter(sound) {
        let lines = lines(case, &all);
        assert!(lines.len() >= 4, "{}", case["id"]);
        assert_eq!(follow(&lines), Ok(()), "{}", case["id"]);
    }
}

#[test]
fn a_transcript_of_broken_form_chain_signature_or_key_is_refused() {
    let all = cases("tests/vectors/transcripts-v1.json");
    let broken = [
        "flipped-card",
        "deleted",
        "doubled",
        "swapped",
        "another-match",
        "sig-missing",
        "sig-wrong",
        "sig-s-plus-l",
        "sig-r-not-reduced",
        "key-none-verifies",
        "key-identity",
        "key-small-order",
        "key-not-reduced",
        "form-space",
        "form-leading-zero",
        "form-float",
        "form-exponent",
        "form-negative",
        "form-null",
        "form-too-large",
        "form-twice",
        "form-unsorted",
        "form-escape",
        "form-tab",
        "form-non-ascii",
        "form-deep",
        "no-match-open",
    ];
    for id in broken {
        let case = all.iter().find(|case| case["id"] == id).expect("the case is there");
        let lines = lines(case, &all);
        assert!(!lines.is_empty(), "{id}");
        assert!(matches!(follow(&lines), Err(BotError::DealProof(_))), "{id}");
    }
}

const SOUND: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

#[test]
fn keys_of_small_order_and_keys_that_are_not_reduced_are_refused() {
    assert!(usable_key(&hex::decode(SOUND).expect("hex")));
    for key in [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "d75a98",
    ] {
        assert!(!usable_key(&hex::decode(key).expect("hex")), "{key}");
    }
}

#[test]
fn a_signature_whose_s_is_not_reduced_is_refused() {
    // RFC 8032, section 7.1, test 1: the empty message.
    let sig = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac\
               c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
    let larger = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901554c8c7872aa064e\
                  049dbb3013fbf29380d25bf5f0595bbe24655141438e7a101b";
    let (key, sig, larger) =
        (hex::decode(SOUND).unwrap(), hex::decode(sig).unwrap(), hex::decode(larger).unwrap());
    assert!(verifies(&key, &sig, b""));
    assert!(!verifies(&key, &larger, b""));
    assert!(!verifies(&key, &sig[..63], b""));
    assert!(!verifies(&key, &sig, b"x"));
}

#[test]
fn the_text_of_a_key_comes_back_as_it_was_written() {
    let key = PublicKey { name: "table-one".to_owned(), public: hex::decode(SOUND).unwrap() };
    assert_eq!(PublicKey::parse(&key.to_string()), Ok(key));
}

#[test]
fn a_key_text_that_is_none_is_explained() {
    let sound = hex::decode(SOUND).unwrap();
    let text = PublicKey { name: "ref".to_owned(), public: sound.clone() }.to_string();
    let encoded = text.rsplit('+').next().unwrap();
    let short = key_id("ref", &sound);
    for (text, words) in [
        (String::new(), "write name"),
        ("referee".to_owned(), "write name"),
        (format!("ref+12345678+{encoded}"), "of another key"),
        (format!("ref+{short}+{}", &encoded[..43]), "no base64"),
        ("ref+12345678+AAAA".to_owned(), "no Ed25519 key"),
        (format!("re\u{e9}+12345678+{encoded}"), "write name"),
    ] {
        let said = PublicKey::parse(&text).expect_err(&text);
        assert_eq!(said.exit_code(), 2);
        assert!(said.to_string().contains(words), "{said}");
    }
}
