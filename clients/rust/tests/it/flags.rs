//! The commands as they are started: flags that do not do are explained in one line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::Folder;

const BOTS: [&str; 2] = [env!("CARGO_BIN_EXE_random"), env!("CARGO_BIN_EXE_sensible")];

fn start(bot: &str, home: &Path, flags: &[&str]) -> Output {
    let mut command = Command::new(bot);
    command.args(flags).env("HOME", home).env_remove("EUCHRE_TOKEN").env_remove("XDG_STATE_HOME");
    command.output().expect("the bot starts")
}

fn stderr(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[test]
fn a_flag_that_cannot_be_used_is_explained_in_one_line() {
    let folder = Folder::new();
    let (token, empty, open) = (folder.file("token"), folder.file("empty"), folder.file("open"));
    fs::write(&token, "abc-123\n").unwrap();
    fs::write(&empty, "\n").unwrap();
    fs::write(&open, "no key\n").unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).unwrap();
    let [token, empty, open] = [&token, &empty, &open].map(|path| path.to_str().unwrap());
    let wrong: [(&[&str], &str); 13] = [
        (&[], "EUCHRE_TOKEN holds no token"),
        (&["--token-file", "/nowhere"], "cannot read the token '/nowhere': No such file"),
        (&["--token-file", empty], "holds no token"),
        (&["--referee", "example.org:443"], "only over TLS"),
        (&["--token-file", token, "--ca", "/nowhere"], "cannot read the authority '/nowhere'"),
        (&["--token-file", token, "--cert", token], "--cert, --cert-key and --ca go together"),
        (&["--token-file", token, "--ca", token, "--cert", token], "go together"),
        (&["--token-file", token, "--name", "a+b"], "not a name for a bot: 'a+b'"),
        (&["--token-file", token, "--level", "signs"], "do not go together"),
        (&["--token-file", token, "--seat-key", open], "run chmod 600"),
        (&["--token-file", token, "--key", "x"], "not a referee key: 'x'"),
        (&["--invitation", "ABC"], "--invitation needs --token-file"),
        (&["--token-file", token, "--insecure", "--referee", "no place"], "not an address"),
    ];
    for (flags, words) in wrong {
        for bot in BOTS {
            let done = start(bot, &folder.0, flags);
            let said = stderr(&done);
            assert_eq!(done.status.code(), Some(2), "{flags:?}: {said}");
            assert!(said.starts_with("euchre-bot: ") && said.contains(words), "{flags:?}: {said}");
            assert_eq!(said.lines().count(), 1, "{flags:?}: {said}");
        }
    }
}

#[test]
fn a_seat_key_that_is_no_key_is_refused_without_showing_it() {
    let folder = Folder::new();
    let (token, key) = (folder.file("token"), folder.file("key.pem"));
    fs::write(&token, "abc-123\n").unwrap();
    fs::write(&key, "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let flags = ["--token-file", token.to_str().unwrap(), "--seat-key", key.to_str().unwrap()];
    let done = start(BOTS[0], &folder.0, &flags);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("holds no Ed25519 key in PKCS8 PEM form"), "{}", stderr(&done));
    assert!(!stderr(&done).contains("c2VjcmV0"));
}

#[test]
fn an_unknown_flag_or_level_is_a_matter_of_usage() {
    let folder = Folder::new();
    for flags in [&["--nonsense"][..], &["--level", "perhaps"], &["extra"]] {
        for bot in BOTS {
            assert_eq!(start(bot, &folder.0, flags).status.code(), Some(2), "{flags:?}");
        }
    }
}

#[test]
fn help_names_every_flag() {
    let folder = Folder::new();
    for bot in BOTS {
        let done = start(bot, &folder.0, &["--help"]);
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!(done.status.code(), Some(0));
        for flag in [
            "--referee",
            "--token-file",
            "--invitation",
            "--name",
            "--level",
            "--seat-key",
            "--secret-file",
            "--state-file",
            "--receipts",
            "--key",
            "--referee-key",
            "--ca",
            "--cert",
            "--cert-key",
            "--insecure",
        ] {
            assert!(said.contains(flag), "{flag} is missing: {said}");
        }
    }
}
