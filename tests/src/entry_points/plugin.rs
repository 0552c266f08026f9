//! The paths of the memory-plugin listener.

/// A path, which every caller of the listener may use: with the token of the settings, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct PluginPath {
    pub method: &'static str,
    pub path: &'static str,
    /// Whether it needs the token.
    pub needs_token: bool,
    pub reveals: &'static str,
}

const fn path(method: &'static str, path: &'static str, reveals: &'static str) -> PluginPath {
    PluginPath { method, path, needs_token: true, reveals }
}

pub const PLUGIN_PATHS: &[PluginPath] = &[
    PluginPath { needs_token: false, ..path("GET", "/v1/health", "the version and the capabilities") },
    path("PUT", "/v1/namespaces/{name}", "the namespace"),
    path("PATCH", "/v1/namespaces/{name}", "the namespace"),
    path("DELETE", "/v1/namespaces/{name}", "nothing"),
    path("POST", "/v1/namespaces/{name}/memories", "the id of the memory; whether an id is taken"),
    path("POST", "/v1/search", "the memories of the named namespaces"),
    path("DELETE", "/v1/memories/{id}", "nothing; a memory of another namespace is absent"),
];
