//! JSON documents, element by element, in bounded memory.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;

use super::ForeignError;

/// The longest accepted record, in bytes of the file.
pub(super) const MAX_RECORD: usize = 64 << 20;

pub(super) fn too_long(what: &str) -> String {
    format!("the {what} is longer than {MAX_RECORD} bytes")
}

/// The position of a value: a member of the document, and the index in its array.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// Empty for an array without a name.
    pub(super) member: String,
    /// `None` for a member that is not an array.
    pub(super) index: Option<usize>,
    /// The line of the end of the value.
    pub(super) line: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "line {}: {}[{index}]", self.line, self.member),
            None => write!(f, "line {}: {}", self.line, self.member),
        }
    }
}

/// Reads a document that is an array, or an object with arrays. `visit` receives every element of these arrays, and every
/// other member as a whole.
///
/// # Errors
/// [`ForeignError`] with the line; the error of `visit`.
pub(super) fn read(
    file: impl Read,
    visit: &mut dyn FnMut(&Position, Value) -> Result<(), ForeignError>,
) -> Result<(), ForeignError> {
    let meter = Rc::new(Meter { left: Cell::new(MAX_RECORD), line: Cell::new(1) });
    let metered = Metered { file, meter: Rc::clone(&meter) };
    let mut deserializer = serde_json::Deserializer::from_reader(metered);
    let mut walk = Walk { meter: &meter, visit, failed: None };
    let read = walk.document(&mut deserializer).and_then(|()| deserializer.end());
    match (walk.failed, read) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => Err(fault(&meter, &error)),
    }
}

fn fault(meter: &Meter, error: &serde_json::Error) -> ForeignError {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
    let line = if error.line() == 0 { meter.line.get() } else { error.line() as u64 };
    let reason = match error.is_io() || error.is_data() {
        true => reason.to_owned(),
        false => format!("it is not JSON: {reason}"),
    };
    ForeignError::record(format!("line {line}"), reason)
}

/// The bytes that the current element may still have, and the current line.
struct Meter {
    left: Cell<usize>,
    line: Cell<u64>,
}

struct Metered<R> {
    file: R,
    meter: Rc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.meter.left.get();
        if left == 0 {
            return Err(io::Error::other(too_long("record")));
        }
        let most = buffer.len().min(left);
        let read = self.file.read(&mut buffer[..most])?;
        self.meter.left.set(left - read);
        let breaks = buffer[..read].iter().filter(|byte| **byte == b'\n').count();
        self.meter.line.set(self.meter.line.get() + breaks as u64);
        Ok(read)
    }
}

struct Walk<'w> {
    meter: &'w Meter,
    visit: &'w mut dyn FnMut(&Position, Value) -> Result<(), ForeignError>,
    failed: Option<ForeignError>,
}

impl Walk<'_> {
    fn document<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(Document(self))
    }

    fn give<E: de::Error>(&mut self, member: &str, index: Option<usize>, value: Value) -> Result<(), E> {
        let position = Position { member: member.to_owned(), index, line: self.meter.line.get() };
        self.meter.left.set(MAX_RECORD);
        (self.visit)(&position, value).map_err(|error| {
            self.failed = Some(error);
            E::custom("refused")
        })
    }

    fn elements<'de, A: SeqAccess<'de>>(&mut self, member: &str, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(value) = list.next_element::<Value>()? {
            self.give(member, Some(index), value)?;
            index += 1;
        }
        Ok(())
    }
}

/// The document: an array or an object.
struct Document<'d, 'w>(&'d mut Walk<'w>);

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.0.elements("", list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            members.next_value_seed(Member { walk: self.0, name: &name })?;
        }
        Ok(())
    }
}

/// A member of the document.
struct Member<'d, 'w> {
    walk: &'d mut Walk<'w>,
    name: &'d str,
}

impl<'de> DeserializeSeed<'de> for Member<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Member<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.walk.elements(self.name, list)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        let value = Value::deserialize(MapAccessDeserializer::new(members))?;
        self.walk.give(self.name, None, value)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.walk.give(self.name, None, Value::from(text))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.walk.give(self.name, None, Value::from(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.walk.give(self.name, None, Value::from(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.walk.give(self.name, None, Value::from(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.walk.give(self.name, None, Value::from(value))
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.walk.give(self.name, None, Value::Null)
    }
}
