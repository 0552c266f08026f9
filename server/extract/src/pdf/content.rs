//! Content streams: which strings are shown where.

use std::collections::HashMap;
use std::rc::Rc;

use super::file::File;
use super::font::Font;
use super::layout::{Layout, Place};
use super::lexer::{Lexer, is_space};
use super::matrix::Matrix;
use super::object::{Dict, Object, Parser, Part};
use crate::ExtractError;

const STATES_LIMIT: usize = 256;
const OPERANDS_LIMIT: usize = 64;
/// Of forms within forms.
const FORMS_LIMIT: usize = 8;

#[derive(Clone)]
struct State {
    page: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

/// Runs the operators of pages.
pub(super) struct Interpreter<'f, 'a> {
    file: &'f File<'a>,
    layout: Layout,
    fonts: HashMap<u32, Rc<Font>>,
}

/// One content stream in progress.
struct Run {
    state: State,
    states: Vec<State>,
    /// States beyond the limit.
    omitted: usize,
    text: Matrix,
    line: Matrix,
    fonts: Object,
    forms: Object,
    /// By the names of these resources.
    known: HashMap<Rc<[u8]>, Rc<Font>>,
}

impl<'f, 'a> Interpreter<'f, 'a> {
    pub(super) fn new(file: &'f File<'a>, layout: Layout) -> Self {
        Interpreter { file, layout, fonts: HashMap::new() }
    }

    pub(super) fn into_layout(self) -> Layout {
        self.layout
    }

