//! Objects of PDF files. A copy of an object shares its parts.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::lexer::{Lexer, Token};

/// Deeper arrays and dictionaries are refused.
const NESTING_LIMIT: usize = 48;
/// Objects with more parts are refused.
pub(super) const PARTS_LIMIT: usize = 200_000;

pub(super) type Dict = BTreeMap<Rc<[u8]>, Object>;

#[derive(Debug, Clone)]
pub(super) enum Object {
    /// Also booleans, which no text depends on.
    Null,
    Number(f64),
    Name(Rc<[u8]>),
    String(Rc<[u8]>),
    Array(Rc<[Object]>),
    Dict(Rc<Dict>),
    Reference(u32),
}

impl Object {
    pub(super) fn number(&self) -> Option<f64> {
        if let Object::Number(number) = self { Some(*number) } else { None }
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        if let Object::Name(name) = self { Some(name) } else { None }
    }

    pub(super) fn string(&self) -> Option<&[u8]> {
        if let Object::String(string) = self { Some(string) } else { None }
    }

    pub(super) fn array(&self) -> Option<&[Object]> {
        if let Object::Array(array) = self { Some(array) } else { None }
    }

    pub(super) fn dict(&self) -> Option<&Rc<Dict>> {
        if let Object::Dict(dict) = self { Some(dict) } else { None }
    }
}

/// What comes next in a content stream.
#[derive(Debug)]
pub(super) enum Part<'a> {
    Operand(Object),
    Operator(&'a [u8]),
}

/// Reads objects and counts their parts.
pub(super) struct Parser<'l, 'a> {
    lexer: &'l mut Lexer<'a>,
    parts: usize,
}

impl<'l, 'a> Parser<'l, 'a> {
    pub(super) fn new(lexer: &'l mut Lexer<'a>) -> Self {
        Parser { lexer, parts: 0 }
    }

    pub(super) fn parts(&self) -> usize {
        self.parts
    }

    /// None if no object comes next, or one beyond the limits.
    pub(super) fn object(&mut self) -> Option<Object> {
        match self.part()? {
            Part::Operand(object) => Some(object),
            Part::Operator(_) => None,
        }
    }

    pub(super) fn part(&mut self) -> Option<Part<'a>> {
        self.nested(0)
    }

    fn nested(&mut self, depth: usize) -> Option<Part<'a>> {
        self.parts += 1;
        if depth > NESTING_LIMIT || self.parts > PARTS_LIMIT {
            return None;
        }
        if let Some(id) = self.lexer.reference() {
            return Some(Part::Operand(Object::Reference(id)));
        }
        let object = match self.lexer.token()? {
            Token::Number(number) => Object::Number(number),
            Token::Name(name) => Object::Name(name.into()),
            Token::String(string) => Object::String(string.into()),
            Token::ArrayStart => self.array(depth)?,
            Token::DictStart => self.dict(depth)?,
            Token::Keyword(b"null" | b"true" | b"false") => Object::Null,
            Token::Keyword(word) => return Some(Part::Operator(word)),
            // closed without being open
            Token::ArrayEnd | Token::DictEnd => Object::Null,
        };
        Some(Part::Operand(object))
    }

    fn array(&mut self, depth: usize) -> Option<Object> {
        let mut items = Vec::new();
        while !self.closes(b"]")? {
            match self.nested(depth + 1)? {
                Part::Operand(item) => items.push(item),
                Part::Operator(b"endobj" | b"obj" | b"stream") => return None,
                Part::Operator(_) => {}
            }
        }
        Some(Object::Array(items.into()))
    }

    fn dict(&mut self, depth: usize) -> Option<Object> {
        let mut dict = Dict::new();
        while !self.closes(b">>")? {
            let Token::Name(key) = self.lexer.token()? else { return None };
            match self.nested(depth + 1)? {
                Part::Operand(value) => dict.insert(key.into(), value),
                Part::Operator(_) => return None,
            };
        }
        Some(Object::Dict(Rc::new(dict)))
    }

    /// Consumes the end mark if it comes next; none at the end of the data.
    fn closes(&mut self, mark: &[u8]) -> Option<bool> {
        self.lexer.skip_space();
        let rest = self.lexer.rest();
        if rest.is_empty() {
            return None;
        }
        let closes = rest.starts_with(mark);
        if closes {
            self.lexer.jump(self.lexer.at() + mark.len());
        }
        Some(closes)
    }
}
