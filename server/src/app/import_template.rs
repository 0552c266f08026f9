//! Imports of an org from a template of the older platform.

use std::path::{Path, PathBuf};

use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use serde_json::{Value, json};

use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::decode;

/// Maximum nesting of a template file, as of other imports.
const MAX_DEPTH: usize = 127;

/// The templates of a deployment.
pub(super) struct TemplateFolder {
    /// `None` if the deployment has none.
    pub(super) dir: Option<PathBuf>,
    pub(super) limit_bytes: usize,
}

impl App {
    /// Imports an org as [`import_org`](Self::import_org) does, from a template of the request or of the server.
    ///
    /// # Errors
    /// [`AppError::NoTemplate`] for an unknown name; the errors of [`import_org`](Self::import_org).
    pub async fn import_template(
        &self,
        auth: &VerifiedClaims,
        request: wire::ImportTemplate,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::ImportResponse, AppError> {
        // before files are read
        let granted = |caller: &_| ServerPass::grant(caller, ServerAction::ImportOrg).map(drop);
        self.read_server(auth, ReadPlan::Cached, move |_, caller| Ok(granted(caller)?)).await?;
        let document = match (request.dir, request.template) {
            (None, Some(template)) => document(template)?,
            (Some(name), None) => self.stored_template(name).await?,
            _ => return Err(AppError::Field { field: "template", expected: "given, or `dir`; one of the two".into() }),
        };
        self.import_org(auth, document, false, false, idempotency).await
    }

    async fn stored_template(&self, name: String) -> Result<wire::ImportNode, AppError> {
        let path = self.templates.dir.as_deref().filter(|_| is_name(&name)).map(|dir| files(dir, &name));
        let limit = self.templates.limit_bytes;
        let read =
            tokio::task::spawn_blocking(move || path.into_iter().flatten().find_map(|path| read_file(&path, limit)));
        let unreadable =
            |reason: String| AppError::Item(format!("the template `{}` {reason}", decode::shortened(&name)));
        let bytes = match read.await {
            Ok(Some(Ok(bytes))) => bytes,
            Ok(Some(Err(error))) => return Err(unreadable(format!("cannot be read: {error}"))),
            Ok(None) | Err(_) => return Err(AppError::NoTemplate(decode::shortened(&name).into_owned())),
        };
        let fault = |fault: decode::ReadFault| unreadable(format!("is not valid: {fault}"));
        let value: Value = decode::yaml(&bytes, MAX_DEPTH).map_err(fault)?;
        match value.get("workspaces") {
            Some(_) => document(decode::json_value(&value).map_err(fault)?),
            None => decode::json_value(&value).map_err(fault),
        }
    }
}

/// The document for an import. One workspace at the top is the root; several are children of a root with the name of the
/// template. The root commits the memories of the whole org.
fn document(template: wire::OrgTemplate) -> Result<wire::ImportNode, AppError> {
    let fault = |fault: decode::ReadFault| AppError::Item(fault.to_string());
    let wire::OrgTemplate { name, mut workspaces, mut global_memories } = template;
    workspaces.iter_mut().try_for_each(decode::rewrite_template).map_err(fault)?;
    for memory in &mut global_memories {
        if let Value::Object(fields) = memory {
            fields.entry("scope").or_insert(json!("GLOBAL"));
        }
        decode::upper_case_scope(memory);
        if memory["scope"] != "GLOBAL" {
            let expected = "memories of the scope `GLOBAL`; others are `initial_memories` of their workspace".into();
            return Err(AppError::Field { field: "global_memories", expected });
        }
    }
    let mut root = match workspaces.len() {
        0 => return Err(AppError::Field { field: "workspaces", expected: "a list of at least one workspace".into() }),
        1 => workspaces.remove(0),
        _ => json!({"name": name, "children": workspaces}),
    };
    if let Value::Object(fields) = &mut root
        && let Value::Array(memories) = fields.entry("initial_memories").or_insert(json!([]))
    {
        memories.splice(0..0, global_memories);
    }
    decode::json_value(&root).map_err(fault)
}

/// Whether `name` is the name of a template: one segment of a path, without a leading dot.
fn is_name(name: &str) -> bool {
    let is_visible = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    name.len() <= 100 && !name.starts_with('.') && !name.is_empty() && name.chars().all(is_visible)
}

/// The possible files of a template.
fn files(dir: &Path, name: &str) -> [PathBuf; 4] {
    ["/org.yaml", ".yaml", ".yml", ".json"].map(|end| dir.join(format!("{name}{end}")))
}

/// The content of a file; `None` if it does not exist.
fn read_file(path: &Path, limit_bytes: usize) -> Option<std::io::Result<Vec<u8>>> {
    let length = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Err(error)),
        Ok(found) if !found.is_file() => return None,
        Ok(found) => found.len(),
    };
    if usize::try_from(length).map_or(true, |length| length > limit_bytes) {
        return Some(Err(std::io::Error::other(format!("it has more than {limit_bytes} bytes"))));
    }
    Some(std::fs::read(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: Value) -> Result<Value, String> {
        let template = serde_json::from_value(template).expect("a template");
        let document = document(template).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(document).expect("JSON"))
    }

    #[test]
    fn single_workspace_is_the_root_and_holds_the_memories_of_the_org() {
        let template = json!({
            "name": "Shop",
            "workspaces": [{
                "name": "CEO", "tier": 3, "initial_memories": [{"content": "own", "scope": "local"}],
                "children": [{"name": "Dev", "tier": 2, "canvas": {"x": 1}}],
            }],
            "global_memories": [{"content": "all"}],
        });
        let root = read(template).expect("valid");
        assert_eq!((&root["name"], &root["metadata"]), (&json!("CEO"), &json!({"tier": 3})));
        let contents = ["all", "own"].map(|content| json!(content));
        assert_eq!([0, 1].map(|index| root["initial_memories"][index]["content"].clone()), contents);
        assert_eq!(root["initial_memories"][1]["scope"], "LOCAL");
        assert_eq!(root["children"][0]["metadata"], json!({"tier": 2, "canvas": {"x": 1}}));
    }

    #[test]
    fn several_workspaces_are_children_of_a_root_with_the_name_of_the_template() {
        let root = read(json!({"name": "Shop", "workspaces": [{"name": "A"}, {"name": "B"}]})).expect("valid");
        assert_eq!((&root["name"], &root["children"][1]["name"]), (&json!("Shop"), &json!("B")));
    }

    #[test]
    fn invalid_template_is_refused_by_name() {
        for (workspaces, memories, message) in [
            (json!([]), json!([]), "`workspaces` must be a list of at least one workspace"),
            (json!([{"name": "A", "tires": 2}]), json!([]), "unknown field `tires`"),
            (json!([{"name": "A"}]), json!([{"content": "x", "scope": "TEAM"}]), "`global_memories` must be memories"),
            (json!([{"name": "A", "tier": 1, "metadata": {"tier": 2}}]), json!([]), "`tier` is stored in `metadata`"),
        ] {
            let template = json!({"name": "Shop", "workspaces": workspaces, "global_memories": memories});
            let refusal = read(template).expect_err(message);
            assert!(refusal.contains(message), "{refusal}");
        }
    }

    #[test]
    fn name_of_a_template_is_one_segment() {
        for name in ["shop", "shop-2.1", "A_b"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", "../shop", "a/b", "/etc", ".hidden", "a\\b", "a\0", "ä", &"a".repeat(101)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
