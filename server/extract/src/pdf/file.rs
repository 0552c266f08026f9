//! The objects of a PDF file. They are found by their marks (`12 0 obj`), not by the file's own tables, which may be
//! damaged or false; the last object with a number counts, as after an update of the file.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::budget::Budget;
use super::filter::{self, Decoded};
use super::lexer::{Lexer, Token, decimal, is_space};
use super::object::{Dict, Object, Parser};
use crate::{ExtractError, Limits};

const OBJECTS_LIMIT: usize = 1_000_000;
const FILTERS_LIMIT: usize = 8;
/// Steps from reference to reference.
const REFERENCES_LIMIT: usize = 16;
/// Estimated memory of the objects in the cache.
const CACHED_BYTES: usize = 32 * 1024 * 1024;
const PART_BYTES: usize = 64;

#[derive(Debug, Clone, Copy)]
enum Location {
    /// Behind `obj`.
    File(usize),
    Member {
        container: usize,
        at: usize,
    },
}

pub(super) struct File<'a> {
    data: &'a [u8],
    pub(super) budget: Budget,
    objects: HashMap<u32, Location>,
    containers: Vec<Vec<u8>>,
    cache: RefCell<HashMap<u32, Object>>,
    cached_bytes: Cell<usize>,
    root: Option<u32>,
    info: Option<u32>,
}

/// The dictionary and the encoded data of a stream.
type RawStream<'a> = (Rc<Dict>, &'a [u8]);

/// What one pass over the file finds outside streams.
#[derive(Default)]
struct Marks {
    /// Number and position behind `obj`, in the order of the file.
    objects: Vec<(u32, usize)>,
    /// Streams that contain objects: their numbers and positions.
    containers: Vec<(u32, usize)>,
    root: Option<u32>,
    info: Option<u32>,
    is_encrypted: bool,
}

impl<'a> File<'a> {
    pub(super) fn open(data: &'a [u8], limits: &Limits) -> Result<Self, ExtractError> {
        let marks = scan(data)?;
        if marks.is_encrypted {
            return Err(ExtractError::Encrypted);
        }
        let objects = marks.objects.iter().map(|(id, at)| (*id, Location::File(*at))).collect();
        let mut file = File {
            data,
            budget: Budget::new(data.len(), limits),
            objects,
            containers: Vec::new(),
            cache: RefCell::default(),
            cached_bytes: Cell::new(0),
            root: marks.root,
            info: marks.info,
        };
        file.budget.spend_work(data.len())?;
        for (id, at) in marks.containers {
            file.open_container(id, at)?;
        }
        Ok(file)
    }

    pub(super) fn root(&self) -> Option<u32> {
        self.root
    }

    pub(super) fn info(&self) -> Option<u32> {
        self.info
    }

    /// Adds the objects within a stream.
    fn open_container(&mut self, id: u32, position: usize) -> Result<(), ExtractError> {
        let Some((dict, raw)) = self.stream(id)? else { return Ok(()) };
        let (Some(count), Some(first)) = (dict.get(&b"N"[..]), dict.get(&b"First"[..])) else { return Ok(()) };
        let (Some(count), Some(first)) = (self.resolve(count)?.number(), self.resolve(first)?.number()) else {
            return Ok(());
        };
        let Some(decoded) = self.decode(&dict, raw)?.map(Decoded::into_owned) else { return Ok(()) };
        let container = self.containers.len();
        let mut lexer = Lexer::new(&decoded, 0);
        for _ in 0..count as usize {
            let (Some(Token::Number(id)), Some(Token::Number(at))) = (lexer.token(), lexer.token()) else { break };
            let (id, at) = (id as u32, (first + at) as usize);
            // an object behind the container is newer
            let is_newer = matches!(self.objects.get(&id), Some(Location::File(other)) if *other > position);
            if !is_newer {
                self.objects.insert(id, Location::Member { container, at });
            }
            if self.objects.len() > OBJECTS_LIMIT {
                return Err(ExtractError::TooComplex);
            }
        }
        self.budget.spend_work(lexer.at())?;
        self.containers.push(decoded);
        Ok(())
    }

    /// The object with a number; null if it is absent, damaged or beyond the limits.
    pub(super) fn object(&self, id: u32) -> Result<Object, ExtractError> {
        if let Some(object) = self.cache.borrow().get(&id) {
            return Ok(object.clone());
        }
        let Some(location) = self.objects.get(&id) else { return Ok(Object::Null) };
        let mut lexer = match *location {
            Location::File(at) => Lexer::new(self.data, at),
            Location::Member { container, at } => match self.containers.get(container) {
                Some(data) => Lexer::new(data, at),
                None => return Ok(Object::Null),
            },
        };
        let start = lexer.at();
        let (object, parts) = self.parse(&mut lexer)?;
        let cached = self.cached_bytes.get() + parts * PART_BYTES + (lexer.at() - start);
        if cached <= CACHED_BYTES {
            self.cached_bytes.set(cached);
            self.cache.borrow_mut().insert(id, object.clone());
        }
        Ok(object)
    }

    fn parse(&self, lexer: &mut Lexer<'_>) -> Result<(Object, usize), ExtractError> {
        let start = lexer.at();
        let mut parser = Parser::new(lexer);
        let object = parser.object().unwrap_or(Object::Null);
        let parts = parser.parts();
        self.budget.spend_work(lexer.at() - start + 1)?;
        Ok((object, parts))
    }

