//! The end user of a call: who it names, and for whom it writes.

use orgmem_policies::{CallUser, EndUser, Forbidden, Role, UserView};
use orgmem_store::ReadTx;

use super::AppError;
use super::call::Call;
use crate::auth::VerifiedClaims;

/// Who writes: the role, and the end user of the call.
#[derive(Clone)]
pub(super) struct Writer {
    pub(super) role: Role,
    user: CallUser,
}

impl Writer {
    /// A writer without an end user.
    pub(super) fn of_role(role: Role) -> Self {
        Self { role, user: CallUser::default() }
    }

    /// Fills the subject and the session of a write, where the request has none, with those of the call.
    ///
    /// # Errors
    /// [`Forbidden::OtherEndUser`] where the request names others.
    pub(super) fn fill(&self, subject: &mut Option<String>, session: &mut Option<String>) -> Result<(), AppError> {
        let user = self.user.naming(&EndUser::named(subject.as_deref(), session.as_deref()));
        let user = user.map_err(AppError::Forbidden)?;
        let fill = |field: &mut Option<String>, value: Option<&str>| {
            if field.is_none() {
                *field = value.map(str::to_owned);
            }
        };
        fill(subject, user.subject());
        fill(session, user.session());
        Ok(())
    }
}

impl VerifiedClaims {
    pub(super) fn writer(&self) -> Writer {
        Writer { role: self.identity().role, user: self.identity().user.clone() }
    }

    /// The subject that the call is for.
    pub(super) fn subject_of_call(&self) -> Option<String> {
        self.identity().user.subject().map(str::to_owned)
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// Makes the call one for the end user that its parameters name.
    ///
    /// # Errors
    /// [`Forbidden::OtherEndUser`] where the token or a header names another one.
    pub(super) fn name(&mut self, subject: Option<&str>, session: Option<&str>) -> Result<(), AppError> {
        let named = self.caller.naming(&EndUser::named(subject, session));
        self.caller = named.map_err(AppError::Forbidden)?;
        Ok(())
    }

    /// What the call reads as its workspace.
    pub(super) fn users(&mut self) -> Result<UserView, AppError> {
        let settings = self.tx.default_settings(self.org, self.workspace)?;
        Ok(self.caller.user().view(settings.subjects, settings.sessions))
    }

    /// Refuses a bound token for data that concerns all end users.
    ///
    /// # Errors
    /// [`Forbidden::BoundToken`].
    pub(super) fn refuse_bound(&self, phrase: &'static str) -> Result<(), AppError> {
        match self.caller.user().is_bound() {
            true => Err(AppError::Forbidden(Forbidden::BoundToken(phrase))),
            false => Ok(()),
        }
    }
}
