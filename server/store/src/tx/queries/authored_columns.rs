//! The columns of the fields that an author writes, shared by memories and their earlier versions.

use diesel::prelude::*;
use orgmem_policies::drafts::{AuthoredFields, Source};

use crate::columns::{TextEnum, Time};
use crate::schema::{memories, memory_versions};

/// Declares the columns once for both tables, because diesel's derives take one table each.
macro_rules! authored_columns {
    ($($field:ident: $type:ty,)*) => {
        /// All fields of the author except content and expiry, which the tables store differently.
        #[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable, AsChangeset)]
        #[diesel(table_name = memories, treat_none_as_null = true, treat_none_as_default_value = false)]
        pub(crate) struct AuthoredColumns {
            $(pub(crate) $field: $type,)*
        }

        #[derive(Clone, Debug, Queryable, Selectable, Insertable)]
        #[diesel(table_name = memory_versions, treat_none_as_default_value = false)]
        pub(crate) struct VersionColumns {
            $(pub(crate) $field: $type,)*
        }

        impl From<AuthoredColumns> for VersionColumns {
            fn from(AuthoredColumns { $($field,)* }: AuthoredColumns) -> Self {
                Self { $($field,)* }
            }
        }

        impl From<VersionColumns> for AuthoredColumns {
            fn from(VersionColumns { $($field,)* }: VersionColumns) -> Self {
                Self { $($field,)* }
            }
        }
    };
}

authored_columns! {
    title: Option<String>,
    namespace: String,
    kind: String,
    source: TextEnum<Source>,
    confidence: f64,
    tags: String,
    metadata: Option<String>,
    subject: Option<String>,
    session_id: Option<String>,
    session_only: bool,
    pin: bool,
    claims: Option<String>,
}

impl AuthoredColumns {
    /// The columns of a memory without its content, which keeps its origin and confidence.
    pub(crate) fn erased(&self) -> Self {
        Self {
            title: None,
            namespace: String::new(),
            kind: String::new(),
            source: self.source,
            confidence: self.confidence,
            tags: "[]".into(),
            metadata: None,
            subject: None,
            session_id: None,
            session_only: false,
            pin: false,
            claims: None,
        }
    }

    /// Bytes that a memory with this content counts for budgets.
    pub(crate) fn bytes(&self, content: &str) -> i64 {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let bytes = content.len() + optional(&self.title) + self.tags.len() + optional(&self.metadata);
        i64::try_from(bytes).unwrap_or(i64::MAX)
    }

    /// # Errors
    /// A reason why the row cannot be read.
    pub(crate) fn read(self, content: String, expires_at: Option<Time>) -> Result<AuthoredFields, &'static str> {
        Ok(AuthoredFields {
            content,
            title: self.title,
            namespace: self.namespace,
            kind: self.kind,
            source: self.source.0,
            confidence: self.confidence,
            tags: serde_json::from_str(&self.tags).map_err(|_| "its tags are not a list")?,
            metadata: self.metadata,
            subject: self.subject,
            session_id: self.session_id,
            session_only: self.session_only,
            pin: self.pin,
            expires_at: expires_at.map(|at| at.0),
            claims: self.claims,
        })
    }
}

impl From<AuthoredFields> for AuthoredColumns {
    fn from(fields: AuthoredFields) -> Self {
        Self {
            title: fields.title,
            namespace: fields.namespace,
            kind: fields.kind,
            source: TextEnum(fields.source),
            confidence: fields.confidence,
            tags: serde_json::Value::from(fields.tags).to_string(),
            metadata: fields.metadata,
            subject: fields.subject,
            session_id: fields.session_id,
            session_only: fields.session_only,
            pin: fields.pin,
            claims: fields.claims,
        }
    }
}
