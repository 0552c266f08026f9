//! The files of the data folder: created once, private, and refused if other users can read them.

use std::collections::HashSet;
use std::fs;

use orgmem_policies::Role;
use secrecy::ExposeSecret;

use super::*;
use crate::auth::secrets::{self, OwnSecret};
use crate::auth::{AdminTokenError, KeyError};

async fn open_in(folder: &Path) -> Result<Auth, KeyError> {
    Auth::open(&settings(), folder, now()).await
}

fn admin_token(auth: &Auth, folder: &Path, now: DateTime<Utc>) -> (String, bool) {
    let token = auth.ensure_admin_token(folder, now).expect("a token").expect("a secret");
    assert_eq!(token.path, folder.join("admin.token"));
    (fs::read_to_string(token.path).expect("a file").trim_end().to_owned(), token.is_new)
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

#[tokio::test]
async fn second_start_uses_the_secret_of_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = open_in(folder.path()).await.expect("it opens");
    let (token, is_new) = admin_token(&first, folder.path(), now());
    assert!(is_new);
    let again = open_in(folder.path()).await.expect("it opens");
    assert_eq!(again.verify(&token, now()).expect("the same secret").identity().role, Role::Admin);
    assert_eq!(admin_token(&again, folder.path(), now()), (token, false));
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert_eq!(names.len(), 2, "nothing else is left: {names:?}");
    #[cfg(unix)]
    assert_eq!(["jwt.secret", "admin.token"].map(|name| mode(&folder.path().join(name))), [0o600, 0o600]);
}

#[test]
fn concurrent_first_starts_agree_on_one_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = || secrets::in_folder(folder.path()).expect("secrets").iter().map(OwnSecret::kid).collect::<Vec<_>>();
    let found: HashSet<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..16).map(|_| scope.spawn(start)).collect();
        starts.into_iter().map(|start| start.join().expect("no panic")).collect()
    });
    assert_eq!(found.len(), 1);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no draft is left");
}

#[tokio::test]
async fn unusable_admin_token_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("admin.token");
    let auth = open_in(folder.path()).await.expect("it opens");
    let (token, _) = admin_token(&auth, folder.path(), now());

    let (unchanged, is_new) = admin_token(&auth, folder.path(), now() + TimeDelta::days(334));
    assert!(!is_new && unchanged == token, "31 days are left");
    let (renewed, is_new) = admin_token(&auth, folder.path(), now() + TimeDelta::days(335));
    assert!(is_new && renewed != token, "30 days are left");

    fs::remove_file(&file).expect("a file");
    assert!(admin_token(&auth, folder.path(), now()).1, "the file was missing");
    fs::write(&file, "nonsense").expect("a file");
    assert!(admin_token(&auth, folder.path(), now()).1, "the file had no token");
    fs::remove_file(folder.path().join("jwt.secret")).expect("a file");
    let auth = open_in(folder.path()).await.expect("it opens");
    assert!(admin_token(&auth, folder.path(), now()).1, "it was signed with another secret");
    fs::write(&file, token_of_role(folder.path(), "operator")).expect("a file");
    assert!(admin_token(&auth, folder.path(), now()).1, "it had another role");
}

/// A token of a lesser role, signed with the secret of the folder.
fn token_of_role(folder: &Path, role: &str) -> String {
    let secret = fs::read_to_string(folder.join("jwt.secret")).expect("a secret");
    let mut claims = with("role", role);
    claims["exp"] = (now() + TimeDelta::days(100)).timestamp().into();
    SigningKey::secret(secret.trim()).token(&json!({"alg": "HS256"}), &claims)
}

#[tokio::test]
async fn first_line_of_the_secret_file_signs_and_all_verify() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("jwt.secret");
    let (old, _) = admin_token(&open_in(folder.path()).await.expect("it opens"), folder.path(), now());
    let secret = fs::read_to_string(&file).expect("a secret");
    fs::write(&file, format!("{SECRET}\n{secret}")).expect("a file");

    let auth = open_in(folder.path()).await.expect("it opens");
    assert!(auth.verify(&old, now()).is_ok(), "the old secret verifies");
    fs::remove_file(folder.path().join("admin.token")).expect("a file");
    let (new, _) = admin_token(&auth, folder.path(), now());
    assert!(open(&settings_with_secret()).await.verify(&new, now()).is_ok(), "the new one signs");
}

#[cfg(unix)]
#[tokio::test]
async fn file_readable_by_others_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let auth = open_in(folder.path()).await.expect("it opens");
    admin_token(&auth, folder.path(), now());
    for name in ["admin.token", "jwt.secret"] {
        set_mode(&folder.path().join(name), 0o640);
    }
    let error = open_in(folder.path()).await.err().expect("others can read it").to_string();
    let file = folder.path().join("jwt.secret").display().to_string();
    assert_eq!(
        error,
        format!(
            "`{file}` is readable by other users (mode 0640); if nobody has read it, `chmod 600` it, otherwise remove it to create a new one"
        )
    );
    let error = auth.ensure_admin_token(folder.path(), now()).expect_err("others can read it");
    assert!(matches!(error, AdminTokenError::File(KeyError::Exposed { mode: 0o640, .. })), "{error}");
}

#[tokio::test]
async fn too_short_secret_stops_the_start() {
    #[track_caller]
    fn check(outcome: Result<Auth, KeyError>) {
        let error = outcome.err().expect("too short").to_string();
        assert!(
            error.ends_with(
                "jwt.secret`: each line must be a secret of at least 32 bytes; remove the file to create a new one"
            ),
            "{error}"
        );
    }

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("jwt.secret");
    for text in ["", "short\n", &format!("{SECRET}\nshort\n")] {
        fs::write(&file, text).expect("a file");
        #[cfg(unix)]
        set_mode(&file, 0o600);
        check(open_in(folder.path()).await);
    }
}

#[tokio::test]
async fn unwritable_folder_stops_the_start() {
    let error = open_in(Path::new("/nowhere/at/all")).await.err().expect("no folder").to_string();
    assert_eq!(error, "cannot write `/nowhere/at/all/jwt.secret`: No such file or directory (os error 2)");
}

#[tokio::test]
async fn configured_secret_needs_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    Auth::open(&settings_with_secret(), folder.path(), now()).await.expect("it opens");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    assert_eq!(settings_with_secret().secret.expect("set").expose_secret(), SECRET);
}
