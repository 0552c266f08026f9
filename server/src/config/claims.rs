//! The claims that an identity provider may name differently.

/// A claim that an identity provider may name differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimName {
    /// The name for the audit log.
    Sub,
    /// The role.
    Role,
    /// The workspace of the role.
    Ws,
    /// The id of the token.
    Jti,
    /// The start of validity.
    Nbf,
}

impl ClaimName {
    /// All names.
    pub const ALL: [Self; 5] = [Self::Sub, Self::Role, Self::Ws, Self::Jti, Self::Nbf];

    /// The name in tokens of this server.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sub => "sub",
            Self::Role => "role",
            Self::Ws => "ws",
            Self::Jti => "jti",
            Self::Nbf => "nbf",
        }
    }
}
