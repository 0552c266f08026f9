//! Conditions of statements by the end users and sessions that a call reads.

use diesel::Connection;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use orgmem_hierarchy::{OrgId, Via, WorkspaceId};
use orgmem_policies::drafts::MemoryFields;
use orgmem_policies::scrub::Scrubbed;
use orgmem_policies::{CallUser, EndUser, ReadPass, UserView, rules};
use uuid::Uuid;

use super::memory_rows::MemoryRow;
use super::{Conn, Tx};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::holds_nul;
use crate::schema::{entries, episodes, memories, pages};

type Db = <Conn as Connection>::Backend;

/// A condition on rows of a table.
type Condition<Table> = Box<dyn BoxableExpression<Table, Db, SqlType = Bool>>;

/// The rows whose column is null or, if the limit names a value, equal to it; all without a limit.
macro_rules! limited {
    ($column:expr, $limit:expr) => {
        match $limit {
            None => Box::new(true.into_sql::<Bool>()),
            Some(Some(named)) if !holds_nul(named) => {
                Box::new($column.is_null().or($column.assume_not_null().eq(named.to_owned())))
            }
            Some(_) => Box::new($column.is_null()),
        }
    };
}

/// Memories that the view shows.
pub(super) fn of_users(users: &UserView) -> Condition<memories::table> {
    let subject: Condition<memories::table> = limited!(memories::subject, users.subject());
    let session: Condition<memories::table> = limited!(memories::session_id, users.session());
    Box::new(subject.and(session))
}

/// Episodes that the view shows. A view of one end user has none that the server recorded about memories, which may be those
/// of others, nor redacted ones, whose end user is not known any more.
pub(super) fn episodes_of_users(users: &UserView) -> Condition<episodes::table> {
    if users.is_open() {
        return Box::new(true.into_sql::<Bool>());
    }
    let subject: Condition<episodes::table> = limited!(episodes::subject, users.subject());
    let session: Condition<episodes::table> = limited!(episodes::session_id, users.session());
    let is_of_caller = episodes::activity_type.ne_all(rules::SERVER_TYPES).and(episodes::redacted_at.is_null());
    Box::new(subject.and(session).and(is_of_caller))
}

/// Entries that the view shows. They have no session.
pub(super) fn entries_of_users(users: &UserView) -> Condition<entries::table> {
    limited!(entries::subject, users.subject())
}

/// Pages that the view shows: a page without a subject has an empty one, and each is of one session or correlation.
pub(super) fn pages_of_users(users: &UserView) -> Condition<pages::table> {
    let subject: Condition<pages::table> = match users.subject() {
        None => Box::new(true.into_sql::<Bool>()),
        Some(named) => Box::new(pages::subject.eq_any([String::new(), named.unwrap_or_default().to_owned()])),
    };
    let session: Condition<pages::table> = match users.session() {
        None => Box::new(true.into_sql::<Bool>()),
        Some(named) => Box::new(pages::thread.eq(named.unwrap_or_default().to_owned())),
    };
    Box::new(subject.and(session))
}

/// How the reader reaches an item of this partition, kind, profile of its author, subject and session; none if it does not.
pub(super) fn via_of(
    pass: &ReadPass,
    partition: PartitionKey,
    kind: &str,
    profile: Option<Uuid>,
    (subject, session): (Option<&str>, Option<&str>),
) -> Option<Via> {
    let PartitionKey { author, scope, team, .. } = partition;
    if pass.excludes(kind) || !pass.permits_profile(profile) || !pass.users().shows(author, subject, session) {
        return None;
    }
    let mut withheld = pass.withheld().iter().filter(|withheld| withheld.authors.contains(&author));
    if withheld.any(|withheld| withheld.hides(kind, profile, (subject, session))) {
        return None;
    }
    let part = pass.reach().parts().iter().find(|part| part.author() == author && part.covers(scope, team));
    part.map(|part| part.via())
}

/// The end user of a call that writes this draft: a write names the end user of its memory, where the call names none.
pub(super) fn of_draft(user: &CallUser, fields: &MemoryFields) -> CallUser {
    let own =
        EndUser::named(fields.subject.as_ref().map(Scrubbed::as_str), fields.session_id.as_ref().map(Scrubbed::as_str));
    user.naming(&own).unwrap_or_else(|_| user.clone())
}

impl Tx<'_> {
    /// Whether a memory with content is of an end user or a session that the call is not for, in a profile of its author
    /// that keeps these apart or for a bound token.
    pub(crate) fn is_of_other_user(&mut self, user: &CallUser, row: &MemoryRow) -> Result<bool, StoreError> {
        if row.content.is_none() {
            return Ok(false);
        }
        let settings = self.default_settings(row.org_id.org(), row.author_id.workspace())?;
        let (subject, session) = row.end_user();
        let is_readable = user.view(settings.subjects, settings.sessions).permits(subject, session);
        Ok(!is_readable || user.check_write(subject, session).is_err())
    }

    /// What a call for this end user reads as the workspace.
    pub(super) fn users_of(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        user: &CallUser,
    ) -> Result<UserView, StoreError> {
        let settings = self.default_settings(org, workspace)?;
        Ok(user.view(settings.subjects, settings.sessions))
    }
}
