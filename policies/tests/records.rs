//! Records: the newer value wins, whatever arrives last.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_policies::drafts::{DraftFault, RecordChange, RecordDraft, RecordInput, RecordValueInput};
use orgmem_policies::rules::{RecordState, plan_record};
use orgmem_policies::scrub::Scrubber;
use proptest::prelude::*;
use serde_json::{Value, json};

fn at(second: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000 + second, 0).expect("a time")
}

fn input(change: RecordChange, second: i64, fields: &[(&str, Value)]) -> RecordInput {
    let value = |value: &Value| (!value.is_null()).then(|| RecordValueInput { value: value.clone(), unit: None });
    RecordInput {
        entity: "sku-1".to_owned(),
        fields: fields.iter().map(|(name, field)| ((*name).to_owned(), value(field))).collect(),
        as_of: at(second),
        source: None,
        change,
    }
}

fn draft(input: RecordInput) -> Result<RecordDraft, DraftFault> {
    RecordDraft::check(input, Scrubber::built_in(), "erp", at(1_000))
}

fn apply(state: RecordState, change: RecordChange, second: i64, fields: &[(&str, Value)]) -> RecordState {
    let plan = plan_record(&state, &draft(input(change, second, fields)).expect("valid"));
    state.after(&plan)
}

fn live(state: &RecordState) -> BTreeMap<String, Value> {
    state.live().map(|(name, _, field)| (name.to_owned(), field.value.clone())).collect()
}

#[test]
fn older_write_that_arrives_later_changes_nothing() {
    use RecordChange::{Merge, Replace};
    let state = apply(RecordState::default(), Replace, 10, &[("price", json!(20)), ("stock", json!(3))]);
    let late = apply(state.clone(), Replace, 9, &[("price", json!(1))]);
    assert_eq!(live(&late), live(&state));
    let merged = apply(state, Merge, 11, &[("price", json!(21))]);
    let replaced = apply(merged, Replace, 10, &[("price", json!(1)), ("colour", json!("red"))]);
    assert_eq!(json!(live(&replaced)), json!({"price": 21, "colour": "red"}));
    let removed = apply(replaced, Merge, 12, &[("price", Value::Null)]);
    assert_eq!(json!(live(&apply(removed, Merge, 11, &[("price", json!(22))]))), json!({"colour": "red"}));
}

#[test]
fn deletion_outlasts_older_writes_and_not_newer_ones() {
    use RecordChange::Replace;
    let state = apply(RecordState::default(), Replace, 10, &[("price", json!(20))]);
    let gone = apply(state, Replace, 11, &[]);
    assert!(live(&gone).is_empty());
    assert!(live(&apply(gone.clone(), Replace, 10, &[("price", json!(20))])).is_empty());
    assert_eq!(json!(live(&apply(gone, Replace, 12, &[("price", json!(9))]))), json!({"price": 9}));
}

#[test]
fn invalid_fields_are_refused_by_name() {
    use RecordChange::Replace;
    let fault = |input: RecordInput| draft(input).expect_err("invalid").field();
    let valid = input(Replace, 0, &[("price", json!(1))]);
    assert_eq!(fault(RecordInput { entity: " ".into(), ..valid.clone() }), "entity");
    assert_eq!(fault(RecordInput { as_of: at(1_000) + TimeDelta::minutes(6), ..valid.clone() }), "as_of");
    assert_eq!(fault(RecordInput { source: Some("a\nb".into()), ..valid }), "source");
    assert_eq!(fault(input(Replace, 0, &[("price", json!([1]))])), "fields.value");
    assert_eq!(fault(input(Replace, 0, &[("price", json!("x".repeat(1_025)))])), "fields.value");
    assert_eq!(fault(input(Replace, 0, &[("", json!(1))])), "fields");
    assert_eq!(fault(input(Replace, 0, &[("price", json!(1)), (" price", json!(2))])), "fields");
    let names: Vec<String> = (0..65).map(|n| format!("f{n}")).collect();
    let many: Vec<(&str, Value)> = names.iter().map(|name| (name.as_str(), json!(1))).collect();
    assert_eq!(fault(input(Replace, 0, &many)), "fields");
    let key = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).expect("36 characters"));
    assert_eq!(fault(input(Replace, 0, &[(&key, json!(1))])), "fields");
}

#[test]
fn credential_in_a_value_is_replaced() {
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).expect("36 characters"));
    let draft = draft(input(RecordChange::Replace, 0, &[("note", json!(secret))])).expect("valid");
    assert!(!format!("{:?}", draft.fields().fields).contains(&secret));
    assert_eq!(draft.fields().redactions.len(), 1);
}

/// How a write treats other fields, its instant and its values.
type Write = (RecordChange, i64, Vec<(String, Value)>);

proptest! {
    /// Writes with different instants commute.
    #[test]
    fn any_order_of_arrival_gives_the_same_record(
        writes in proptest::collection::vec((any::<bool>(), proptest::collection::btree_map("[abc]", 0..4_i64, 0..3)), 1..7),
        order in any::<u64>(),
    ) {
        let writes: Vec<Write> = writes
            .into_iter()
            .enumerate()
            .map(|(second, (merge, fields))| {
                let value = |value: i64| if value == 0 && merge { Value::Null } else { json!(value) };
                let fields = fields.into_iter().map(|(name, field)| (name, value(field))).collect();
                let change = if merge { RecordChange::Merge } else { RecordChange::Replace };
                (change, i64::try_from(second).expect("few"), fields)
            })
            .collect();
        let play = |order: &[usize]| {
            let mut state = RecordState::default();
            for &index in order {
                let (change, second, fields) = &writes[index];
                let fields: Vec<(&str, Value)> = fields.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
                state = apply(state, *change, *second, &fields);
            }
            live(&state)
        };
        let in_order: Vec<usize> = (0..writes.len()).collect();
        let mut shuffled = in_order.clone();
        let mut seed = order;
        for i in (1..shuffled.len()).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(i, usize::try_from(seed >> 33).expect("small") % (i + 1));
        }
        prop_assert_eq!(play(&in_order), play(&shuffled));
    }
}
