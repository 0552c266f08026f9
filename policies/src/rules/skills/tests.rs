use proptest::prelude::*;

use super::*;

/// A use by run `n` of a session, by another workspace than the author.
fn used(n: u64, session: u64, outcome: UseOutcome) -> ProcedureUse {
    ProcedureUse {
        voice: Uuid::from_u128(u128::from(n) + 1000),
        workspace: WorkspaceId::from(Uuid::from_u128(7)),
        session: u128::from(session),
        is_own: false,
        is_report: false,
        outcome,
        at: i64::try_from(n).unwrap_or(i64::MAX),
    }
}

fn worked(n: u64, session: u64) -> ProcedureUse {
    used(n, session, UseOutcome::Success)
}

fn failed(n: u64, session: u64) -> ProcedureUse {
    used(n, session, UseOutcome::Failure)
}

#[test]
fn lower_bound_equals_values_computed_by_hand() {
    for (successes, uses, bound) in [
        (0, 0, 0.0),
        (0, 5, 0.0),
        // 1 / (1 + 3.8416) = 0.20654
        (1, 1, 0.206_543),
        // 4 / (4 + 3.8416) = 0.51010
        (4, 4, 0.510_105),
        // 5 / (5 + 3.8416) = 0.56551
        (5, 5, 0.565_509),
        // (0.8 + 0.38416 − 1.96 · √(0.032 + 0.038416)) / 1.76832 = (1.18416 − 0.520104) / 1.76832
        (4, 5, 0.375_530),
        // (0.5 + 0.09604 − 1.96 · √(0.0125 + 0.002401)) / 1.19208 = (0.59604 − 0.239256) / 1.19208
        (10, 20, 0.299_295),
        (20, 20, 0.838_875),
    ] {
        let computed = wilson_lower_bound(successes, uses);
        assert!((computed - bound).abs() < 2e-5, "{successes} of {uses}: {computed}");
    }
}

#[test]
fn five_successes_of_two_sessions_make_a_candidate() {
    let rule = SkillRule::default();
    let mut uses: Vec<ProcedureUse> = (0..5).map(|n| worked(n, n % 2)).collect();
    assert_eq!(rule.shortfall(&uses), Vec::new());
    uses.pop();
    let short: Vec<String> = rule.shortfall(&uses).iter().map(ToString::to_string).collect();
    assert_eq!(short, ["4 of 5 successes", "4 of 5 runs"]);
    // 5 of 9: the lower bound is 0.27
    let more: Vec<ProcedureUse> = (0..5).map(|n| worked(n, n)).chain((5..9).map(|n| failed(n, n))).collect();
    let short: Vec<String> = rule.shortfall(&more).iter().map(ToString::to_string).collect();
    assert_eq!(short, ["the lower bound is 0.27, the rule asks for 0.50"]);
}

#[test]
fn flood_of_one_session_makes_no_candidate_and_hides_no_failures() {
    let rule = SkillRule::default();
    let mut flood: Vec<ProcedureUse> = (0..1000).map(|n| worked(n, 1)).collect();
    assert_eq!(rule.counted(&flood).len(), 4);
    assert!(!rule.shortfall(&flood).is_empty());
    // reports of one session are one voice
    let reports: Vec<ProcedureUse> = (2000..2100).map(|n| ProcedureUse { is_report: true, ..worked(n, 2) }).collect();
    assert_eq!(rule.counted(&reports).len(), 1);
    // 4 of 10 although 1,000 succeeded
    flood.extend((3000..3006).map(|n| failed(n, n)));
    assert!(rule.is_failing(&flood));
}

#[test]
fn own_runs_supply_at_most_half() {
    let rule = SkillRule::default();
    let own = |n: u64, session: u64| ProcedureUse { is_own: true, ..worked(n, session) };
    let all_own: Vec<ProcedureUse> = (0..50).map(|n| own(n, n)).collect();
    assert_eq!(UseTally::of(&rule.counted(&all_own)).successes, 2);
    let mixed: Vec<ProcedureUse> = (0..2).map(|n| own(n, n)).chain((2..5).map(|n| worked(n, n))).collect();
    assert_eq!(rule.shortfall(&mixed), Vec::new());
    // own failures always count
    let failures: Vec<ProcedureUse> = (0..9).map(|n| ProcedureUse { is_own: true, ..failed(n, n) }).collect();
    assert_eq!(rule.counted(&failures).len(), 9);
    let trusting = SkillRule { own_percent: 100, ..rule };
    assert_eq!(trusting.shortfall(&all_own), Vec::new());
}

