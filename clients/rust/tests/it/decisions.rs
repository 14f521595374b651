//! Both bots, in the positions that all clients share.

use euchre_bot::View;
use euchre_bot::bots::{random, sensible};

use crate::cases;

#[test]
fn both_bots_decide_as_in_every_other_language() {
    for case in cases("clients/vectors/decisions-v1.json") {
        let view: View = serde_json::from_value(case["view"].clone()).expect("a case has a view");
        let action = match case["bot"].as_str() {
            Some("sensible") => sensible::choose(&view, &view.legal),
            _ => random::choose(case["seed"].as_str().unwrap_or("0"), &view, &view.legal),
        };
        assert_eq!(Some(action.as_str()), case["action"].as_str(), "{case}");
    }
}

#[test]
fn random_does_not_care_in_which_order_the_actions_come() {
    let case = cases("clients/vectors/decisions-v1.json").pop().expect("there is a last case");
    let view: View = serde_json::from_value(case["view"].clone()).expect("a case has a view");
    let turned: Vec<_> = view.legal.iter().rev().cloned().collect();
    assert_eq!(random::choose("0", &view, &turned), random::choose("0", &view, &view.legal));
}

#[test]
fn a_view_reads_and_writes_the_words_of_the_others() {
    for case in cases("clients/vectors/decisions-v1.json") {
        let view: View = serde_json::from_value(case["view"].clone()).expect("a case has a view");
        assert_eq!(serde_json::to_value(&view).expect("a view is JSON"), case["view"]);
    }
}
