//! Results about skills.

use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Serialize;

use super::ToolResult;
use super::memories::replaced;
use super::text::{self, Head};
use crate::app::Etag;

/// Skills that the workspace can use.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct SkillList {
    skills: Vec<SkillItem>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SkillItem {
    name: String,
    description: String,
    /// Recent uses failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failing: bool,
}

impl From<Etag<Vec<wire::Skill>>> for SkillList {
    fn from(listed: Etag<Vec<wire::Skill>>) -> Self {
        let skills = match listed {
            Etag::Changed(_, skills) => skills,
            Etag::Unchanged(_) => Vec::new(),
        };
        let item = |skill: wire::Skill| {
            let wire::Skill { name, description, failing, .. } = skill;
            SkillItem { name, description, failing }
        };
        Self { skills: skills.into_iter().map(item).collect() }
    }
}

impl ToolResult for SkillList {
    fn text(&self) -> String {
        let line = |skill: &SkillItem| {
            let head = Head::default().word(&skill.name);
            let head = if skill.failing { head.word("failing") } else { head };
            head.content(&skill.description)
        };
        text::list(self.skills.iter().map(line), "no skills", None)
    }
}

/// The files of a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct SkillFiles {
    name: String,
    files: Vec<SkillFile>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SkillFile {
    path: String,
    text: String,
}

impl From<wire::SkillDetail> for SkillFiles {
    fn from(detail: wire::SkillDetail) -> Self {
        // provenance is for people
        let files = detail.files.into_iter().filter(|file| file.path != "provenance.json");
        let files = files.map(|wire::SkillFile { path, text }| SkillFile { path, text });
        Self { name: detail.skill.name, files: files.collect() }
    }
}

impl ToolResult for SkillFiles {
    fn text(&self) -> String {
        let text = |file: &SkillFile| Head::default().word(&file.path).content(&file.text);
        self.files.iter().map(text).collect::<Vec<_>>().join("\n")
    }
}

/// A drafted skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct ProposedSkill {
    name: String,
    version: i64,
    /// Whether it is in use.
    active: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redactions: Vec<wire::Redaction>,
}

impl From<wire::Skill> for ProposedSkill {
    fn from(skill: wire::Skill) -> Self {
        let active = skill.active_version.is_some() && skill.active_version == skill.version;
        Self { name: skill.name, version: skill.version.unwrap_or_default(), active, redactions: skill.redactions }
    }
}

impl ToolResult for ProposedSkill {
    fn text(&self) -> String {
        let head = Head::default().word(&self.name).word(&format!("version={}", self.version));
        head.word(if self.active { "active" } else { "draft" }).end() + &replaced(&self.redactions)
    }
}

impl ToolResult for wire::ReportedOutcome {
    fn text(&self) -> String {
        let head = Head::default().word(&self.memory_id.to_string()).word(&format!("version={}", self.version));
        head.end() + &replaced(&self.redactions)
    }
}
