use orgmem_types::TreePreview;

use crate::cli::print::{Paint, line};

/// The effects of a change, one line per workspace.
pub(super) fn render(preview: &TreePreview, paint: Paint) -> String {
    let mut text: String = preview
        .affected
        .iter()
        .map(|affected| format!("{}  {}\n", paint.strong(&line(&affected.name)), line(&affected.summary)))
        .collect();
    if text.is_empty() {
        text.push_str("no workspace would gain or lose anything\n");
    }
    if preview.more > 0 {
        text.push_str(&format!("and {} more affected workspaces\n", preview.more));
    }
    if let Some(receipt) = &preview.erased {
        let (memories, workspaces) = (receipt.memories, receipt.workspaces);
        text.push_str(&format!("would erase {memories} memories of {workspaces} workspaces\n"));
    }
    text + &paint.faint("nothing was changed\n")
}
