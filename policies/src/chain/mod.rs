//! The hash chain of the audit log: encoding of rows, links between rows, and verification.
//!
//! The hash of a row does not include its number. A link is the hash of the previous link, the row's number and the
//! row's hash. A [`Seal`] contains the hashes of a range of rows and the link after the last of them, signed with a key
//! that is not in the database. Verification finds changed, deleted, swapped and inserted rows and names the row.
//!
//! ```
//! use orgmem_policies::chain::{Checked, GENESIS, Link, SealKey, Seal, check};
//!
//! let key = SealKey::new(b"a secret of the server's that is long enough");
//! let org = uuid::Uuid::from_u128(1);
//! let rows = [(1, [7; 32]), (2, [8; 32])];
//! let seal = Seal::of(org, GENESIS, &rows, &key)?;
//!
//! let keys = std::slice::from_ref(&key);
//! assert_eq!(check(org, &GENESIS, &seal, &rows, keys), Ok(Checked { link: seal.link, rows: 2 }));
//! let swapped = [(1, [8; 32]), (2, [7; 32])];
//! let fault = check(org, &GENESIS, &seal, &swapped, keys).unwrap_err();
//! assert_eq!(fault.to_string(), "row 1 of the audit log was replaced by row 2");
//! # Ok::<(), orgmem_policies::chain::NotInOrder>(())
//! ```
//!
//! Source: `docs/spec/access-log.md`, "The chain".

mod check;
mod key;
mod link;
mod row;
mod seal;

pub use check::{ChainFault, Checked, check, check_order};
pub use key::{KeyId, SealKey};
pub use link::{GENESIS, Link, RowHash};
pub use row::ChainRow;
pub use seal::{NotInOrder, Seal};
