//! =

use super::Access;

/// A tool. It acts as the workspace of the token or of the address.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    pub name: &'static str,
    /// The operation of the same service.
    pub route: &'static str,
    pub access: Access,
    pub reveals: &'static str,
}

const fn tool(name: &'static str, route: &'static str, access: Access, reveals: &'static str) -> Tool {
    Tool { name, route, access, reveals }
}

pub const TOOLS: &[Tool] = &[
    tool("commit_memory", "commit_memory", Access::WRITE, "the committed memory, without its content"),
    tool("search_memory", "search_memories", Access::READ, "the memories, passages and pages it reads, author by name"),
    tool("recall_memory", "search_memories", Access::READ, "the memories, passages and pages it reads, author by name"),
    tool("edit_memory", "edit_memory", Access::WRITE, "the changed memory, without its content"),
    tool("why_memory", "explain_memory", Access::READ, "the rank of a memory it reads; else the cause, if it may know"),
    tool("get_context", "inject_context", Access::READ, "the memories it reads, author by name"),
    tool("search_knowledge", "search_memories", Access::READ, "passages of the documents it reads"),
    tool("read_document", "read_document_content", Access::READ, "the text of a document it reads"),
    tool("patterns_for_change", "find_patterns", Access::READ, "facts of processors it reads"),
    tool("read_pages", "list_pages", Access::READ, "its pages"),
    tool("list_skills", "list_skills", Access::READ, "the skills that it can use"),
    tool("read_skill", "read_skill", Access::READ, "the text of procedures that it reads"),
    tool("record_outcome", "report_outcome", Access::WRITE, "the version of a procedure that it reads"),
    tool("propose_skill", "draft_skill", Access::WRITE, "the draft, made of what it reads"),
    tool("start_run", "start_run", Access::WRITE, "the started run"),
    tool("finish_run", "finish_run", Access::WRITE, "the run"),
    tool("delete_memory", "forget_memory", Access::WRITE, "nothing; a memory of another author is absent"),
    tool("forget_memory", "forget_memory", Access::WRITE, "nothing; a memory of another author is absent"),
    tool(
        "commit_memory_v2",
        "commit_namespace_memory",
        Access::WRITE,
        "the committed memory's namespace, without its content",
    ),
    tool("commit_summary", "commit_namespace_memory", Access::WRITE, "the same"),
    tool("list_readable_namespaces", "list_namespaces", Access::READ, "its namespaces, with names of workspaces"),
    tool("list_writable_namespaces", "list_namespaces", Access::READ, "the same"),
    tool("session_search", "search_session", Access::READ, "its episodes and its own memories"),
    tool("memory_set", "put_entry", Access::WRITE, "the version"),
    tool("memory_get", "read_entry", Access::READ, "one of its entries"),
    tool("memory_list", "list_entries", Access::READ, "its entries"),
    tool("memory_delete_kv", "drop_entry", Access::WRITE, "nothing"),
];
