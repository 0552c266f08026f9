use std::fmt;

use reqwest::Url;

use super::ClientError;

/// The address of a server: http or https, a host, and a path when a proxy put it under one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Reads an address such as `http://127.0.0.1:7070`.
    ///
    /// # Errors
    /// [`ClientError::Address`] for anything else, an address with a user, a query or a fragment included.
    pub fn parse(text: &str) -> Result<Self, ClientError> {
        let refused = || ClientError::Address(text.to_owned());
        let url = Url::parse(text.trim()).map_err(|_| refused())?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        let is_bare = url.query().is_none() && url.fragment().is_none();
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        if is_web && is_plain && is_bare { Ok(Self(url)) } else { Err(refused()) }
    }

    /// Whether it is this machine, by name or by number.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Whether `asked` names this very address, be it as `localhost`. A name is not looked up: it may lead to another of
    /// the machine's addresses, at which somebody else listens.
    pub(crate) fn is_meant_by(&self, asked: &Self) -> bool {
        let mut asked = asked.0.clone();
        if self.is_loopback() && asked.host_str() == Some("localhost") {
            // both have a host: neither is refused
            let _ = asked.set_host(self.0.host_str());
        }
        asked == self.0
    }

    /// Whether what is sent there is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The address of what lies below it at `path`, segment by segment, each escaped as needed.
    ///
    /// # Errors
    /// [`ClientError::Unaddressable`] for a segment that no URL can carry: an empty one, `.` and `..`.
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

/// Without the slash at its end.
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
    fn only_the_web_address_of_a_server_is_one() {
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
    fn loopback_is_this_machine_and_no_name_like_it() {
        for text in ["http://127.0.0.1:7070", "http://127.8.9.1", "http://[::1]:7070", "http://LOCALHOST"] {
            assert!(address(text).is_loopback(), "{text}");
        }
        for text in ["http://10.0.0.1", "http://localhost.example.org", "http://127.0.0.1.example.org", "http://[::2]"]
        {
            assert!(!address(text).is_loopback(), "{text}");
        }
    }

    #[test]
    fn an_address_is_meant_by_itself_and_by_localhost() {
        let own = address("http://127.0.0.1:7070");
        for text in ["http://127.0.0.1:7070", "http://127.0.0.1:7070/", "http://localhost:7070"] {
            assert!(own.is_meant_by(&address(text)), "{text}");
        }
        for text in [
            "http://127.0.0.1:7071",
            "http://127.0.0.2:7070",
            "http://localhost",
            "https://127.0.0.1:7070",
            "http://[::1]:7070",
        ] {
            assert!(!own.is_meant_by(&address(text)), "{text}");
        }
        assert!(!address("http://10.0.0.5:7070").is_meant_by(&address("http://localhost:7070")));
    }

    #[test]
    fn segments_are_escaped_and_go_below_the_address() {
        let url = address("https://host/orgmem/").join(&["memory", "a/b ?#%é"]).expect("a URL");
        assert_eq!(url.as_str(), "https://host/orgmem/memory/a%2Fb%20%3F%23%25%C3%A9");
    }

    #[test]
    fn a_segment_that_would_climb_is_refused() {
        for segment in ["", ".", ".."] {
            assert!(address("http://host").join(&["memory", segment]).is_err(), "`{segment}`");
        }
        assert!(address("http://host").join(&["memory", "..."]).is_ok());
    }

    #[test]
    fn an_address_reads_as_it_is_typed() {
        assert_eq!(address("http://127.0.0.1:7070").to_string(), "http://127.0.0.1:7070");
    }
}
