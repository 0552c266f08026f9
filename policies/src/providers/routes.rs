//! Routes: which providers an item or a query is sent to.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

/// Surfaces that never get a provider, whatever the settings say.
pub const CLOSED_SURFACES: [&str; 4] = ["money", "erp", "catalog", "aggregation"];

/// Whether a surface never gets a provider. Case, width and surrounding white space of its name do not matter.
///
/// ```
/// use orgmem_policies::providers::is_closed;
///
/// assert!(is_closed(" Money", &[]) && is_closed("pos", &["POS".to_owned()]));
/// assert!(!is_closed("phone", &[]));
/// ```
#[must_use]
pub fn is_closed(surface: &str, also_closed: &[String]) -> bool {
    let surface = folded(surface);
    CLOSED_SURFACES.contains(&surface.as_str()) || also_closed.iter().any(|closed| folded(closed) == surface)
}

fn folded(surface: &str) -> String {
    surface.trim().nfkc().flat_map(char::to_lowercase).collect()
}

/// A provider and the surfaces that it shadows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShadowedSurfaces {
    /// The name of the provider in the settings.
    pub provider: String,
    /// Values of `channel`.
    pub surfaces: BTreeSet<String>,
}

/// The providers of a server and the surfaces without one.
#[derive(Clone, Debug, Default)]
pub struct ProviderRules {
    also_closed: Vec<String>,
    providers: Vec<ShadowedSurfaces>,
}

/// Permits sending one item or query to one provider.
///
/// ```compile_fail
/// use orgmem_policies::providers::ProviderRoute;
/// let route = ProviderRoute { provider: "acme".into(), surface: "money".into() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProviderRoute {
    provider: String,
    surface: String,
}

impl ProviderRoute {
    /// The name of the provider.
    #[must_use]
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The surface, which is a `channel`.
    #[must_use]
    pub fn surface(&self) -> &str {
        &self.surface
    }
}

impl ProviderRules {
    /// Rules for these providers. `also_closed` are further surfaces without a provider.
    #[must_use]
    pub fn new(also_closed: Vec<String>, providers: Vec<ShadowedSurfaces>) -> Self {
        Self { also_closed, providers }
    }

    /// The providers that a query on this channel is sent to. Without a channel there are none.
    #[must_use]
    pub fn routes(&self, channel: Option<&str>) -> Vec<ProviderRoute> {
        let Some(channel) = channel.filter(|channel| !is_closed(channel, &self.also_closed)) else { return Vec::new() };
        let shadowing = self.providers.iter().filter(|provider| provider.surfaces.contains(channel));
        let route = |provider: &ShadowedSurfaces| ProviderRoute {
            provider: provider.provider.clone(),
            surface: channel.to_owned(),
        };
        shadowing.map(route).collect()
    }

    /// The providers that an item on this channel is sent to. An item without a kind, or of an excluded one, is sent to
    /// none.
    #[must_use]
    pub fn item_routes(
        &self,
        channel: Option<&str>,
        kind: Option<&str>,
        is_excluded: impl Fn(&str) -> bool,
    ) -> Vec<ProviderRoute> {
        let kind = kind.filter(|kind| !kind.trim().is_empty());
        if kind.is_none_or(is_excluded) { Vec::new() } else { self.routes(channel) }
    }

    /// The providers that a page is sent to: those that shadow the one channel of all its sources.
    #[must_use]
    pub fn page_routes<'c>(&self, channels: impl IntoIterator<Item = Option<&'c str>>) -> Vec<ProviderRoute> {
        let mut channels = channels.into_iter();
        let Some(first) = channels.next() else { return Vec::new() };
        if channels.all(|channel| channel == first) { self.routes(first) } else { Vec::new() }
    }
}
