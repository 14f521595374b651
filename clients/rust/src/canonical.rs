//! The events of a match as bytes: restricted canonical JSON, read strictly.

use serde_json::{Map, Value};

use crate::error::{BotError, Result, proof, quoted};
use crate::hex;
use crate::seal::{Hash, Opened};
use crate::seat::Seat;

const LARGEST: u64 = (1 << 53) - 1;
const DEPTH: usize = 6;

/// The one spelling of a value.
#[must_use]
pub fn dump(value: &Value) -> Vec<u8> {
    // serde_json keeps the keys of an object sorted, and nothing that is allowed needs an escape.
    value.to_string().into_bytes()
}

/// Whether a value has a spelling at all.
#[must_use]
pub fn is_canonical(value: &Value) -> bool {
    allowed(value, 0)
}

fn allowed(value: &Value, depth: usize) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(_) => true,
        Value::Number(number) => number.as_u64().is_some_and(|n| n <= LARGEST),
        Value::String(text) => is_text(text),
        Value::Array(items) => depth < DEPTH && items.iter().all(|item| allowed(item, depth + 1)),
        Value::Object(fields) => {
            depth < DEPTH
                && fields.iter().all(|(key, item)| is_key(key) && allowed(item, depth + 1))
        }
    }
}

fn is_text(text: &str) -> bool {
    text.bytes().all(|c| matches!(c, b' '..=b'~') && !matches!(c, b'"' | b'\\'))
}

fn is_key(text: &str) -> bool {
    text.len() <= 32
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// The fields of an event, read with their types; a wrong one is an error that names its place.
#[derive(Clone, Debug)]
pub struct Fields {
    /// Where they stand, as `event 7 (action)`.
    pub place: String,
    values: Map<String, Value>,
}

impl Fields {
    /// The fields of an event that is spelt in the one allowed way.
    pub fn parse(place: &str, event: &[u8]) -> Result<Self> {
        let not_json = || proof(format!("{place} is not JSON in ASCII"));
        if !event.is_ascii() {
            return Err(not_json());
        }
        let value: Value = serde_json::from_slice(event).map_err(|_| not_json())?;
        if !is_canonical(&value) || dump(&value) != event {
            return Err(proof(format!("{place} is not an object in canonical form")));
        }
        match value {
            Value::Object(values) => Ok(Self { place: place.to_owned(), values }),
            _ => Err(proof(format!("{place} is not an object in canonical form"))),
        }
    }

    /// The same fields under a better name for their place.
    #[must_use]
    pub fn at(self, place: String) -> Self {
        Self { place, ..self }
    }

    /// Whether there is such a field.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    fn get(&self, key: &str) -> Result<&Value> {
        self.values.get(key).ok_or_else(|| proof(format!("{} has no {key}", self.place)))
    }

    fn wrong(&self, key: &str, wanted: &str) -> BotError {
        proof(format!("{}: {key} is not {wanted}", self.place))
    }

    /// What is read where the field is there.
    pub fn maybe<T>(
        &self,
        key: &str,
        read: impl Fn(&Self, &str) -> Result<T>,
    ) -> Result<Option<T>> {
        if self.has(key) { read(self, key).map(Some) } else { Ok(None) }
    }

    /// A string.
    pub fn text(&self, key: &str) -> Result<&str> {
        self.get(key)?.as_str().ok_or_else(|| self.wrong(key, "a string"))
    }

    /// True or false.
    pub fn truth(&self, key: &str) -> Result<bool> {
        self.get(key)?.as_bool().ok_or_else(|| self.wrong(key, "true or false"))
    }

    /// A whole number of 32 bits, as all are that the seal hashes.
    pub fn number(&self, key: &str) -> Result<u32> {
        number_of(self.get(key)?).ok_or_else(|| self.wrong(key, "a number"))
    }

    /// A seat, from its word.
    pub fn seat(&self, key: &str) -> Result<Seat> {
        let word = self.text(key)?;
        Seat::from_word(word)
            .ok_or_else(|| self.wrong(key, &format!("a seat but {}", quoted(word))))
    }

    /// The bytes of a hash, a key or another field of fixed length.
    pub fn octets<const N: usize>(&self, key: &str) -> Result<[u8; N]> {
        let found = self.octets_of(key, self.get(key)?, &[N])?;
        found.try_into().map_err(|_| self.wrong(key, "of its length"))
    }

    /// A list of so many byte strings, each of one of the sizes.
    pub fn octets_list(&self, key: &str, count: usize, sizes: &[usize]) -> Result<Vec<Vec<u8>>> {
        let items = self.list(key)?;
        if items.len() != count {
            return Err(self.wrong(key, &format!("a list of {count} but of {}", items.len())));
        }
        items.iter().map(|item| self.octets_of(key, item, sizes)).collect()
    }

    /// A list of so many hashes.
    pub fn hashes(&self, key: &str, count: usize) -> Result<Vec<Hash>> {
        let found = self.octets_list(key, count, &[size_of::<Hash>()])?;
        found
            .into_iter()
            .map(|octets| octets.try_into().map_err(|_| self.wrong(key, "a list of hashes")))
            .collect()
    }

    fn octets_of(&self, key: &str, value: &Value, sizes: &[usize]) -> Result<Vec<u8>> {
        let found = value.as_str().and_then(hex::decode);
        found.filter(|octets| sizes.contains(&octets.len())).ok_or_else(|| {
            let sizes: Vec<_> = sizes.iter().map(ToString::to_string).collect();
            self.wrong(key, &format!("{} bytes in lower-case hex", sizes.join(" or ")))
        })
    }

    fn list(&self, key: &str) -> Result<&[Value]> {
        self.get(key)?.as_array().map(Vec::as_slice).ok_or_else(|| self.wrong(key, "a list"))
    }

    /// A list of whole numbers.
    pub fn numbers(&self, key: &str) -> Result<Vec<u32>> {
        let found: Option<Vec<_>> = self.list(key)?.iter().map(number_of).collect();
        found.ok_or_else(|| self.wrong(key, "a list of numbers"))
    }

    /// An object.
    pub fn child(&self, key: &str) -> Result<Self> {
        match self.get(key)? {
            Value::Object(values) => {
                Ok(Self { place: format!("{}, {key}", self.place), values: values.clone() })
            }
            _ => Err(self.wrong(key, "an object")),
        }
    }

    /// A list of objects.
    pub fn children(&self, key: &str) -> Result<Vec<Self>> {
        let objects = self.list(key)?.iter().enumerate().map(|(n, item)| match item {
            Value::Object(values) => {
                Ok(Self { place: format!("{}, {key} {n}", self.place), values: values.clone() })
            }
            _ => Err(self.wrong(key, "a list of objects")),
        });
        objects.collect()
    }

    /// A list of objects; none where the field is absent.
    pub fn children_if_any(&self, key: &str) -> Result<Vec<Self>> {
        Ok(self.maybe(key, Self::children)?.unwrap_or_default())
    }

    /// The whole object, where every value is a string.
    pub fn texts(&self) -> Result<Vec<(String, String)>> {
        let pairs = self.values.keys().map(|key| Ok((key.clone(), self.text(key)?.to_owned())));
        pairs.collect()
    }

    /// A card with its salt.
    pub fn opened(&self) -> Result<Opened> {
        Ok(Opened {
            position: self.number("position")?,
            card: self.text("card")?.to_owned(),
            salt: self.octets::<32>("salt")?.to_vec(),
        })
    }
}

fn number_of(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}
