//! End users: whose memories a call reads, and for whom it writes.
//!
//! A call may be for one end user and one session of that user: those that its token is bound to, or that it names. A
//! profile with `subjects: separate` or `sessions: separate` then reads only the memories of that user or session, besides
//! those without one; so does every call with a bound token, whatever the profile.
//!
//! Source: `docs/spec/tiers.md`, "End users apart".

use std::sync::Arc;

use orgmem_hierarchy::WorkspaceId;
use uuid::Uuid;

use crate::grants::Granted;
use crate::{Forbidden, Sharing};

/// An end user and a session, each if it is named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EndUser {
    /// The subject of the end user.
    pub subject: Option<Arc<str>>,
    /// The session.
    pub session: Option<Arc<str>>,
}

impl EndUser {
    /// The end user with these names.
    #[must_use]
    pub fn named(subject: Option<&str>, session: Option<&str>) -> Self {
        Self { subject: subject.map(Arc::from), session: session.map(Arc::from) }
    }

    /// Whether neither is named.
    #[must_use]
    pub fn is_nobody(&self) -> bool {
        self.subject.is_none() && self.session.is_none()
    }
}

/// For whom a call is: the end user that its token is bound to, and the one that the call names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallUser {
    bound: EndUser,
    // INVARIANT: equal to `bound` where that is `Some`
    named: EndUser,
}

impl CallUser {
    /// The end user of a token.
    #[must_use]
    pub fn bound_to(bound: EndUser) -> Self {
        Self { named: bound.clone(), bound }
    }

    /// The end user of the token.
    #[must_use]
    pub fn bound(&self) -> &EndUser {
        &self.bound
    }

    /// Whether the token is bound to an end user or a session.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        !self.bound.is_nobody()
    }

    /// The subject that the call is for.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.named.subject.as_deref()
    }

    /// The session that the call is for.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.named.session.as_deref()
    }

    /// The same for a call that also names `other`.
    ///
    /// # Errors
    /// [`Forbidden::OtherEndUser`] where the token or the call already names another one.
    pub fn naming(&self, other: &EndUser) -> Result<Self, Forbidden> {
        let one = |field, known: &Option<Arc<str>>, other: &Option<Arc<str>>| match (known, other) {
            (Some(known), Some(other)) if known != other => Err(Forbidden::OtherEndUser { field }),
            (Some(known), _) => Ok(Some(Arc::clone(known))),
            (None, other) => Ok(other.clone()),
        };
        let subject = one("subject", &self.named.subject, &other.subject)?;
        let session = one("session_id", &self.named.session, &other.session)?;
        Ok(Self { bound: self.bound.clone(), named: EndUser { subject, session } })
    }

    /// The memories that the call reads under a profile.
    #[must_use]
    pub fn view(&self, subjects: Sharing, sessions: Sharing) -> UserView {
        let one = |sharing, bound: &Option<Arc<str>>, named: &Option<Arc<str>>| match sharing {
            Sharing::Open if bound.is_none() => Named::Any,
            Sharing::Open | Sharing::Separate => Named::Only(named.clone()),
        };
        UserView {
            subject: one(subjects, &self.bound.subject, &self.named.subject),
            session: one(sessions, &self.bound.session, &self.named.session),
            granted: None,
        }
    }

    /// Whether the call may write a memory with this subject and session: with a bound token only one of its own.
    ///
    /// # Errors
    /// The name of the field that names another end user or none.
    pub fn check_write(&self, subject: Option<&str>, session: Option<&str>) -> Result<(), &'static str> {
        let is_own = |bound: &Option<Arc<str>>, value: Option<&str>| bound.is_none() || bound.as_deref() == value;
        if !is_own(&self.bound.subject, subject) {
            return Err("subject");
        }
        if is_own(&self.bound.session, session) { Ok(()) } else { Err("session_id") }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Named {
    #[default]
    Any,
    Only(Option<Arc<str>>),
}

impl Named {
    fn permits(&self, value: Option<&str>) -> bool {
        match (self, value) {
            (Self::Any, _) | (Self::Only(_), None) => true,
            (Self::Only(named), Some(value)) => named.as_deref() == Some(value),
        }
    }

    fn limit(&self) -> Option<Option<&str>> {
        match self {
            Self::Any => None,
            Self::Only(named) => Some(named.as_deref()),
        }
    }
}

/// The memories of end users that a call reads. The default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserView {
    subject: Named,
    session: Named,
    /// Memories of other sessions. They are visible in searches of memories, counts and reads by id, nowhere else.
    pub(crate) granted: Option<Arc<Granted>>,
}

impl UserView {
    /// Whether memories of all end users and sessions are readable.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.subject == Named::Any && self.session == Named::Any
    }

    /// Whether items with this subject and session are readable without a grant.
    ///
    /// ```
    /// use orgmem_policies::{CallUser, EndUser, Sharing};
    ///
    /// let ada = CallUser::bound_to(EndUser::named(Some("ada"), None)).view(Sharing::Open, Sharing::Open);
    /// assert!(ada.permits(Some("ada"), Some("s-1")) && ada.permits(None, None));
    /// assert!(!ada.permits(Some("eve"), None));
    /// ```
    #[must_use]
    pub fn permits(&self, subject: Option<&str>, session: Option<&str>) -> bool {
        self.subject.permits(subject) && self.session.permits(session)
    }

    /// Whether memories of this author, subject and session are readable, also under a grant.
    #[must_use]
    pub fn shows(&self, author: WorkspaceId, subject: Option<&str>, session: Option<&str>) -> bool {
        self.permits(subject, session) || self.granted_by(author, subject, session).is_some()
    }

    /// The grant without which memories of this author, subject and session would not be readable.
    #[must_use]
    pub fn granted_by(&self, author: WorkspaceId, subject: Option<&str>, session: Option<&str>) -> Option<Uuid> {
        let granted = self.granted.as_ref()?;
        if self.permits(subject, session) || !self.subject.permits(subject) {
            return None;
        }
        granted.find(author, subject, session)
    }

    /// The grants that show memories to the call, in order.
    #[must_use]
    pub fn grants(&self) -> Vec<Uuid> {
        let mut ids: Vec<Uuid> = self.granted.iter().flat_map(|granted| granted.ids()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The only readable subject, besides none; `None` where all are readable, `Some(None)` where none is.
    #[must_use]
    pub fn subject(&self) -> Option<Option<&str>> {
        self.subject.limit()
    }

    /// The only session readable without a grant, besides none; `None` where all are readable, `Some(None)` where none is.
    #[must_use]
    pub fn session(&self) -> Option<Option<&str>> {
        self.session.limit()
    }
}
