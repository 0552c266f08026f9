//! Column types for ids, times and enums: one SQL type for each that differs between the databases, and wrappers that
//! are private to this crate.

use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{Binary, SqlOrd, SqlType, Text};
use diesel::sqlite::{Sqlite, SqliteValue};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::{PluginNamespaceKind, Source};
use orgmem_policies::rules::{ExpiryRule, SkillStatus, UseOutcome, WithdrawalCause};
use orgmem_policies::{Isolation, Role, RunStatus, Sharing, Strategy};

use crate::contract::{ItemType, MemoryStatus};

/// The SQL types of this crate, as `schema.rs` names them.
pub(crate) mod sql {
    use super::{QueryId, SqlOrd, SqlType};

    /// `UUID`; on SQLite a `BLOB` of its 16 bytes.
    #[derive(SqlType, QueryId, Clone, Copy, Debug)]
    #[diesel(postgres_type(oid = 2950, array_oid = 2951), sqlite_type(name = "Binary"))]
    pub struct Uuid;

    /// `TIMESTAMPTZ`; on SQLite an `INTEGER` of microseconds since 1970.
    #[derive(SqlType, QueryId, Clone, Copy, Debug)]
    #[diesel(postgres_type(oid = 1184, array_oid = 1185), sqlite_type(name = "Long"))]
    pub struct Instant;

    impl SqlOrd for Instant {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = sql::Uuid)]
pub(crate) struct Id(pub(crate) uuid::Uuid);

impl Id {
    /// "No team" in key columns, which cannot hold NULL.
    pub(crate) const NIL: Self = Self(uuid::Uuid::nil());

    pub(crate) fn of_team(team: Option<WorkspaceId>) -> Self {
        team.map_or(Self::NIL, Self::from)
    }

    pub(crate) fn team(self) -> Option<WorkspaceId> {
        (self != Self::NIL).then(|| self.workspace())
    }

    pub(crate) fn workspace(self) -> WorkspaceId {
        self.0.into()
    }

    pub(crate) fn org(self) -> OrgId {
        self.0.into()
    }
}

impl From<WorkspaceId> for Id {
    fn from(id: WorkspaceId) -> Self {
        Self(id.uuid())
    }
}

impl From<OrgId> for Id {
    fn from(id: OrgId) -> Self {
        Self(id.uuid())
    }
}

impl From<uuid::Uuid> for Id {
    fn from(id: uuid::Uuid) -> Self {
        Self(id)
    }
}

impl ToSql<sql::Uuid, Sqlite> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_bytes().as_slice());
        Ok(IsNull::No)
    }
}

impl ToSql<sql::Uuid, Pg> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        std::io::Write::write_all(out, self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<sql::Uuid, Sqlite> for Id {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let bytes = <Vec<u8> as FromSql<Binary, Sqlite>>::from_sql(value)?;
        Ok(Self(uuid::Uuid::from_slice(&bytes)?))
    }
}

impl FromSql<sql::Uuid, Pg> for Id {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(uuid::Uuid::from_slice(value.as_bytes())?))
    }
}

/// Large bytes that are shared, without a copy of them in a vector.
#[derive(Debug, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub(crate) struct SharedBytes(pub(crate) Arc<[u8]>);

impl FromSql<Binary, Sqlite> for SharedBytes {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Self(value.read_blob().into()))
    }
}

impl FromSql<Binary, Pg> for SharedBytes {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(value.as_bytes().into()))
    }
}

/// Whole microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = sql::Instant)]
pub(crate) struct Time(pub(crate) DateTime<Utc>);

impl Time {
    /// Microseconds from 1970 to 2000, the epoch of PostgreSQL.
    const POSTGRES_EPOCH: i64 = 946_684_800_000_000;

    fn from_micros(micros: i64) -> deserialize::Result<Self> {
        let time = DateTime::from_timestamp_micros(micros).ok_or("time is out of range")?;
        Ok(Self(time))
    }
}

/// Truncates to whole microseconds, the precision of both databases.
pub(crate) fn whole_micros(time: DateTime<Utc>) -> DateTime<Utc> {
    time.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(time)
}

