//! The clients of the platform: recorded expectations through a client in Python that knows no type of this project.

use std::collections::BTreeMap;

use orgmem_tests::{On, TestApp, for_each_store};

use super::plugin::check_cases;

for_each_store!(responses_to_the_platform_equal_the_recorded_expectations);

async fn responses_to_the_platform_equal_the_recorded_expectations(on: On) {
    for group in ["runtime", "state", "activity", "workspaces"] {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  bot\nrival").await;
        let given = BTreeMap::from([
            ("root", org.id("acme").to_string()),
            ("bot", org.id("bot").to_string()),
            ("rival", org.id("rival").to_string()),
            ("agent", app.token("agent", Some(org.id("bot"))).text()),
            ("admin", app.token("admin", None).text()),
        ]);
        check_cases(app.address(), "platform/cases.json", group, &given).await;
    }
}
