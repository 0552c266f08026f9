//! Statements that are made of text and values, and rows of any columns.

use diesel::deserialize::{self, FromSql, QueryableByName};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::row::{Field, NamedRow, Row as DieselRow};
use diesel::sql_types::{BigInt, Binary, Bool, Double, Integer, Nullable, Text, Untyped};

use super::Conn;
use crate::columns::{Id, Time, sql};
use crate::transfer::{Kind, Row, Value};

type Db = <Conn as Connection>::Backend;

/// A statement of text and values.
#[derive(Default)]
pub(super) struct Statement<'v>(Vec<Piece<'v>>);

pub(super) enum Piece<'v> {
    Sql(String),
    Value(Kind, &'v Value),
}

impl<'v> Statement<'v> {
    pub(super) fn sql(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Sql(text.into()));
        self
    }

    pub(super) fn value(mut self, kind: Kind, value: &'v Value) -> Self {
        self.0.push(Piece::Value(kind, value));
        self
    }

    /// The values as a list.
    pub(super) fn values(mut self, kinds: impl Iterator<Item = Kind>, values: &'v [Value]) -> Self {
        for (number, (kind, value)) in kinds.zip(values).enumerate() {
            self = self.sql(if number == 0 { "(" } else { ", " }).value(kind, value);
        }
        self.sql(")")
    }
}

impl QueryFragment<Db> for Statement<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        for piece in &self.0 {
            match piece {
                Piece::Sql(text) => out.push_sql(text),
                Piece::Value(kind, value) => bind(*kind, value, &mut out)?,
            }
        }
        Ok(())
    }
}

impl QueryId for Statement<'_> {
    type QueryId = ();

    // prepared once for each text
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Statement<'_> {
    type SqlType = Untyped;
}

impl RunQueryDsl<Conn> for Statement<'_> {}

fn bind<'b>(kind: Kind, value: &'b Value, out: &mut AstPass<'_, 'b, Db>) -> QueryResult<()> {
    match value {
        Value::Uuid(value) => out.push_bind_param::<sql::Uuid, _>(value),
        Value::Time(value) => out.push_bind_param::<sql::Instant, _>(value),
        Value::Int(value) => out.push_bind_param::<BigInt, _>(value),
        Value::SmallInt(value) => out.push_bind_param::<Integer, _>(value),
        Value::Bool(value) => out.push_bind_param::<Bool, _>(value),
        Value::Real(value) => out.push_bind_param::<Double, _>(value),
        Value::Text(value) => out.push_bind_param::<Text, _>(value),
        Value::Bytes(value) => out.push_bind_param::<Binary, _>(value),
        Value::Null => match kind {
            Kind::Uuid => out.push_bind_param::<Nullable<sql::Uuid>, Option<Id>>(&None),
            Kind::Time => out.push_bind_param::<Nullable<sql::Instant>, Option<Time>>(&None),
            Kind::Int => out.push_bind_param::<Nullable<BigInt>, Option<i64>>(&None),
            Kind::SmallInt => out.push_bind_param::<Nullable<Integer>, Option<i32>>(&None),
            Kind::Bool => out.push_bind_param::<Nullable<Bool>, Option<bool>>(&None),
            Kind::Real => out.push_bind_param::<Nullable<Double>, Option<f64>>(&None),
            Kind::Text => out.push_bind_param::<Nullable<Text>, Option<&'static str>>(&None),
            Kind::Bytes => out.push_bind_param::<Nullable<Binary>, Option<&'static [u8]>>(&None),
        },
    }
}

/// A row of a result whose column names begin with the codes of their kinds.
pub(super) struct Loaded(pub(super) Row);

impl QueryableByName<Db> for Loaded {
    fn build<'a>(row: &impl NamedRow<'a, Db>) -> deserialize::Result<Self> {
        let value = |at: usize| -> deserialize::Result<Value> {
            let field = DieselRow::get(row, at).ok_or("a column is missing")?;
            let kind = field.field_name().and_then(Kind::of_code).ok_or("a column has no kind")?;
            let Some(raw) = field.value() else { return Ok(Value::Null) };
            Ok(match kind {
                Kind::Uuid => Value::Uuid(FromSql::<sql::Uuid, Db>::from_sql(raw)?),
                Kind::Time => Value::Time(FromSql::<sql::Instant, Db>::from_sql(raw)?),
                Kind::Int => Value::Int(FromSql::<BigInt, Db>::from_sql(raw)?),
                Kind::SmallInt => Value::SmallInt(FromSql::<Integer, Db>::from_sql(raw)?),
                Kind::Bool => Value::Bool(FromSql::<Bool, Db>::from_sql(raw)?),
                Kind::Real => Value::Real(FromSql::<Double, Db>::from_sql(raw)?),
                Kind::Text => Value::Text(FromSql::<Text, Db>::from_sql(raw)?),
                Kind::Bytes => Value::Bytes(FromSql::<Binary, Db>::from_sql(raw)?),
            })
        };
        (0..DieselRow::field_count(row)).map(value).collect::<deserialize::Result<Row>>().map(Self)
    }
}