    pub(super) fn page(&mut self, data: &[u8], resources: &Dict) -> Result<(), ExtractError> {
        let state = State {
            page: Matrix::IDENTITY,
            font: None,
            size: 1.0,
            char_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        self.run(data, resources, state, 0)?;
        self.layout.end_page();
        Ok(())
    }

    fn run(&mut self, data: &[u8], resources: &Dict, state: State, depth: usize) -> Result<(), ExtractError> {
        let mut run = Run {
            state,
            states: Vec::new(),
            omitted: 0,
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            fonts: self.file.get(resources, b"Font")?,
            forms: self.file.get(resources, b"XObject")?,
            known: HashMap::new(),
        };
        self.file.budget.spend_work(data.len())?;
        let mut lexer = Lexer::new(data, 0);
        let mut operands: Vec<Object> = Vec::new();
        while !lexer.rest().is_empty() {
            let start = lexer.at();
            match Parser::new(&mut lexer).part() {
                Some(Part::Operand(object)) if operands.len() < OPERANDS_LIMIT => operands.push(object),
                Some(Part::Operand(_)) => {}
                Some(Part::Operator(b"BI")) => {
                    skip_image(&mut lexer);
                    operands.clear();
                }
                Some(Part::Operator(b"Do")) => {
                    self.form(&run, operands.last(), resources, depth)?;
                    operands.clear();
                }
                Some(Part::Operator(operator)) => {
                    self.operate(&mut run, operator, &operands)?;
                    operands.clear();
                }
                // an object beyond the limits, or the end
                None if lexer.at() == start => break,
                None => {}
            }
        }
        Ok(())
    }

    fn form(&mut self, run: &Run, name: Option<&Object>, inherited: &Dict, depth: usize) -> Result<(), ExtractError> {
        let Some(name) = name.and_then(Object::name) else { return Ok(()) };
        let Some(Object::Reference(id)) = run.forms.dict().and_then(|forms| forms.get(name)) else { return Ok(()) };
        let Object::Dict(dict) = self.file.object(*id)? else { return Ok(()) };
        let is_form = self.file.get(&dict, b"Subtype")?.name() == Some(b"Form");
        if !is_form || depth >= FORMS_LIMIT {
            return Ok(());
        }
        let Some((dict, data)) = self.file.stream_data(*id)? else { return Ok(()) };
        let own = self.file.get(&dict, b"Resources")?;
        let mut state = run.state.clone();
        if let Some(matrix) = Matrix::of(self.file.get(&dict, b"Matrix")?.array().unwrap_or_default()) {
            state.page = matrix.then(&state.page);
        }
        let resources = own.dict().map_or(inherited, |dict| dict);
        self.run(&data, resources, state, depth + 1)
    }

    fn operate(&mut self, run: &mut Run, operator: &[u8], operands: &[Object]) -> Result<(), ExtractError> {
        let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or_default();
        match operator {
            b"q" if run.states.len() < STATES_LIMIT => run.states.push(run.state.clone()),
            b"q" => run.omitted += 1,
            b"Q" if run.omitted > 0 => run.omitted -= 1,
            b"Q" => run.state = run.states.pop().unwrap_or_else(|| run.state.clone()),
            b"cm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    run.state.page = matrix.then(&run.state.page);
                }
            }
            b"BT" => run.set_line(Matrix::IDENTITY),
            b"Tf" => {
                run.state.size = number(1);
                run.state.font = self.font(run, operands.first())?;
            }
            b"Tc" => run.state.char_space = number(0),
            b"Tw" => run.state.word_space = number(0),
            b"Tz" => run.state.scale = number(0) / 100.0,
            b"TL" => run.state.leading = number(0),
            b"Ts" => run.state.rise = number(0),
            b"Td" => run.move_line(number(0), number(1)),
            b"TD" => {
                run.state.leading = -number(1);
                run.move_line(number(0), number(1));
            }
            b"Tm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    run.set_line(matrix);
                }
            }
            b"T*" => run.move_line(0.0, -run.state.leading),
            b"Tj" => self.show(run, operands.first())?,
            b"'" => {
                run.move_line(0.0, -run.state.leading);
                self.show(run, operands.first())?;
            }
            b"\"" => {
                (run.state.word_space, run.state.char_space) = (number(0), number(1));
                run.move_line(0.0, -run.state.leading);
                self.show(run, operands.get(2))?;
            }
            b"TJ" => {
                for item in operands.first().and_then(Object::array).unwrap_or_default() {
                    match item.number() {
                        Some(shift) => run.advance(-shift / 1000.0 * run.state.size * run.state.scale),
                        None => self.show(run, Some(item))?,
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn font(&mut self, run: &mut Run, name: Option<&Object>) -> Result<Option<Rc<Font>>, ExtractError> {
        let Some(Object::Name(name)) = name else { return Ok(None) };
        if let Some(font) = run.known.get(name) {
            return Ok(Some(Rc::clone(font)));
        }
        let Some(object) = run.fonts.dict().and_then(|fonts| fonts.get(name)) else { return Ok(None) };
        let id = if let Object::Reference(id) = object { Some(*id) } else { None };
        if let Some(font) = id.and_then(|id| self.fonts.get(&id)) {
            return Ok(Some(Rc::clone(font)));
        }
        let Object::Dict(dict) = self.file.resolve(object)? else { return Ok(None) };
        let font = Rc::new(Font::load(self.file, &dict)?);
        if let Some(id) = id {
            self.fonts.insert(id, Rc::clone(&font));
        }
        run.known.insert(Rc::clone(name), Rc::clone(&font));
        Ok(Some(font))
    }

    fn show(&mut self, run: &mut Run, string: Option<&Object>) -> Result<(), ExtractError> {
        let (Some(string), Some(font)) = (string.and_then(Object::string), run.state.font.clone()) else {
            return Ok(());
        };
        let mut rest = string;
        while !rest.is_empty() {
            let (glyph, after) = font.next(rest);
            rest = after;
            let state = &run.state;
            let space = state.char_space + if glyph.is_space { state.word_space } else { 0.0 };
            let advance = (glyph.width * state.size + space) * state.scale;
            let text = run.text.then(&state.page);
            let (x, y) = text.apply(0.0, state.rise);
            let (along, length) = text.direction();
            let size = (state.size * text.height()).abs();
            // without the space, which belongs to no glyph
            let width = glyph.width * state.size * state.scale * length;
            self.layout.glyph(glyph.text.as_deref(), Place { x, y, along, size, advance: width })?;
            run.advance(advance);
        }
        Ok(())
    }
}

impl Run {
    fn set_line(&mut self, matrix: Matrix) {
        (self.line, self.text) = (matrix, matrix);
    }

    fn move_line(&mut self, x: f64, y: f64) {
        self.set_line(Matrix::translation(x, y).then(&self.line));
    }

    fn advance(&mut self, x: f64) {
        self.text = Matrix::translation(x, 0.0).then(&self.text);
    }
}

/// Skips an image within the content, up to `EI`.
fn skip_image(lexer: &mut Lexer<'_>) {
    let rest = lexer.rest();
    let is_end = |window: &[u8]| is_space(window[0]) && &window[1..3] == b"EI" && is_space(window[3]);
    let length = rest.windows(4).position(is_end).map_or(rest.len(), |at| at + 3);
    lexer.jump(lexer.at() + length);
}
