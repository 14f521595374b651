//! A bot that picks among the legal actions by a hash: repeatable, and no better than chance.

use sha2::{Digest, Sha256};

use crate::view::View;

/// The answer to one question: always alike for one seed, and another for another.
#[must_use]
pub fn choose(seed: &str, view: &View, legal: &[String]) -> String {
    let place = format!("{seed}/{}/{}/{}", view.id, view.state_version + 1, view.seat);
    let ascii: Vec<u8> = place.chars().map(|c| if c.is_ascii() { c as u8 } else { b'?' }).collect();
    let digest: [u8; 32] = Sha256::digest(&ascii).into();
    let [a, b, c, d, ..] = digest;
    let mut sorted: Vec<_> = legal.iter().collect();
    sorted.sort_unstable();
    let count = sorted.len().max(1) as u64;
    let picked = u64::from(u32::from_be_bytes([a, b, c, d])) % count;
    usize::try_from(picked)
        .ok()
        .and_then(|at| sorted.get(at))
        .map_or_else(String::new, |action| (*action).clone())
}
