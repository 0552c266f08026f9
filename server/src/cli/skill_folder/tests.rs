use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn package(name: &str, version: i64) -> (Wanted, Vec<PackageFile>) {
    let file = |path: &str| PackageFile { path: path.to_owned(), text: format!("{name} {version} {path}\n") };
    let files = vec![file("SKILL.md"), file("provenance.json"), file("references/1.md")];
    (Wanted { name: name.to_owned(), version, hash: hash_of(&files) }, files)
}

fn follow(folder: &mut SkillFolder, packages: &[(Wanted, Vec<PackageFile>)]) -> io::Result<Vec<PathBuf>> {
    let wanted: Vec<Wanted> = packages.iter().map(|(wanted, _)| wanted.clone()).collect();
    let mut edited = Vec::new();
    for change in folder.compare(&wanted)? {
        edited.extend(match change {
            Change::Install(wanted) => {
                let files = packages.iter().find(|(package, _)| *package == wanted).map(|(_, files)| files.clone());
                folder.install(&wanted, &files.unwrap_or_default())?
            }
            Change::Remove(name) => folder.remove(&name)?,
            Change::Foreign(_) => None,
        });
    }
    Ok(edited)
}

fn open(root: &Path) -> SkillFolder {
    SkillFolder::open(root, Uuid::nil()).expect("it opens")
}

#[test]
fn folder_follows_what_is_wanted_and_leaves_files_of_others() {
    let root = tempfile::tempdir().expect("a folder");
    let root = root.path();
    fs::create_dir_all(root.join("mine")).expect("a folder");
    fs::write(root.join("mine/SKILL.md"), "mine").expect("a file");
    fs::write(root.join("README"), "mine").expect("a file");
    let mut folder = open(root);
    follow(&mut folder, &[package("deploy", 1), package("mine", 1)]).expect("it follows");
    assert_eq!(fs::read_to_string(root.join("deploy/SKILL.md")).expect("a file"), "deploy 1 SKILL.md\n");
    assert_eq!(fs::read_to_string(root.join("mine/SKILL.md")).expect("a file"), "mine");
    let mut folder = open(root);
    follow(&mut folder, &[package("deploy", 2), package("roll-back", 1)]).expect("it follows");
    assert_eq!(state(&root.join("deploy")).expect("a state"), OnDisk::Package(package("deploy", 2).0.hash));
    follow(&mut folder, &[]).expect("it follows");
    assert!(!root.join("deploy").exists() && !root.join("roll-back").exists());
    assert!(root.join("mine").exists() && root.join("README").exists());
    let other = SkillFolder::open(root, Uuid::from_u128(1)).err().expect("another workspace");
    assert!(other.to_string().contains("follows workspace"), "{other}");
}

#[test]
fn edited_package_is_set_aside_before_it_is_replaced_or_removed() {
    let root = tempfile::tempdir().expect("a folder");
    let root = root.path();
    let mut folder = open(root);
    follow(&mut folder, &[package("deploy", 1)]).expect("it follows");
    fs::write(root.join("deploy/SKILL.md"), "edited").expect("a file");
    let edited = follow(&mut folder, &[package("deploy", 1)]).expect("it follows");
    assert_eq!(fs::read_to_string(edited[0].join("SKILL.md")).expect("a file"), "edited");
    assert_eq!(fs::read_to_string(root.join("deploy/SKILL.md")).expect("a file"), "deploy 1 SKILL.md\n");
    fs::write(root.join("deploy/notes.md"), "added").expect("a file");
    let edited = follow(&mut folder, &[]).expect("it follows");
    assert!(edited[0].ends_with("deploy.2") && edited[0].join("notes.md").exists(), "{edited:?}");
    assert!(!root.join("deploy").exists());
}

#[test]
fn names_that_leave_the_folder_and_other_bytes_are_refused() {
    let root = tempfile::tempdir().expect("a folder");
    let mut folder = open(root.path());
    let (wanted, files) = package("../deploy", 1);
    assert_eq!(folder.compare(std::slice::from_ref(&wanted)).expect("changes"), Vec::new());
    assert!(folder.install(&wanted, &files).is_err());
    let (wanted, _) = package("deploy", 1);
    assert!(folder.install(&wanted, &package("deploy", 2).1).is_err());
    assert!(!root.path().join("deploy").exists());
}

/// Ends the work after each step in turn. At every point the package is absent or whole, and the next run completes the work.
#[test]
fn killed_at_each_step_the_folder_never_has_half_a_package() {
    let histories: [&[(&str, i64)]; 4] =
        [&[("deploy", 1)], &[("deploy", 1), ("deploy", 2)], &[("deploy", 1), ("", 0)], &[("deploy", 1), ("other", 1)]];
    for history in histories {
        for last in 1.. {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path().to_owned();
            let whole: Vec<OnDisk> =
                (1..=2).map(|version| OnDisk::Package(package("deploy", version).0.hash)).collect();
            let (at, steps) = (root.clone(), Arc::new(AtomicUsize::new(0)));
            let counted = Arc::clone(&steps);
            let after_step: AfterStep = Box::new(move |step| {
                let found = state(&at.join("deploy"))?;
                assert!(found == OnDisk::Absent || whole.contains(&found), "after `{step}`: {found:?}");
                match counted.fetch_add(1, Ordering::Relaxed) + 1 == last {
                    true => Err(io::Error::other("killed")),
                    false => Ok(()),
                }
            });
            let mut folder = SkillFolder::open_with(&root, Uuid::nil(), after_step).expect("it opens");
            let wanted = |&(name, version): &(&str, i64)| {
                if name.is_empty() { Vec::new() } else { vec![package(name, version)] }
            };
            let killed = history.iter().any(|step| follow(&mut folder, &wanted(step)).is_err());
            let goal = wanted(history.last().expect("a step"));
            let edited = follow(&mut open(&root), &goal).expect("it continues");
            assert_eq!(edited, Vec::<PathBuf>::new(), "nothing was edited");
            let found: Vec<String> = fs::read_dir(&root)
                .expect("a folder")
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .filter(|name| name != ".orgmem")
                .collect();
            assert_eq!(found, goal.iter().map(|(wanted, _)| wanted.name.clone()).collect::<Vec<_>>());
            for (wanted, _) in goal {
                assert_eq!(state(&root.join(&wanted.name)).expect("a state"), OnDisk::Package(wanted.hash));
            }
            if !killed {
                assert!(last > 5, "some steps");
                break;
            }
        }
    }
}
