//! Namespaces of the memory-plugin contract.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ActPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::PluginNamespaceKind;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{AuditRecord, PluginNamespace};
use crate::engine::RowContext;
use crate::schema::plugin_namespaces;

pub(crate) const TABLE: &str = "plugin_namespaces";

/// Maximum number of names in a statement.
const CHUNK: usize = 500;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = plugin_namespaces)]
struct NamespaceRow {
    org_id: Id,
    name: String,
    workspace_id: Id,
    kind: TextEnum<PluginNamespaceKind>,
    created_at: Time,
    expires_at: Option<Time>,
}

impl From<NamespaceRow> for PluginNamespace {
    fn from(row: NamespaceRow) -> Self {
        Self {
            name: row.name,
            workspace: row.workspace_id.workspace(),
            kind: row.kind.0,
            created_at: row.created_at.0,
            expires_at: row.expires_at.map(|at| at.0),
        }
    }
}

impl Tx<'_> {
    pub(crate) fn plugin_namespaces(
        &mut self,
        org: OrgId,
        names: &[String],
    ) -> Result<Vec<PluginNamespace>, StoreError> {
        let mut found = Vec::new();
        for names in names.chunks(CHUNK) {
            let rows: Vec<NamespaceRow> = plugin_namespaces::table
                .filter(plugin_namespaces::org_id.eq(Id::from(org)))
                .filter(plugin_namespaces::name.eq_any(names))
                .select(NamespaceRow::as_select())
                .load(self.conn()?)
                .row_context(TABLE, org)?;
            found.extend(rows.into_iter().map(PluginNamespace::from));
        }
        Ok(found)
    }

    pub(crate) fn expired_plugin_namespaces(&mut self, limit: usize) -> Result<Vec<(OrgId, String)>, StoreError> {
        let rows: Vec<(Id, String)> = plugin_namespaces::table
            .filter(plugin_namespaces::expires_at.le(Time(self.now)))
            .limit(row_limit(limit))
            .select((plugin_namespaces::org_id, plugin_namespaces::name))
            .load(self.conn()?)
            .row_context(TABLE, "expired")?;
        Ok(rows.into_iter().map(|(org, name)| (org.org(), name)).collect())
    }

    pub(crate) fn put_plugin_namespace(
        &mut self,
        pass: &ActPass,
        namespace: &PluginNamespace,
    ) -> Result<(), StoreError> {
        let row = NamespaceRow {
            org_id: pass.org().into(),
            name: namespace.name.clone(),
            workspace_id: pass.workspace().into(),
            kind: TextEnum(namespace.kind),
            created_at: Time(namespace.created_at),
            expires_at: namespace.expires_at.map(Time),
        };
        self.touch(pass.org())?;
        let expires_at = namespace.expires_at.map(|at| at.to_rfc3339());
        let record = AuditRecord::new(AuditAction::EditWorkspace, pass.workspace())
            .context_field("plugin_namespace", namespace.kind.as_str())
            .context_field("expires_at", expires_at);
        self.record(record)?;
        let place = plugin_namespaces::table.find((row.org_id, row.name.clone()));
        let conn = self.writing()?;
        diesel::delete(place).execute(conn)?;
        diesel::insert_into(plugin_namespaces::table).values(&row).execute(conn)?;
        Ok(())
    }

    pub(crate) fn drop_plugin_namespace(&mut self, org: OrgId, name: &str) -> Result<(), StoreError> {
        self.pending.deleted_from.push(TABLE);
        let place = plugin_namespaces::table.find((Id::from(org), name));
        diesel::delete(place).execute(self.writing()?)?;
        Ok(())
    }
}
