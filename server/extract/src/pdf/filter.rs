//! The filters of streams, each within the budget of decompressed bytes.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use weezl::{BitOrder, LzwStatus};

use super::budget::Budget;
use super::lexer::{hex, is_space};
use super::object::{Dict, Object};
use crate::ExtractError;

const CHUNK: usize = 64 * 1024;
/// Of a row that a predictor refers to.
const ROW_LIMIT: usize = 1024 * 1024;

/// The data after one filter; none if the filter is for images or unknown.
pub(super) fn apply(
    filter: &[u8],
    parameters: &Dict,
    data: &[u8],
    budget: &Budget,
) -> Result<Option<Vec<u8>>, ExtractError> {
    Ok(match filter {
        b"FlateDecode" | b"Fl" => unpredict(inflate(data, budget)?, parameters),
        b"LZWDecode" | b"LZW" => unpredict(lzw(data, parameters, budget)?, parameters),
        b"ASCIIHexDecode" | b"AHx" => {
            let end = data.iter().position(|byte| *byte == b'>').unwrap_or(data.len());
            budget.spend_decompressed(end)?;
            Some(hex(&data[..end]))
        }
        b"ASCII85Decode" | b"A85" => Some(ascii85(data, budget)?),
        b"RunLengthDecode" | b"RL" => Some(run_length(data, budget)?),
        _ => None,
    })
}

/// The data up to the first fault: producers and transfers truncate streams.
fn inflate(data: &[u8], budget: &Budget) -> Result<Vec<u8>, ExtractError> {
    let decoded = read_all(ZlibDecoder::new(data), budget)?;
    if decoded.is_empty() && data.len() > 2 { read_all(DeflateDecoder::new(data), budget) } else { Ok(decoded) }
}

fn read_all(mut reader: impl Read, budget: &Budget) -> Result<Vec<u8>, ExtractError> {
    let mut decoded = Vec::new();
    let mut chunk = vec![0; CHUNK];
    while let Ok(read @ 1..) = reader.read(&mut chunk) {
        budget.spend_decompressed(read)?;
        decoded.extend_from_slice(&chunk[..read]);
    }
    Ok(decoded)
}

fn lzw(mut data: &[u8], parameters: &Dict, budget: &Budget) -> Result<Vec<u8>, ExtractError> {
    let is_early = integer(parameters, b"EarlyChange") != Some(0);
    let mut decoder = match is_early {
        true => weezl::decode::Decoder::with_tiff_size_switch(BitOrder::Msb, 8),
        false => weezl::decode::Decoder::new(BitOrder::Msb, 8),
    };
    let mut decoded = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let result = decoder.decode_bytes(data, &mut chunk);
        budget.spend_decompressed(result.consumed_out)?;
        decoded.extend_from_slice(&chunk[..result.consumed_out]);
        data = &data[result.consumed_in..];
        let is_stuck = result.consumed_in == 0 && result.consumed_out == 0;
        if is_stuck || !matches!(result.status, Ok(LzwStatus::Ok)) {
            return Ok(decoded);
        }
    }
}

fn ascii85(data: &[u8], budget: &Budget) -> Result<Vec<u8>, ExtractError> {
    let mut decoded = Vec::new();
    let mut group = [b'u' - b'!'; 5];
    let mut length = 0;
    let data = data.strip_prefix(b"<~").unwrap_or(data);
    for byte in data.iter().copied().filter(|byte| !is_space(*byte)) {
        match byte {
            b'z' if length == 0 => decoded.extend_from_slice(&[0; 4]),
            b'!'..=b'u' => {
                group[length] = byte - b'!';
                length += 1;
                if length == 5 {
                    decoded.extend_from_slice(&base85(&group));
                    (group, length) = ([b'u' - b'!'; 5], 0);
                }
            }
            _ => break,
        }
    }
    if length > 1 {
        decoded.extend_from_slice(&base85(&group)[..length - 1]);
    }
    budget.spend_decompressed(decoded.len())?;
    Ok(decoded)
}

fn base85(group: &[u8; 5]) -> [u8; 4] {
    let value = group.iter().fold(0_u32, |value, digit| value.wrapping_mul(85).wrapping_add(u32::from(*digit)));
    value.to_be_bytes()
}

fn run_length(data: &[u8], budget: &Budget) -> Result<Vec<u8>, ExtractError> {
    let mut decoded = Vec::new();
    let mut rest = data;
    while let Some((length, after)) = rest.split_first() {
        let before = decoded.len();
        let taken = match length {
            0..128 => {
                let run = &after[..after.len().min(usize::from(*length) + 1)];
                decoded.extend_from_slice(run);
                run.len()
            }
            128 => break,
            _ => {
                let Some(byte) = after.first() else { break };
                decoded.resize(before + 257 - usize::from(*length), *byte);
                1
            }
        };
        budget.spend_decompressed(decoded.len() - before)?;
        rest = &after[taken..];
    }
    Ok(decoded)
}

fn integer(dict: &Dict, key: &[u8]) -> Option<usize> {
    dict.get(key).and_then(Object::number).filter(|number| *number >= 0.0).map(|number| number as usize)
}

/// Undoes the differences between rows; none for parameters beyond the limits.
fn unpredict(data: Vec<u8>, parameters: &Dict) -> Option<Vec<u8>> {
    let predictor = integer(parameters, b"Predictor").unwrap_or(1);
    let bits = integer(parameters, b"BitsPerComponent").unwrap_or(8);
    let colors = integer(parameters, b"Colors").unwrap_or(1);
    let columns = integer(parameters, b"Columns").unwrap_or(1);
    if predictor < 2 {
        return Some(data);
    }
    if !(1..=32).contains(&colors) || !(1..=ROW_LIMIT).contains(&columns) || ![1, 2, 4, 8, 16].contains(&bits) {
        return None;
    }
    let row = (columns * colors * bits).div_ceil(8);
    let pixel = (colors * bits).div_ceil(8);
    match predictor {
        2 if bits == 8 => Some(un_tiff(data, row, pixel)),
        2 => None,
        _ => Some(un_png(&data, row, pixel)),
    }
}

fn un_tiff(mut data: Vec<u8>, row: usize, pixel: usize) -> Vec<u8> {
    for line in data.chunks_mut(row) {
        for at in pixel..line.len() {
            line[at] = line[at].wrapping_add(line[at - pixel]);
        }
    }
    data
}

fn un_png(data: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(data.len());
    for line in data.chunks(row + 1) {
        let start = plain.len();
        for (at, byte) in line[1..].iter().enumerate() {
            let left = if at >= pixel { plain[start + at - pixel] } else { 0 };
            let up = if start >= row { plain[start - row + at] } else { 0 };
            let corner = if at >= pixel && start >= row { plain[start - row + at - pixel] } else { 0 };
            let predicted = match line[0] {
                1 => left,
                2 => up,
                3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
                4 => paeth(left, up, corner),
                _ => 0,
            };
            plain.push(byte.wrapping_add(predicted));
        }
    }
    plain
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(up) - i16::from(corner);
    let distance = |byte: u8| (estimate - i16::from(byte)).abs();
    if distance(left) <= distance(up) && distance(left) <= distance(corner) {
        left
    } else if distance(up) <= distance(corner) {
        up
    } else {
        corner
    }
}

/// Data behind a chain of filters.
pub(super) type Decoded<'a> = Cow<'a, [u8]>;
