//! Ed25519 keys and signatures: the referee's, in the form that players pin, and a seat's own.

use std::fmt;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::pkcs8::DecodePrivateKey;
use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};

use crate::error::{Result, quoted, usage};
use crate::files::{LONGEST, read_private_file};
use crate::hex;
use crate::seal::tagged_hash;

/// How long a signature is.
pub const SIGNATURE_BYTES: usize = 64;

/// 2^255 - 19, little endian.
const P: [u8; 32] = {
    let mut bytes = [0xff; 32];
    bytes[0] = 0xed;
    bytes[31] = 0x7f;
    bytes
};
/// The order of the base point, little endian.
const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];
/// The y of the eight points of small order: under such a key one signature fits any message.
const SMALL_ORDER_Y: [&str; 5] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
];

/// Whether `a` is less than `b`, both little endian.
fn less(a: &[u8], b: &[u8]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// The y of an encoded point: all but the sign bit of x.
fn y_of(point: &[u8; 32]) -> [u8; 32] {
    let mut y = *point;
    y[31] &= 0x7f;
    y
}

/// The 32 bytes of a key that can be trusted to mean one signer.
fn sound(public: &[u8]) -> Option<[u8; 32]> {
    let key: [u8; 32] = public.try_into().ok()?;
    let y = y_of(&key);
    (less(&y, &P) && !SMALL_ORDER_Y.contains(&hex::encode(&y).as_str())).then_some(key)
}

/// Whether bytes are a public key that can be trusted to mean one signer.
#[must_use]
pub fn usable_key(public: &[u8]) -> bool {
    sound(public).is_some()
}

/// Whether a signature is this key's over the message; malleable forms are refused.
#[must_use]
pub fn verifies(public: &[u8], signature: &[u8], message: &[u8]) -> bool {
    let Ok(bytes) = <[u8; SIGNATURE_BYTES]>::try_from(signature) else { return false };
    let Some(key) = sound(public).and_then(|key| VerifyingKey::from_bytes(&key).ok()) else {
        return false;
    };
    let Some((r, s)) = bytes.split_first_chunk::<32>() else { return false };
    less(&y_of(r), &P) && less(s, &L) && key.verify(message, &Signature::from_bytes(&bytes)).is_ok()
}

/// The short id of a named key, in hex.
#[must_use]
pub fn key_id(name: &str, public: &[u8]) -> String {
    hex::encode(&tagged_hash("key-id", &[name.as_bytes(), public])[..4])
}

/// Whether a text can be the name of a key or a bot: 1 to 32 printable ASCII characters without
/// space, `"`, `\` and `+`.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text.bytes().all(|c| c.is_ascii_graphic() && !matches!(c, b'"' | b'\\' | b'+'))
}

/// A key with the name that its holder gave it; its text is `name+id+base64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The holder's name.
    pub name: String,
    /// The 32 bytes.
    pub public: Vec<u8>,
}

impl PublicKey {
    /// The key in the form `name+id+base64`; anything else is an error that says what is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        const FORM: &str = "write name+id+base64, as the referee prints it";
        let wrong = |why: &str| usage(format!("not a referee key: {}{why} ({FORM})", quoted(text)));
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(short), Some(encoded)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong(""));
        };
        if !is_name(name) {
            return Err(wrong(""));
        }
        let public = BASE64_STANDARD.decode(encoded).map_err(|_| wrong(" has no base64"))?;
        if !usable_key(&public) || BASE64_STANDARD.encode(&public) != encoded {
            return Err(wrong(" holds no Ed25519 key"));
        }
        let own = key_id(name, &public);
        if own != short {
            return Err(usage(format!(
                "the referee key {} has the id {} of another key (copy it again; its own id is {own})",
                quoted(text),
                quoted(short),
            )));
        }
        Ok(Self { name: name.to_owned(), public })
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = BASE64_STANDARD.encode(&self.public);
        write!(out, "{}+{}+{encoded}", self.name, key_id(&self.name, &self.public))
    }
}

/// A seat's private key; nothing but its public half is ever shown.
pub struct SeatKey(SigningKey);

impl fmt::Debug for SeatKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SeatKey({})", hex::encode(&self.public()))
    }
}

impl SeatKey {
    /// The key in a PKCS8 PEM file, as `euchre-referee keygen` writes it.
    pub fn load(path: &Path) -> Result<Self> {
        let shown = quoted(path.display());
        let bytes = read_private_file(path, "the key", LONGEST)?;
        let pem = String::from_utf8_lossy(&bytes);
        SigningKey::from_pkcs8_pem(&pem).map(Self).map_err(|_| {
            usage(format!(
                "{shown} holds no Ed25519 key in PKCS8 PEM form (make one with euchre-referee keygen)"
            ))
        })
    }

    /// The 32 bytes of the public half.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    /// The 64 bytes of the signature.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).to_bytes().to_vec()
    }
}
