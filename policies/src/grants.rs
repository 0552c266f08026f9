//! Grants: the consent of an end user that other sessions are read.
//!
//! A grant belongs to the workspace that wrote the memories of these sessions. It lifts the separation of sessions, of a
//! profile or of a bound token, for the memories of one end user, and nothing else: the reach of the reader, its profile
//! and the separation of end users decide first.
//!
//! Source: `docs/spec/tiers.md`, "Grants".

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Tree, WorkspaceId};
use uuid::Uuid;

use crate::passes::pass;
use crate::{CallUser, Caller, Permission, ReadPass, Refusal, permit};

/// A grant, as reads apply it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionGrant {
    /// Id of the grant.
    pub id: Uuid,
    /// The author of the memories.
    pub workspace: WorkspaceId,
    /// The end user who agreed, and whom the memories are about.
    pub subject: String,
    /// The sessions of the author that may be read; all if absent.
    pub sessions: Option<Vec<String>>,
    /// The workspace that may read.
    pub to_workspace: WorkspaceId,
    /// The only session that may read; any session of the end user if absent.
    pub to_session: Option<String>,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
}

impl SessionGrant {
    /// Whether a call of `reader` at `now` reads under the grant: it is for the end user who agreed and, if the grant names
    /// one, in that session. A token that is bound to a session reads only under grants for this session.
    #[must_use]
    pub fn is_for(&self, user: &CallUser, reader: WorkspaceId, now: DateTime<Utc>) -> bool {
        let is_in_session = match &self.to_session {
            Some(session) => user.session() == Some(session),
            None => user.bound().session.is_none(),
        };
        self.to_workspace == reader
            && user.subject() == Some(self.subject.as_str())
            && is_in_session
            && self.expires_at.is_none_or(|end| now < end)
    }
}

/// The memories of one end user that grants show to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Granted {
    subject: Arc<str>,
    /// The grant by author and session; without a session for all of them.
    by_session: HashMap<WorkspaceId, HashMap<Option<String>, Uuid>>,
}

impl Granted {
    /// None if no grant is for the call.
    fn to(user: &CallUser, reader: WorkspaceId, now: DateTime<Utc>, grants: &[SessionGrant]) -> Option<Self> {
        let subject = Arc::from(user.subject()?);
        let mut by_session: HashMap<WorkspaceId, HashMap<Option<String>, Uuid>> = HashMap::new();
        for grant in grants.iter().filter(|grant| grant.is_for(user, reader, now)) {
            let of_author = by_session.entry(grant.workspace).or_default();
            let sessions: Vec<Option<String>> = match &grant.sessions {
                Some(sessions) => sessions.iter().cloned().map(Some).collect(),
                None => vec![None],
            };
            for session in sessions {
                // the oldest of several, so that the answer does not depend on their order
                let known = of_author.entry(session).or_insert(grant.id);
                *known = (*known).min(grant.id);
            }
        }
        (!by_session.is_empty()).then_some(Self { subject, by_session })
    }

    /// The grant that shows memories of this author, subject and session.
    pub(crate) fn find(&self, author: WorkspaceId, subject: Option<&str>, session: Option<&str>) -> Option<Uuid> {
        let session = session.filter(|_| subject == Some(&*self.subject))?;
        let of_author = self.by_session.get(&author)?;
        let of_all = of_author.get(&None);
        let of_session = of_author.get(&Some(session.to_owned()));
        of_all.into_iter().chain(of_session).min().copied()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = Uuid> {
        self.by_session.values().flat_map(HashMap::values).copied()
    }
}

impl ReadPass {
    /// The pass of a call that also reads the memories which these grants show at `now`. Grants for others change nothing.
    ///
    /// # Source
    /// `docs/spec/tiers.md`, "Grants".
    #[must_use]
    pub fn under(mut self, caller: &Caller, grants: &[SessionGrant], now: DateTime<Utc>) -> Self {
        if self.users.session().is_some() {
            let granted = Granted::to(caller.user(), self.reader(), now, grants);
            self.users.granted = granted.map(Arc::new);
        }
        self
    }
}

pass! {
    /// Permits giving and revoking grants of one workspace.
    GrantPass {
        /// The workspace.
        workspace: WorkspaceId,
        /// The only end user whose grants they are; all if absent.
        subject: Option<Arc<str>> => Option<Arc<str>>,
    }
}

impl GrantPass {
    /// Permits `caller` to give and revoke grants of `workspace`: an operator or an admin for every end user, and a token
    /// that is bound to an end user, but not to a session, for that one.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`].
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        let bound = caller.user().bound();
        // a token that is bound to a session may not lift its own limit
        let subject = bound.subject.clone().filter(|_| bound.session.is_none());
        let permission = if subject.is_some() { Permission::WriteMemories } else { Permission::ManageGrants };
        permit(caller, permission, tree, workspace)?;
        Ok(Self { org: tree.org(), workspace, subject })
    }

    /// Whether the pass permits grants of this end user.
    #[must_use]
    pub fn is_about(&self, subject: &str) -> bool {
        self.subject.as_deref().is_none_or(|own| own == subject)
    }
}
