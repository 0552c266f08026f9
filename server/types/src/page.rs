//! Pages of lists without filters.

use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// Query of a list of at most 200 rows a page. A page may have fewer rows than `limit` before the last page.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}
