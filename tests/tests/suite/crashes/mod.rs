//! What happens when the server, its disk or its database goes down: what was acknowledged is there, whole, and nothing
//! of it by halves.

mod away;
mod disks;
mod kill;
mod ledger;
mod load;
mod power;
mod runs;
