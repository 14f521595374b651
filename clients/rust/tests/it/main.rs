//! The client against the shared vectors, and its files, flags and duties.

mod decisions;
mod derivation;
mod events;
mod files;
mod flags;
mod table;
mod witness;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A file of the repository, parsed.
fn vectors(path: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(&path).expect("the shared vectors lie in the repository");
    serde_json::from_str(&text).expect("vectors are JSON")
}

/// The cases of a file of vectors.
fn cases(path: &str) -> Vec<Value> {
    let cases = vectors(path)["cases"].as_array().cloned().unwrap_or_default();
    assert!(!cases.is_empty(), "{path} holds no case");
    cases
}

/// A folder of the test's own, removed when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("euchre-bot-{}-{next}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a test has a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
