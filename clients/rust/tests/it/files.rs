//! Secrets and state files: what is kept, and what is refused.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use euchre_bot::Seat;
use euchre_bot::files::{StateFile, load_secret};

use crate::Folder;

const MATCH: [u8; 16] = [0; 16];
const R0: [u8; 32] = [b'0'; 32];

fn north(path: &Path) -> StateFile {
    StateFile::open(path, Some(Seat::North)).expect("the state opens")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("the file is there").permissions().mode() & 0o777
}

fn said<T>(result: euchre_bot::Result<T>) -> (u8, String) {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(err) => (err.exit_code(), err.to_string()),
    }
}

#[test]
fn a_secret_is_made_once_and_is_private() {
    let folder = Folder::new();
    let path = folder.file("deep").join("secret");
    let secret = load_secret(&path).expect("a secret is made");
    assert_eq!(load_secret(&path), Ok(secret));
    assert_eq!(mode(&path), 0o600);
    let left = fs::read_dir(folder.file("deep")).expect("the folder is there").count();
    assert_eq!(left, 1);
}

#[test]
fn a_secret_that_others_may_read_is_refused() {
    let folder = Folder::new();
    let path = folder.file("secret");
    load_secret(&path).expect("a secret is made");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is opened up");
    let (code, words) = said(load_secret(&path));
    assert_eq!(code, 2);
    assert!(words.contains("run chmod 600"), "{words}");
}

#[test]
fn a_damaged_secret_is_refused_and_not_shown() {
    let folder = Folder::new();
    let path = folder.file("secret");
    load_secret(&path).expect("a secret is made");
    fs::write(&path, "abcdef\n").expect("it is damaged");
    let (code, words) = said(load_secret(&path));
    assert_eq!(code, 2);
    assert!(words.contains("64 hex digits") && !words.contains("abcdef"), "{words}");
}

#[test]
fn the_state_is_private_and_known_to_the_next_process() {
    let folder = Folder::new();
    let path = folder.file("state.jsonl");
    let mut first = north(&path);
    assert_eq!(first.promise(&MATCH, &R0, 3, Some(7)), Ok(Some(7)));
    assert_eq!(first.answer(&MATCH, 3, &[b'c'; 32]), Ok(()));
    drop(first);
    assert_eq!(mode(&path), 0o600);
    let mut second = north(&path);
    assert_eq!(second.promise(&MATCH, &R0, 3, Some(8)), Ok(Some(7)));
    assert_eq!(second.promised_cut(&MATCH, 3), Ok(Some(7)));
    assert_eq!(second.answer(&MATCH, 3, &[b'c'; 32]), Ok(()));
    let (code, words) = said(second.answer(&MATCH, 3, &[b'd'; 32]));
    assert_eq!(code, 3);
    assert!(words.contains("second commit set"), "{words}");
}

#[test]
fn the_lines_of_the_state_are_those_of_the_other_clients() {
    let folder = Folder::new();
    let path = folder.file("state.jsonl");
    let mut state = north(&path);
    state.promise(&MATCH, &R0, 1, None).expect("it is promised");
    state.promise(&MATCH, &R0, 2, Some(7)).expect("it is promised");
    state.answer(&MATCH, 2, &[0xcc; 32]).expect("it is answered");
    let id = "00".repeat(16);
    let (r0, cset) = ("30".repeat(32), "cc".repeat(32));
    let expected = format!(
        "{{\"deal\":1,\"match\":\"{id}\",\"r0\":\"{r0}\",\"seat\":\"north\"}}\n\
         {{\"cut\":7,\"deal\":2,\"match\":\"{id}\",\"r0\":\"{r0}\",\"seat\":\"north\"}}\n\
         {{\"cset\":\"{cset}\",\"deal\":2,\"match\":\"{id}\"}}\n"
    );
    assert_eq!(fs::read_to_string(&path).expect("the state is text"), expected);
}

#[test]
fn two_processes_that_share_a_state_see_each_other() {
    let folder = Folder::new();
    let path = folder.file("state.jsonl");
    let (mut one, mut two) = (north(&path), north(&path));
    one.answer(&MATCH, 1, &[1; 32]).expect("it is the first");
    assert_eq!(said(two.answer(&MATCH, 1, &[2; 32])).0, 3);
    two.answer(&MATCH, 2, &[2; 32]).expect("it is the first");
    assert_eq!(said(one.answer(&MATCH, 2, &[3; 32])).0, 3);
}

#[test]
fn a_promise_under_another_chain_is_refused() {
    let folder = Folder::new();
    let mut state = north(&folder.file("state.jsonl"));
    state.promise(&MATCH, &R0, 1, None).expect("it is promised");
    let (code, words) = said(state.promise(&MATCH, &[b'1'; 32], 2, None));
    assert_eq!(code, 3);
    assert!(words.contains("another r0"), "{words}");
}

#[test]
fn the_state_of_one_seat_is_refused_to_another_in_the_same_match() {
    let folder = Folder::new();
    let path = folder.file("state.jsonl");
    let mut other = StateFile::open(&path, Some(Seat::East)).expect("the state opens");
    north(&path).promise(&MATCH, &R0, 1, None).expect("it is promised");
    let (code, words) = said(other.check_match(&MATCH, &R0));
    assert_eq!(code, 2);
    assert!(words.contains("that of north in this match"), "{words}");
    assert_eq!(other.check_match(&[9; 16], &R0), Ok(()));
}

#[test]
fn a_torn_last_line_counts_for_nothing_and_is_left_where_it_is() {
    let folder = Folder::new();
    let path = folder.file("state.jsonl");
    north(&path).promise(&MATCH, &R0, 1, Some(4)).expect("it is promised");
    let whole = fs::read_to_string(&path).expect("the state is text");
    fs::write(&path, format!("{whole}{{\"match\":\"00")).expect("a line is torn");
    let mut state = north(&path);
    assert_eq!(state.promise(&MATCH, &R0, 1, Some(9)), Ok(Some(4)));
    assert_eq!(state.promise(&MATCH, &R0, 2, Some(5)), Ok(Some(5)));
    let kept = fs::read_to_string(&path).expect("the state is text");
    assert_eq!(kept.lines().count(), 3);
    assert_eq!(north(&path).promised_cut(&MATCH, 2), Ok(Some(5)));
    assert!(kept.starts_with(&whole) && kept.ends_with("\"seat\":\"north\"}\n"), "{kept}");
}

#[test]
fn a_foreign_line_is_an_error_that_names_the_file() {
    let folder = Folder::new();
    let path = folder.file("state.jsonl");
    drop(north(&path));
    fs::write(&path, "hello\n").expect("a line is written");
    let (code, words) = said(StateFile::open(&path, Some(Seat::North)));
    assert_eq!(code, 2);
    assert!(words.contains("state.jsonl' holds a line that is not ours: 'hello'"), "{words}");
}
