use orgmem_types::TreePreview;

use crate::cli::print::{Paint, line};

/// What a change would do, one workspace a line.
pub(super) fn render(preview: &TreePreview, paint: Paint) -> String {
    let mut text: String = preview
        .affected
        .iter()
        .map(|affected| format!("{}  {}\n", paint.strong(&line(&affected.name)), line(&affected.summary)))
        .collect();
    if text.is_empty() {
        text.push_str("nobody would gain or lose anything\n");
    }
    if preview.more > 0 {
        text.push_str(&format!("and {} more workspaces that stand where something changes\n", preview.more));
    }
    if let Some(receipt) = &preview.erased {
        let (memories, workspaces) = (receipt.memories, receipt.workspaces);
        text.push_str(&format!("would erase {memories} memories of {workspaces} workspaces\n"));
    }
    text + &paint.faint("nothing was changed\n")
}
