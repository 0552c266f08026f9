//! The chain of the access log: how a row becomes bytes, how rows are linked, and how a chain is checked.
//!
//! A row is hashed without its number; the link after it is the hash of the link before it, its number and its hash. A
//! [`Seal`] holds the hashes of one stretch of rows and the link after the last of them, vouched for by a key that the
//! database does not have. So whoever changes, takes out, swaps or adds rows is found, and which row it was.
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
//! assert_eq!(fault.to_string(), "row 1 of the access log is not the one that was sealed there, but the one of row 2");
//! # Ok::<(), orgmem_policies::chain::NotInOrder>(())
//! ```
//!
//! Source: product.md, section 4.5.

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
