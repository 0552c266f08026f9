//! A provider behind the memory-plugin contract.
//!
//! Source: `docs/spec/plugin.md`.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use orgmem_types::{Source, WritePluginMemory};
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::interface::{ItemChange, MemoryProvider, ProviderFault, ProviderHealth, Retrieval, SentItem};
use crate::config::ProviderSettings;
use crate::outbound::{FetchFault, OutboundClient, OutboundError};

pub(super) struct PluginProvider {
    client: OutboundClient,
    url: String,
}

/// The part of a response that is read: ids, never text.
#[derive(Deserialize)]
struct FoundIds {
    memories: Vec<FoundId>,
}

#[derive(Deserialize)]
struct FoundId {
    id: Uuid,
}

#[derive(Deserialize)]
struct Health {
    status: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    capabilities: Vec<String>,
}

impl PluginProvider {
    /// # Errors
    /// [`OutboundError`] of its settings.
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, OutboundError> {
        let client = OutboundClient::new(&settings.outbound, &format!("providers.{}", settings.name))?;
        Ok(Self { client, url: settings.url.clone() })
    }

    /// The status and the body of a response that is no fault of the engine.
    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(StatusCode, Vec<u8>), ProviderFault> {
        let mut request = self.client.request(method, &format!("{}{path}", self.url));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let (status, body) = self.client.send(request).await?;
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            return Err(FetchFault::Status(status.as_u16()).into());
        }
        Ok((status, body))
    }

    async fn put(&self, item: &SentItem) -> Result<(), ProviderFault> {
        // the id of a memory of another namespace is taken there
        if let Some(former) = &item.former {
            self.withdraw(item.id, former).await?;
        }
        if self.write(item).await? == StatusCode::NOT_FOUND {
            let kind = item.namespace.split(':').next().unwrap_or_default();
            let path = format!("/v1/namespaces/{}", item.namespace);
            done(self.call(Method::PUT, &path, Some(json!({"kind": kind}))).await?.0)?;
            return done(self.write(item).await?);
        }
        Ok(())
    }

    /// The status of a success, or [`StatusCode::NOT_FOUND`] where the namespace is missing.
    async fn write(&self, item: &SentItem) -> Result<StatusCode, ProviderFault> {
        let memory = WritePluginMemory {
            id: Some(item.id),
            content: item.text.clone(),
            kind: item.kind.to_owned(),
            source: Source::Runtime,
            expires_at: item.expires_at,
            propagation: None,
            pin: None,
            embedding: None,
        };
        // strings and numbers always have a JSON form
        let body = serde_json::to_value(memory).unwrap_or_default();
        let path = format!("/v1/namespaces/{}/memories", item.namespace);
        let (status, _) = self.call(Method::POST, &path, Some(body)).await?;
        if status != StatusCode::NOT_FOUND {
            done(status)?;
        }
        Ok(status)
    }

    /// An item that the engine has no more is withdrawn.
    async fn withdraw(&self, id: Uuid, namespace: &str) -> Result<(), ProviderFault> {
        let body = json!({"requested_by_namespace": namespace});
        let (status, _) = self.call(Method::DELETE, &format!("/v1/memories/{id}"), Some(body)).await?;
        if status == StatusCode::NOT_FOUND { Ok(()) } else { done(status) }
    }

    async fn change(&self, change: &ItemChange) -> Result<(), ProviderFault> {
        match change {
            ItemChange::Put(item) => self.put(item).await,
            ItemChange::Withdraw { id, namespace } => self.withdraw(*id, namespace).await,
        }
    }
}

fn done(status: StatusCode) -> Result<(), ProviderFault> {
    if status.is_success() { Ok(()) } else { Err(ProviderFault::Refused(status.as_u16())) }
}

impl MemoryProvider for PluginProvider {
    fn record<'p>(&'p self, change: &'p ItemChange) -> BoxFuture<'p, Result<(), ProviderFault>> {
        self.change(change).boxed()
    }

    /// The contract has no pages: an engine receives them as memories of the kind `summary`.
    fn compact<'p>(&'p self, change: &'p ItemChange) -> BoxFuture<'p, Result<(), ProviderFault>> {
        self.change(change).boxed()
    }

    fn retrieve<'p>(&'p self, retrieval: &'p Retrieval) -> BoxFuture<'p, Result<Vec<Uuid>, ProviderFault>> {
        async move {
            let Retrieval { namespaces, query, limit, .. } = retrieval;
            let body = json!({"namespaces": namespaces, "query": query, "limit": limit});
            let (status, body) = self.call(Method::POST, "/v1/search", Some(body)).await?;
            done(status)?;
            let found: FoundIds = serde_json::from_slice(&body).map_err(|_| FetchFault::NotJson)?;
            Ok(found.memories.into_iter().map(|found| found.id).take(*limit).collect())
        }
        .boxed()
    }

    fn audit(&self) -> BoxFuture<'_, Result<ProviderHealth, ProviderFault>> {
        async move {
            let (status, body) = self.call(Method::GET, "/v1/health", None).await?;
            done(status)?;
            let health: Health = serde_json::from_slice(&body).map_err(|_| FetchFault::NotJson)?;
            let Health { status, version, capabilities } = health;
            if status == "ok" { Ok(ProviderHealth { version, capabilities }) } else { Err(FetchFault::NotJson.into()) }
        }
        .boxed()
    }
}
