use std::fmt;

/// Whose limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LimitLevel {
    Caller,
    Org,
    Server,
}

impl LimitLevel {
    /// The name in settings and in the rate-limit headers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Org => "org",
            Self::Server => "server",
        }
    }
}

/// What is limited in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LimitKind {
    Requests,
    /// Bytes of bodies, from their arrival until the response.
    Bytes,
    /// Event streams.
    Streams,
}

/// The limit that refuses a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LimitExceeded {
    pub(crate) level: LimitLevel,
    /// `None` for the rate of requests.
    pub(crate) kind: Option<LimitKind>,
    pub(crate) limit: usize,
    /// At least 1.
    pub(crate) retry_after_seconds: u64,
}

impl LimitExceeded {
    /// The name of the limit in the rate-limit headers and in the problem.
    pub(crate) fn policy(&self) -> String {
        let level = self.level.name();
        match self.kind {
            None => level.to_owned(),
            Some(LimitKind::Requests) => format!("{level}-requests"),
            Some(LimitKind::Bytes) => format!("{level}-bytes"),
            Some(LimitKind::Streams) => format!("{level}-streams"),
        }
    }

    /// The parameters of `RateLimit-Policy` after the name and the quota.
    pub(crate) fn unit(&self) -> &'static str {
        match self.kind {
            None => "w=60",
            Some(LimitKind::Bytes) => "qu=\"content-bytes\"",
            Some(LimitKind::Requests | LimitKind::Streams) => "qu=\"concurrent-requests\"",
        }
    }

    fn setting(&self) -> String {
        let name = match self.kind {
            None => "requests_per_minute",
            Some(LimitKind::Requests) => "requests_in_flight",
            Some(LimitKind::Bytes) => "bytes_in_flight",
            Some(LimitKind::Streams) => "streams",
        };
        format!("limits.{}.{name}", self.level.name())
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (limit, setting) = (self.limit, self.setting());
        let holder = match self.level {
            LimitLevel::Caller => "this token",
            LimitLevel::Org => "all callers of this org together",
            LimitLevel::Server => "all callers of this server together",
        };
        match self.kind {
            None => write!(
                f,
                "{holder} may send {limit} requests a minute (`{setting}`); try again in {} s",
                self.retry_after_seconds
            ),
            Some(LimitKind::Requests) => write!(
                f,
                "{holder} may have {limit} requests in flight (`{setting}`); try again when one of them has its response"
            ),
            Some(LimitKind::Bytes) => write!(
                f,
                "{holder} may have {limit} bytes of bodies in flight (`{setting}`); try again when a request has its \
                 response, or send a smaller body"
            ),
            Some(LimitKind::Streams) => {
                write!(f, "{holder} may have {limit} event streams open (`{setting}`); close one of them first")
            }
        }
    }
}

impl std::error::Error for LimitExceeded {}
