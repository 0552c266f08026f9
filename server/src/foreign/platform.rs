//! The array of memories that the older platform exports.

use std::io::Read;

use orgmem_types::ExportedMemory;
use serde_json::Value;

use super::draft::Labels;
use super::{ForeignError, Output, Target, document, record};
use crate::app::EXPORTED_FIELDS;

pub(super) fn read(file: impl Read, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    document::read(file, &mut |position, mut value| {
        let at = position.to_string();
        if !position.member.is_empty() || position.index.is_none() {
            return Err(ForeignError::record(at, "the file must be an array of memories"));
        }
        // the platform writes times without an offset
        let created_at = value.as_object_mut().and_then(|fields| fields.remove("created_at"));
        let mut memory: ExportedMemory = record::read(&at, "[].", value, &EXPORTED_FIELDS, output)?;
        output.count("memories");
        match created_at {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => memory.set_created_at(Some(&text)),
            Some(other) => {
                let reason = format!("`created_at` must be a time, not {}", record::name_of(&other));
                return Err(ForeignError::record(at, reason));
            }
        }
        if let Some(workspace) = target.workspace {
            memory.workspace_id = Some(workspace);
            memory.workspace_name = None;
        }
        target.give(&at, memory, output)
    })
}
