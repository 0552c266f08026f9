use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::FakeRelativeClock;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use super::*;
use crate::config::LoadLimits;

fn limits(requests_per_minute: u32, streams: usize) -> LoadLimits {
    LoadLimits {
        requests_in_flight: 100,
        bytes_in_flight: 1_000,
        streams,
        requests_per_minute: NonZeroU32::new(requests_per_minute),
    }
}

fn settings(caller: u32, org: u32, server: u32) -> LoadSettings {
    LoadSettings { caller: limits(caller, 2), org: limits(org, 3), server: limits(server, 4) }
}

fn keys(caller: u128, org: u128) -> LimitKeys {
    let workspace = WorkspaceId::from(Uuid::from_u128(org));
    LimitKeys { caller: (Uuid::from_u128(caller), Some(workspace)), org: Some(OrgId::from(Uuid::from_u128(org))) }
}

fn limiter(settings: &LoadSettings) -> (LoadLimiter<FakeRelativeClock>, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    (LoadLimiter::with_clock(settings, &clock), clock)
}

fn refusal<T>(outcome: Result<T, LimitExceeded>) -> Option<LimitExceeded> {
    outcome.err()
}

#[test]
fn quota_of_a_minute_may_be_used_at_once_and_grows_back_evenly() {
    let (limiter, clock) = limiter(&settings(6, 0, 0));
    for remaining in (0..6).rev() {
        assert_eq!(limiter.count(keys(1, 1), 1), Ok(Some(RateStatus { limit: 6, remaining })));
    }
    let refused = refusal(limiter.count(keys(1, 1), 1)).expect("no quota");
    assert_eq!((refused.level, refused.limit, refused.retry_after_seconds), (LimitLevel::Caller, 6, 10));
    clock.advance(Duration::from_millis(9_999));
    assert_eq!(refusal(limiter.count(keys(1, 1), 1)).map(|refused| refused.retry_after_seconds), Some(1));
    clock.advance(Duration::from_millis(1));
    assert_eq!(limiter.count(keys(1, 1), 1), Ok(Some(RateStatus { limit: 6, remaining: 0 })));
    assert!(limiter.count(keys(2, 1), 1).is_ok(), "the rate of another caller");
}

#[test]
fn rate_of_the_org_limits_its_callers_together_and_not_other_orgs() {
    let (limiter, _) = limiter(&settings(10, 3, 0));
    for caller in 1..=3 {
        assert!(limiter.count(keys(caller, 1), 1).is_ok());
    }
    assert_eq!(refusal(limiter.count(keys(4, 1), 1)).map(|refused| refused.level), Some(LimitLevel::Org));
    assert!(limiter.count(keys(5, 2), 1).is_ok());
}

#[test]
fn rate_of_the_server_limits_all_orgs_together() {
    let (limiter, _) = limiter(&settings(0, 0, 2));
    assert_eq!(limiter.count(keys(1, 1), 2), Ok(None));
    assert_eq!(refusal(limiter.count(keys(2, 2), 1)).map(|refused| refused.level), Some(LimitLevel::Server));
}

#[test]
fn batch_counts_each_message_and_a_larger_one_the_whole_quota() {
    let (limiter, clock) = limiter(&settings(6, 0, 0));
    assert_eq!(limiter.count(keys(1, 1), 4), Ok(Some(RateStatus { limit: 6, remaining: 2 })));
    assert!(limiter.count(keys(1, 1), 3).is_err());
    clock.advance(Duration::from_secs(60));
    assert_eq!(limiter.count(keys(1, 1), 50), Ok(Some(RateStatus { limit: 6, remaining: 0 })));
}

#[test]
fn reset_is_the_time_until_the_whole_quota_is_available() {
    let reset = |remaining| RateStatus { limit: 7, remaining }.reset_seconds();
    assert_eq!([reset(7), reset(6), reset(0)], [0, 9, 60]);
}

#[test]
fn amounts_in_flight_are_limited_at_each_level_until_they_end() {
    let (limiter, _) = limiter(&settings(0, 0, 0));
    let open = |keys| limiter.begin(keys, LimitKind::Streams, 1);
    let level = |keys| refusal(open(keys)).map(|refused| (refused.level, refused.limit));
    let first = [open(keys(1, 1)), open(keys(1, 1))];
    assert_eq!(level(keys(1, 1)), Some((LimitLevel::Caller, 2)));
    let second = open(keys(2, 1));
    assert_eq!(level(keys(2, 1)), Some((LimitLevel::Org, 3)));
    let third = open(keys(3, 2));
    assert_eq!(level(keys(3, 2)), Some((LimitLevel::Server, 4)));
    assert!(first.iter().all(Result::is_ok) && second.is_ok() && third.is_ok());
    drop(first);
    assert_eq!(level(keys(1, 1)), None);
    drop((second, third));
    assert_eq!(limiter.in_flight.len(), 0, "nothing is remembered");
}

#[test]
fn refused_growth_adds_nothing() {
    let (limiter, _) = limiter(&settings(0, 0, 0));
    let mut body = limiter.begin(keys(1, 1), LimitKind::Bytes, 600).expect("within the limit");
    body.grow(400).expect("within the limit");
    let refused = refusal(body.grow(1)).expect("too much");
    assert_eq!((refused.level, refused.kind, refused.limit), (LimitLevel::Caller, Some(LimitKind::Bytes), 1_000));
    drop(body);
    assert!(limiter.begin(keys(1, 1), LimitKind::Bytes, 1_000).is_ok());
}

#[test]
fn message_names_the_limit_its_value_and_a_remedy() {
    let message = |level, kind| LimitExceeded { level, kind, limit: 7, retry_after_seconds: 3 }.to_string();
    assert_eq!(
        message(LimitLevel::Caller, None),
        "this token may send 7 requests a minute (`limits.caller.requests_per_minute`); try again in 3 s"
    );
    assert_eq!(
        message(LimitLevel::Org, Some(LimitKind::Streams)),
        "all callers of this org together may have 7 event streams open (`limits.org.streams`); close one of them first"
    );
}
