//! Key/value entries.

use orgmem_types::{Deleted, Entry, ListEntries, PutEntry, PutEntryResponse};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError, Page};

impl Client {
    /// `GET /workspaces/{id}/memory`: one page of the live entries, by key.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_entries(&self, id: Uuid, query: &ListEntries) -> Result<Page<Entry>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces", &id.to_string(), "memory"])?.query(query)).await
    }

    /// `GET /workspaces/{id}/memory/{key}`.
    ///
    /// # Errors
    /// [`ClientError`]; [`ClientError::Unaddressable`] for a key that is not valid in a URL.
    pub async fn read_entry(&self, id: Uuid, key: &str) -> Result<Entry, ClientError> {
        self.answer(self.request(Method::GET, &["workspaces", &id.to_string(), "memory", key])?).await
    }

    /// `POST /workspaces/{id}/memory`.
    ///
    /// # Errors
    /// [`ClientError`]; [`ClientError::Unaddressable`] for a key that could not be read or dropped by name.
    pub async fn put_entry(&self, id: Uuid, entry: &PutEntry) -> Result<PutEntryResponse, ClientError> {
        if matches!(entry.key.as_str(), "." | "..") {
            return Err(ClientError::Unaddressable(entry.key.clone()));
        }
        self.answer(self.request(Method::POST, &["workspaces", &id.to_string(), "memory"])?.json(entry)).await
    }

    /// `DELETE /workspaces/{id}/memory/{key}`.
    ///
    /// # Errors
    /// [`ClientError`]; [`ClientError::Unaddressable`] for a key that is not valid in a URL.
    pub async fn drop_entry(&self, id: Uuid, key: &str) -> Result<Deleted, ClientError> {
        self.answer(self.request(Method::DELETE, &["workspaces", &id.to_string(), "memory", key])?).await
    }
}
