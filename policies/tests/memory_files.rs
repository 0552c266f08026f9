//! Paths of the memory tool.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::memory_files::{FilePath, OwnPath, SharedFolder};
use proptest::prelude::*;
use uuid::Uuid;

fn own(title: &str) -> OwnPath {
    OwnPath::of_title(title).expect("a path")
}

#[test]
fn paths_that_escape_the_folder_are_refused() {
    for path in [
        "",
        "/",
        "memories/a",
        "/memoriesx",
        "/memories//a",
        "/memories/a//b",
        "/memories/..",
        "/memories/../etc/passwd",
        "/memories/a/../../b",
        "/memories/./a",
        "/memories/a\\..\\b",
        "/memories/%2e%2e/b",
        "/memories/%2E%2e%2Fb",
        "/memories/a\0",
        "/memories/a\nb",
        "/memories/ ",
        "/memories/team/notes.md",
        "/memories/org/x/y",
        "/etc/passwd",
    ] {
        assert!(FilePath::parse(path).is_err(), "{path:?}");
    }
    let long = format!("/memories/{}", "a".repeat(201));
    assert!(FilePath::parse(&long).is_err());
    assert!(FilePath::parse(&long[..long.len() - 1]).is_ok());
}

#[test]
fn paths_below_the_folder_are_understood() {
    let id = Uuid::from_u128(7);
    assert_eq!(FilePath::parse("/memories"), Ok(FilePath::Root));
    assert_eq!(FilePath::parse("/memories/a/b c.md"), Ok(FilePath::Own(own("a/b c.md"))));
    assert_eq!(FilePath::parse("/memories/a/"), Ok(FilePath::Own(own("a"))));
    assert_eq!(FilePath::parse("/memories/team"), Ok(FilePath::Shared(SharedFolder::Team, None)));
    let one = SharedFolder::Org.path_of(id);
    assert_eq!(FilePath::parse(&one), Ok(FilePath::Shared(SharedFolder::Org, Some(id))));
    assert_eq!(OwnPath::of_title("team"), None, "shared folders contain no own files");
}

#[test]
fn path_names_one_memory_of_one_author() {
    let (ada, bob) = (WorkspaceId::from(Uuid::from_u128(1)), WorkspaceId::from(Uuid::from_u128(2)));
    assert_eq!(own("a").memory_id(ada, None), own("a").memory_id(ada, None));
    assert_ne!(own("a").memory_id(ada, None), own("a").memory_id(bob, None));
    assert_ne!(own("a").memory_id(ada, None), own("b").memory_id(ada, None));
    assert_ne!(own("a").memory_id(ada, None), own("a").memory_id(ada, Some("eve")));
}

#[test]
fn rename_moves_what_is_below_a_folder() {
    let (from, to) = (own("a/b"), own("x"));
    assert_eq!(own("a/b").renamed(&from, &to), Some(own("x")));
    assert_eq!(own("a/b/c.md").renamed(&from, &to), Some(own("x/c.md")));
    assert_eq!(own("a/bc").renamed(&from, &to), None);
    assert_eq!(own("a/b/c.md").folders().collect::<Vec<_>>(), [own("a"), own("a/b")]);
    let long = own(&"y".repeat(199));
    assert_eq!(own("a/b/c.md").renamed(&from, &long), None, "the new path is too long");
}

proptest! {
    #[test]
    fn parsed_own_path_displays_as_it_was_given(path in "/memories(/[a-z.%]{1,5}){1,4}") {
        if let Ok(FilePath::Own(parsed)) = FilePath::parse(&path) {
            prop_assert_eq!(parsed.to_string(), path);
            prop_assert!(parsed.as_str().split('/').all(|segment| segment != ".."));
        }
    }

    #[test]
    fn any_text_is_parsed_or_refused(path in ".{0,40}") {
        let _ = FilePath::parse(&path);
    }
}
