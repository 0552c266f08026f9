//! The requirements that differ by the origin of a key: issuer, audience, and the names of claims.

use orgmem_policies::Role;
use serde_json::{Map, Value};

use super::TokenRefusal;
use super::key::Key;
use crate::config::ClaimName;

/// A key and the requirements for its tokens.
#[derive(Clone, Debug)]
pub(super) struct TrustedKey {
    pub(super) key: Key,
    pub(super) trust: std::sync::Arc<Trust>,
}

/// The requirements for the tokens of one issuer.
#[derive(Clone, Debug, Default)]
pub(super) struct Trust {
    pub(super) issuer: String,
    pub(super) audience: String,
    /// Claims that the issuer names differently.
    pub(super) claims: Vec<(ClaimName, String)>,
    /// Values of the claim `role` and their roles, the first match first.
    pub(super) roles: Vec<(String, Role)>,
}

impl Trust {
    /// Renames the claims of the issuer to those of this server. A claim with a name of its own is ignored if it is mapped
    /// to another one.
    pub(super) fn rename(&self, claims: &mut Map<String, Value>) {
        let given = claims.clone();
        for (name, theirs) in &self.claims {
            match claim(&given, theirs) {
                Some(value) => claims.insert(name.as_str().to_owned(), value.clone()),
                None => claims.remove(name.as_str()),
            };
        }
    }

    /// The role of a token: the claim itself, or the role of the first mapped value that the claim is or contains.
    pub(super) fn role(&self, value: &Value) -> Result<Role, TokenRefusal> {
        let holds = |word: &str| match value {
            Value::Array(items) => items.iter().any(|item| item == word),
            value => value == word,
        };
        if !self.roles.is_empty() {
            let found = self.roles.iter().find(|(word, _)| holds(word)).map(|(_, role)| *role);
            return found.ok_or(TokenRefusal::NoMappedRole);
        }
        let known = value.as_str().and_then(|text| text.parse().ok());
        known.ok_or(TokenRefusal::ClaimMistyped { claim: "role", expected: "`agent`, `viewer`, `operator` or `admin`" })
    }
}

/// The claim with this name or, below objects, with this path such as `realm_access.roles`.
fn claim<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    claims.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        claim(claims.get(first)?.as_object()?, rest)
    })
}
