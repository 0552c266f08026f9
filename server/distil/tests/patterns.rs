//! The paths of a diff, and the parts of a system that they name.

use orgmem_distil::{ChangedPaths, changed_paths};

#[test]
fn paths_of_a_diff_are_those_before_and_after_the_change() {
    let diff = "\
From 0123 Mon Sep 17 00:00:00 2001
--- not a path of git, but a line that is read as one
diff --git a/src/auth.rs b/src/auth.rs
index 1..2 100644
--- a/src/auth.rs
+++ b/src/auth.rs
@@ -1,3 +1,3 @@ fn a
 context
--- a/inside/a/hunk.rs
-gone
+++ b/inside/a/hunk.rs
+new
\\ No newline at end of file
diff --git a/old.rs b/new.rs
similarity index 100%
rename from old.rs
rename to new.rs
--- /dev/null
+++ \"b/\\303\\251t\\303\\251 \\\"x\\\".rs\"
@@ -0,0 +1 @@
+added
--- plain.c\t2026-01-01 00:00:00
+++ plain.c\t2026-01-02 00:00:00
";
    let found: Vec<_> = changed_paths(diff).into_iter().collect();
    let noise = "not a path of git, but a line that is read as one";
    assert_eq!(found, ["new.rs", noise, "old.rs", "plain.c", "src/auth.rs", "été \"x\".rs"]);
}

#[test]
fn path_names_a_part_when_all_its_words_follow_one_another() {
    let paths = ["src/auth_service/mod.rs", "web/AuthService.ts", "src/auth/mail_service.rs", "docs/authority.md", ""];
    let paths = ChangedPaths::new(paths.map(str::to_owned));
    assert_eq!(paths.naming("Auth  service"), ["src/auth_service/mod.rs", "web/AuthService.ts"]);
    assert_eq!(paths.naming("auth"), ["src/auth/mail_service.rs", "src/auth_service/mod.rs", "web/AuthService.ts"]);
    assert_eq!(paths.naming("A-auth"), Vec::<&str>::new(), "all words are required, those of a prefix too");
    for absent in ["service mod ts", "", "–", "authorit"] {
        assert_eq!(paths.naming(absent), Vec::<&str>::new(), "{absent}");
    }
}