#[test]
fn reports_without_runs_never_make_a_candidate() {
    let report = |n: u64| {
        let workspace = WorkspaceId::from(Uuid::from_u128(u128::from(n) + 1));
        ProcedureUse { voice: workspace.uuid(), workspace, is_report: true, ..worked(n, n) }
    };
    let reports: Vec<ProcedureUse> = (0..100).map(report).collect();
    let short: Vec<&str> = SkillRule::default().shortfall(&reports).iter().map(|short| short.what).collect();
    assert_eq!(short, ["runs"]);
    // an author has one voice, whatever its sessions
    let own: Vec<ProcedureUse> = (0..9).map(|n| ProcedureUse { is_own: true, ..report(n) }).collect();
    assert_eq!(SkillRule::default().counted(&own).len(), 1);
}

#[test]
fn failing_needs_as_many_uses_as_a_candidate() {
    let rule = SkillRule::default();
    let failures: Vec<ProcedureUse> = (0..5).map(|n| failed(n, n)).collect();
    assert!(!rule.is_failing(&failures[..4]));
    assert!(rule.is_failing(&failures));
    // only the last twenty decide
    let old: Vec<ProcedureUse> = (0..80).map(|n| failed(n, n)).chain((80..100).map(|n| worked(n, n))).collect();
    assert!(!rule.is_failing(&old));
}

#[test]
fn report_needs_a_run_that_read_the_procedure() {
    let (memory, run) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let check = |status, read, outcome| check_outcome(memory, run, status, read, outcome);
    assert!(check(None, true, UseOutcome::Success).is_err());
    for status in RunStatus::ALL {
        assert!(check(Some(status), false, UseOutcome::Failure).is_err());
        assert_eq!(check(Some(status), true, UseOutcome::Failure), Ok(()));
        assert_eq!(check(Some(status), true, UseOutcome::Success).is_ok(), status != RunStatus::Failed);
    }
}

#[test]
fn failure_outweighs_a_success() {
    let (success, failure) = (Some(UseOutcome::Success), Some(UseOutcome::Failure));
    for (run, reported, merged) in [
        (None, None, None),
        (success, None, success),
        (None, success, success),
        (success, failure, failure),
        (failure, success, failure),
        (failure, None, failure),
    ] {
        assert_eq!(UseOutcome::merged(run, reported), merged);
    }
}

proptest! {
    /// A further failure, or the loss of a success, never makes a candidate.
    #[test]
    fn failure_never_helps(history in prop::collection::vec((0_u64..4, any::<bool>(), any::<bool>()), 0..40)) {
        let rule = SkillRule::default();
        let uses: Vec<ProcedureUse> = history.iter().enumerate().map(|(n, (session, own, success))| {
            let outcome = if *success { UseOutcome::Success } else { UseOutcome::Failure };
            ProcedureUse { is_own: *own, ..used(n as u64, *session, outcome) }
        }).collect();
        let mut more = uses.clone();
        more.push(failed(1_000, 99));
        prop_assert!(rule.shortfall(&more).len() >= rule.shortfall(&uses).len());
    }

    /// The order in which uses arrive changes nothing.
    #[test]
    fn order_of_arrival_is_irrelevant(
        history in prop::collection::vec((0_u64..4, any::<bool>(), any::<bool>(), any::<bool>()), 0..40)
    ) {
        let rule = SkillRule::default();
        let uses: Vec<ProcedureUse> = history.iter().enumerate().map(|(n, (session, own, report, success))| {
            let outcome = if *success { UseOutcome::Success } else { UseOutcome::Failure };
            ProcedureUse { is_own: *own, is_report: *report, ..used(n as u64, *session, outcome) }
        }).collect();
        let mut reversed = uses.clone();
        reversed.reverse();
        prop_assert_eq!(rule.counted(&uses), rule.counted(&reversed));
    }
}