/// Rounds up to whole microseconds, so that `stored >= time` equals `stored >= micros_from(time)`. Times that PostgreSQL
/// may not be able to store are clamped to the years 0000 to 9999, and a leap second becomes the second after it.
pub(crate) fn micros_from(time: DateTime<Utc>) -> DateTime<Utc> {
    /// The beginnings of the years 0000 and 10000.
    const FIRST: i64 = -62_167_219_200_000_000;
    const LAST: i64 = 253_402_300_800_000_000;
    let micros = time.timestamp_micros();
    let up = i64::from(!time.timestamp_subsec_nanos().is_multiple_of(1000));
    DateTime::from_timestamp_micros(micros.saturating_add(up).clamp(FIRST, LAST)).unwrap_or(time)
}

impl From<DateTime<Utc>> for Time {
    fn from(time: DateTime<Utc>) -> Self {
        Self(time)
    }
}

impl ToSql<sql::Instant, Sqlite> for Time {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.timestamp_micros());
        Ok(IsNull::No)
    }
}

impl ToSql<sql::Instant, Pg> for Time {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let micros = self.0.timestamp_micros() - Self::POSTGRES_EPOCH;
        std::io::Write::write_all(out, &micros.to_be_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<sql::Instant, Sqlite> for Time {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Self::from_micros(<i64 as FromSql<diesel::sql_types::BigInt, Sqlite>>::from_sql(value)?)
    }
}

impl FromSql<sql::Instant, Pg> for Time {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let bytes: [u8; 8] = value.as_bytes().try_into()?;
        let micros = i64::from_be_bytes(bytes).checked_add(Self::POSTGRES_EPOCH).ok_or("time is infinite")?;
        Self::from_micros(micros)
    }
}

/// Whether no column can hold the text: PostgreSQL rejects U+0000, so no stored text equals it.
pub(crate) fn holds_nul(text: &str) -> bool {
    text.contains('\0')
}

pub(crate) fn row_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// An enum stored as text: a scope, a role, a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub(crate) struct TextEnum<T: std::fmt::Debug>(pub(crate) T);

pub(crate) trait SqlText: FromStr + Copy + std::fmt::Debug {
    fn spelling(self) -> &'static str;
}

impl SqlText for Scope {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

/// The scope of a partition and its items: one column of the tables of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PartitionScope {
    pub(crate) scope: Scope,
    pub(crate) items: ItemType,
}

impl SqlText for PartitionScope {
    fn spelling(self) -> &'static str {
        match (self.items, self.scope) {
            (ItemType::Memory, scope) => scope.as_str(),
            (ItemType::Passage, Scope::Local) => "LOCAL_PASSAGES",
            (ItemType::Passage, Scope::Team) => "TEAM_PASSAGES",
            (ItemType::Passage, Scope::Global) => "GLOBAL_PASSAGES",
            (ItemType::Page, Scope::Local) => "LOCAL_PAGES",
            (ItemType::Page, Scope::Team) => "TEAM_PAGES",
            (ItemType::Page, Scope::Global) => "GLOBAL_PAGES",
        }
    }
}

impl FromStr for PartitionScope {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let suffixes = [("_PASSAGES", ItemType::Passage), ("_PAGES", ItemType::Page)];
        let of_suffix = suffixes.into_iter().find_map(|(suffix, items)| Some((text.strip_suffix(suffix)?, items)));
        let (name, items) = of_suffix.unwrap_or((text, ItemType::Memory));
        name.parse().map(|scope| Self { scope, items }).map_err(|_| ())
    }
}

impl SqlText for Role {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for Source {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for PluginNamespaceKind {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for MemoryStatus {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for ExpiryRule {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for SkillStatus {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for WithdrawalCause {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for UseOutcome {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for AuditAction {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for EventKind {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for RunStatus {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for Isolation {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for Sharing {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl SqlText for Strategy {
    fn spelling(self) -> &'static str {
        self.as_str()
    }
}

impl<T: SqlText> ToSql<Text, Sqlite> for TextEnum<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.spelling());
        Ok(IsNull::No)
    }
}

impl<T: SqlText> ToSql<Text, Pg> for TextEnum<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        <str as ToSql<Text, Pg>>::to_sql(self.0.spelling(), &mut out.reborrow())
    }
}

impl<T: SqlText, DB: Backend> FromSql<Text, DB> for TextEnum<T>
where
    String: FromSql<Text, DB>,
{
    fn from_sql(value: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let text = String::from_sql(value)?;
        T::from_str(&text).map(Self).map_err(|_| format!("unknown value `{text}`").into())
    }
}
