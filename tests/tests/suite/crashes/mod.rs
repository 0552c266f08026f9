//! Crashes of the server, its disk or its database: acknowledged writes exist, and no write exists in part.

mod database_outage;
mod disk_faults;
mod kill;
mod ledger;
mod load;
mod power_cut;
mod runs;