    /// What a chain of references leads to.
    pub(super) fn resolve(&self, object: &Object) -> Result<Object, ExtractError> {
        let mut object = object.clone();
        for _ in 0..REFERENCES_LIMIT {
            match object {
                Object::Reference(id) => object = self.object(id)?,
                other => return Ok(other),
            }
        }
        Ok(Object::Null)
    }

    /// The value of a dictionary, resolved; null if it is absent.
    pub(super) fn get(&self, dict: &Dict, key: &[u8]) -> Result<Object, ExtractError> {
        dict.get(key).map_or(Ok(Object::Null), |object| self.resolve(object))
    }

    /// The stream with a number; none if the object is absent or no stream.
    pub(super) fn stream(&self, id: u32) -> Result<Option<RawStream<'a>>, ExtractError> {
        let Some(Location::File(at)) = self.objects.get(&id) else { return Ok(None) };
        let mut lexer = Lexer::new(self.data, *at);
        let (Object::Dict(dict), _) = self.parse(&mut lexer)? else { return Ok(None) };
        lexer.skip_space();
        let Some(rest) = lexer.rest().strip_prefix(b"stream") else { return Ok(None) };
        let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        let rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        if let Some(length) = self.get(&dict, b"Length")?.number()
            && let Some((data, after)) = rest.split_at_checked(length as usize)
            && after[..after.len().min(16)].trim_ascii_start().starts_with(b"endstr")
        {
            return Ok(Some((dict, data)));
        }
        let end = find(rest, b"endstream").unwrap_or(rest.len());
        self.budget.spend_work(end)?;
        Ok(Some((dict, &rest[..end])))
    }

    /// The data behind the filters; none if it is an image.
    pub(super) fn decode<'d>(&self, dict: &Dict, raw: &'d [u8]) -> Result<Option<Decoded<'d>>, ExtractError> {
        let of = |value: Object| match value {
            Object::Array(array) => array.to_vec(),
            Object::Null => Vec::new(),
            other => vec![other],
        };
        let filters = of(self.get(dict, b"Filter")?);
        let parameters = of(self.get(dict, b"DecodeParms")?);
        if filters.len() > FILTERS_LIMIT {
            return Ok(None);
        }
        let mut data = Decoded::Borrowed(raw);
        for (at, name) in filters.iter().enumerate() {
            let name = self.resolve(name)?;
            let parameters = parameters.get(at).map_or(Ok(Object::Null), |object| self.resolve(object))?;
            let parameters = parameters.dict().cloned().unwrap_or_default();
            let Some(name) = name.name() else { return Ok(None) };
            self.budget.spend_work(data.len())?;
            match filter::apply(name, &parameters, &data, &self.budget)? {
                Some(decoded) => data = Decoded::Owned(decoded),
                None => return Ok(None),
            }
        }
        Ok(Some(data))
    }

    /// The decoded data of a stream; none if there is no such stream.
    pub(super) fn stream_data(&self, id: u32) -> Result<Option<(Rc<Dict>, Decoded<'a>)>, ExtractError> {
        let Some((dict, raw)) = self.stream(id)? else { return Ok(None) };
        Ok(self.decode(&dict, raw)?.map(|data| (dict, data)))
    }
}

fn find(data: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    while let Some(at) = data[from..].iter().position(|byte| *byte == first) {
        if data[from + at..].starts_with(needle) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

fn scan(data: &[u8]) -> Result<Marks, ExtractError> {
    let mut marks = Marks::default();
    let mut has_ends = true;
    let mut at = 0;
    while at < data.len() {
        let rest = &data[at..];
        match data[at] {
            b'o' if rest.starts_with(b"obj") => {
                if let Some(id) = number_before(&data[..at]) {
                    marks.objects.push((id, at + 3));
                }
            }
            b's' if has_ends && rest.starts_with(b"stream") && data[..at].trim_ascii_end().ends_with(b">>") => {
                match find(rest, b"endstream") {
                    Some(end) => at += end,
                    None => has_ends = false,
                }
            }
            b'/' => mark_name(data, at, &mut marks),
            _ => {}
        }
        if marks.objects.len() > OBJECTS_LIMIT {
            return Err(ExtractError::TooComplex);
        }
        at += 1;
    }
    Ok(marks)
}

fn mark_name(data: &[u8], at: usize, marks: &mut Marks) {
    let rest = &data[at..];
    if rest.starts_with(b"/ObjStm") {
        marks.containers.extend(marks.objects.last().copied());
    } else if rest.starts_with(b"/Encrypt") && rest.get(8).is_some_and(|byte| is_space(*byte) || *byte == b'<') {
        marks.is_encrypted = true;
    } else if rest.starts_with(b"/Root") {
        marks.root = Lexer::new(data, at + 5).reference().or(marks.root);
    } else if rest.starts_with(b"/Info") {
        marks.info = Lexer::new(data, at + 5).reference().or(marks.info);
    }
}

/// The object number in `12 0 ` at the end.
fn number_before(data: &[u8]) -> Option<u32> {
    // ten digits each, and some space
    let tail = &data[data.len().saturating_sub(40)..];
    let generation = tail.trim_ascii_end();
    let before = trim_digits(generation);
    let id = before.trim_ascii_end();
    let start = trim_digits(id);
    let is_spaced = generation.len() < tail.len() && id.len() < before.len() && before.len() < generation.len();
    is_spaced.then(|| decimal(&id[start.len()..])).flatten()
}

fn trim_digits(data: &[u8]) -> &[u8] {
    let digits = data.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    &data[..data.len() - digits]
}
