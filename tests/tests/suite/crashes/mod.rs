//! Crashes of the server, its disk or its database: acknowledged writes exist, and no write exists in part.

mod backups;
mod database_outage;
mod disk_faults;
mod kill;
mod ledger;
mod litestream;
mod load;
mod power_cut;
mod runs;
mod transfers;
