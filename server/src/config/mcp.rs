//! Settings of MCP.

use super::reader::SettingsReader;
use super::{ConfigError, forms};

/// Headers that `/mcp` accepts in addition to those of loopback.
#[derive(Clone, Debug)]
pub struct McpSettings {
    /// `Host` values, in lower case.
    pub allowed_hosts: Vec<String>,
    /// `Origin` values.
    pub allowed_origins: Vec<String>,
}

impl McpSettings {
    pub(super) fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            allowed_hosts: from.list("mcp.allowed_hosts", &forms::HOST)?,
            allowed_origins: from.list("mcp.allowed_origins", &forms::ORIGIN)?,
        })
    }
}
