//! Verification of an audit log outside of a running store.

use std::sync::Arc;

use orgmem_policies::chain::{ChainFault, SealKey};

use super::{Conn, Tx, TxKind};
use crate::columns::Id;
use crate::contract::CheckedPart;
use crate::engine::Core;
use crate::{StoreError, SystemClock};

/// Verifies the audit log of an org from its beginning. Returns the number of its rows.
pub(super) fn verify(conn: &mut Conn, org: Id, keys: &[SealKey]) -> Result<Result<u64, ChainFault>, StoreError> {
    let core = Core::new(Arc::new(SystemClock), 0);
    let (mut rows, mut after) = (0, None);
    loop {
        let mut part = CheckedPart { sealed: 0, unsealed: 0, last: 0, more: None, fault: None };
        let mut tx = Tx::new(Some(&mut *conn), &core, TxKind::Read);
        if let Err(fault) = tx.check_sealed_ranges(org.org(), after.as_ref(), keys, None, &mut part)? {
            return Ok(Err(fault));
        }
        rows += (part.sealed + part.unsealed) as u64;
        after = part.more;
        if after.is_none() {
            return Ok(Ok(rows));
        }
    }
}
