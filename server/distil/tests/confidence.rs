//! Confidences that were computed by hand.

use orgmem_distil::{MAX_CONFIDENCE, Weights};

/// Baseline, weight of the count, weight of the severity, rows, mean severity; then the part of the count, the part of the
/// severity and the total.
type Case = ([f64; 3], u64, f64, [f64; 3]);

const CASES: &[Case] = &[
    // 1 - 1/√1 = 0
    ([0.3, 0.5, 0.2], 1, 0.0, [0.0, 0.0, 0.3]),
    // 1 - 1/√3 = 0.42265; half of it is 0.21132
    ([0.3, 0.5, 0.2], 3, 0.4, [0.2113, 0.08, 0.5913]),
    // 1 - 1/2 = 0.5
    ([0.3, 0.5, 0.2], 4, 0.5, [0.25, 0.1, 0.65]),
    // 1 - 1/3 = 0.66667
    ([0.3, 0.5, 0.2], 9, 0.0, [0.3333, 0.0, 0.6333]),
    // 1 - 1/10 = 0.9: 0.3 + 0.45 + 0.2 = 0.95 is the limit itself
    ([0.3, 0.5, 0.2], 100, 1.0, [0.45, 0.2, 0.95]),
    // 1 - 1/100 = 0.99: 0.3 + 0.495 + 0.2 = 0.995 is above the limit; the parts stay
    ([0.3, 0.5, 0.2], 10_000, 1.0, [0.495, 0.2, 0.95]),
    ([0.35, 0.4, 0.25], 16, 0.75, [0.3, 0.1875, 0.8375]),
    ([0.0, 0.0, 0.0], 1_000_000, 1.0, [0.0, 0.0, 0.0]),
    ([1.0, 0.0, 0.0], 2, 0.0, [0.0, 0.0, 0.95]),
];

#[test]
fn confidence_equals_the_table_computed_by_hand() {
    for (weights, count, severity, expected) in CASES {
        let [baseline, count_weight, severity_weight] = *weights;
        let found = Weights { baseline, count_weight, severity_weight }.confidence(*count, *severity);
        assert_eq!([found.count, found.severity, found.total], *expected, "{weights:?}, {count} rows, {severity}");
        assert_eq!(found.baseline, baseline);
        assert!(found.total <= MAX_CONFIDENCE);
    }
}
