//! The calls of the typed client are those of the API description: this test writes them from `/openapi.json` and
//! compares them with `server/src/client/calls`. With `ORGMEM_REVIEW` set it writes the files instead.

mod operations;
mod queries;
mod rust;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use orgmem_tests::{On, TestApp, run};

use operations::operations;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/src/client/calls")
}

/// The content of each file, by name.
fn committed() -> BTreeMap<String, String> {
    let Ok(entries) = fs::read_dir(folder()) else { return BTreeMap::new() };
    let content = |path: PathBuf| {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a source file can be read"))
    };
    entries.map(|entry| content(entry.expect("an entry of a folder").path())).collect()
}

fn write(files: &BTreeMap<String, String>) {
    fs::create_dir_all(folder()).expect("the folder can be created");
    for name in committed().into_keys().filter(|name| !files.contains_key(name)) {
        fs::remove_file(folder().join(name)).expect("a file can be removed");
    }
    for (name, content) in files {
        fs::write(folder().join(name), content).expect("a file can be written");
    }
}

#[test]
fn calls_of_the_client_match_the_description() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        assert_written(&rust::files(&operations(app.contract().document())));
    });
}

#[track_caller]
fn assert_written(described: &BTreeMap<String, String>) {
    if std::env::var_os("ORGMEM_REVIEW").is_some() {
        write(described);
    }
    let committed = committed();
    assert!(committed.keys().eq(described.keys()), "the files of server/src/client/calls are {:?}", described.keys());
    for (name, content) in described {
        let differing = content.lines().zip(committed[name].lines()).find(|(described, written)| described != written);
        assert!(
            *content == committed[name],
            "server/src/client/calls/{name} differs, first at {differing:?}; run with ORGMEM_REVIEW=1"
        );
    }
}
