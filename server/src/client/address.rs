use std::fmt;

use reqwest::Url;

use super::ClientError;

/// The address of a server: http or https, a host, and optionally the path of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Parses an address such as `http://127.0.0.1:7070`. Slashes at the end have no meaning.
    ///
    /// # Errors
    /// [`ClientError::Address`] for other text, and for an address with a user, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, ClientError> {
        let refused = || ClientError::Address(text.to_owned());
        let mut url = Url::parse(text.trim()).map_err(|_| refused())?;
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        let is_plain = url.username().is_empty() && url.password().is_none();
        let is_bare = url.query().is_none() && url.fragment().is_none();
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        if is_web && is_plain && is_bare { Ok(Self(url)) } else { Err(refused()) }
    }

    /// Whether the host is this machine, by name or by number.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Whether `other` is this address, possibly as `localhost`. Other names are not resolved: they may lead to another
    /// address of the machine, where another program listens.
    pub(crate) fn matches(&self, other: &Self) -> bool {
        let mut other = other.0.clone();
        if self.is_loopback() && other.host_str() == Some("localhost") {
            // cannot fail, as both have a host
            let _ = other.set_host(self.0.host_str());
        }
        other == self.0
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Appends the segments of `path`, escaped as needed.
    ///
    /// # Errors
    /// [`ClientError::Unaddressable`] for the segments that URLs cannot contain: an empty one, `.` and `..`.
    pub fn join(&self, path: &[&str]) -> Result<Url, ClientError> {
        if let Some(segment) = path.iter().find(|segment| matches!(**segment, "" | "." | "..")) {
            return Err(ClientError::Unaddressable((*segment).to_owned()));
        }
        let mut url = self.0.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        Ok(url)
    }
}

/// Without a trailing slash.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).expect("an address")
    }

    #[test]
    fn only_plain_http_addresses_are_accepted() {
        for text in ["http://127.0.0.1:7070", "https://memory.example.org/orgmem/", " http://localhost "] {
            assert!(Address::parse(text).is_ok(), "{text}");
        }
        let others =
            ["", "127.0.0.1:7070", "ftp://host", "http://", "http://me:pw@host", "http://host/?a=b", "file:///x"];
        for text in others {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn loopback_excludes_similar_names() {
        for text in ["http://127.0.0.1:7070", "http://127.8.9.1", "http://[::1]:7070", "http://LOCALHOST"] {
            assert!(address(text).is_loopback(), "{text}");
        }
        for text in ["http://10.0.0.1", "http://localhost.example.org", "http://127.0.0.1.example.org", "http://[::2]"]
        {
            assert!(!address(text).is_loopback(), "{text}");
        }
    }

    #[test]
    fn address_matches_itself_and_localhost() {
        let own = address("http://127.0.0.1:7070");
        for text in
            ["http://127.0.0.1:7070", "http://127.0.0.1:7070/", "http://127.0.0.1:7070//", "http://localhost:7070"]
        {
            assert!(own.matches(&address(text)), "{text}");
        }
        for text in [
            "http://127.0.0.1:7071",
            "http://127.0.0.2:7070",
            "http://localhost",
            "https://127.0.0.1:7070",
            "http://[::1]:7070",
        ] {
            assert!(!own.matches(&address(text)), "{text}");
        }
        assert!(!address("http://10.0.0.5:7070").matches(&address("http://localhost:7070")));
    }

    #[test]
    fn segments_are_escaped_and_appended() {
        let url = address("https://host/orgmem/").join(&["memory", "a/b ?#%é"]).expect("a URL");
        assert_eq!(url.as_str(), "https://host/orgmem/memory/a%2Fb%20%3F%23%25%C3%A9");
        for text in ["https://host/orgmem", "https://host/orgmem//", "https://host/orgmem///"] {
            assert_eq!(address(text).join(&["mcp"]).expect("a URL").as_str(), "https://host/orgmem/mcp", "{text}");
        }
        for text in ["https://host", "https://host/", "https://host//"] {
            assert_eq!(address(text).join(&["mcp"]).expect("a URL").as_str(), "https://host/mcp", "{text}");
        }
    }

    #[test]
    fn empty_and_dot_segments_are_refused() {
        for segment in ["", ".", ".."] {
            assert!(address("http://host").join(&["memory", segment]).is_err(), "`{segment}`");
        }
        assert!(address("http://host").join(&["memory", "..."]).is_ok());
    }

    #[test]
    fn address_is_displayed_without_trailing_slash() {
        for text in ["http://127.0.0.1:7070", "http://127.0.0.1:7070/", "http://127.0.0.1:7070//"] {
            assert_eq!(address(text).to_string(), "http://127.0.0.1:7070");
        }
    }
}
