//! How SQLite comes to write to a disk of ours: a file system between it and the system's own, which does what that does
//! and takes notes.
#![allow(unsafe_code, reason = "SQLite's interface to file systems is one of C; each block says why it holds")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::{align_of, size_of};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::OnceLock;

use libsqlite3_sys::{
    SQLITE_FULL, SQLITE_IOERR_DELETE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE, SQLITE_OK,
    SQLITE_OPEN_CREATE, SQLITE_OPEN_MAIN_JOURNAL, SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE, SQLITE_OPEN_WAL,
    sqlite3_file, sqlite3_filename, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find,
    sqlite3_vfs_register,
};
use parking_lot::Mutex;

use super::log::What;
use super::{Disk, Trouble};

/// The disks there are, each with its folder.
static DISKS: Mutex<Vec<Disk>> = Mutex::new(Vec::new());

/// The system's own file system, as SQLite knows it.
static SYSTEM: OnceLock<System> = OnceLock::new();

struct System {
    vfs: *mut sqlite3_vfs,
    /// Where in a file's memory ours begins, behind the system's.
    ours_at: usize,
}

// SAFETY: SQLite's own file systems are never changed once they are there, and are made to be used by any thread.
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

/// What is known of an open file, behind what the system knows of it.
struct Ours {
    disk: Option<Disk>,
    name: String,
    /// Whether its next sync is one of its folder too. SQLite's own does so at the first of each journal and log that it
    /// would have made had there been none.
    with_folder: bool,
    /// What the system does with it.
    system: *const sqlite3_io_methods,
    /// The same, but for what is noted.
    noted: sqlite3_io_methods,
}

/// Makes this disk the one of its folder.
pub(super) fn put_in(disk: &Disk) {
    SYSTEM.get_or_init(register);
    DISKS.lock().push(disk.clone());
}

/// Puts our file system in the place of the system's, for files that are opened from now on.
fn register() -> System {
    // SAFETY: null asks for the default, which is there as long as SQLite is.
    let vfs = unsafe { sqlite3_vfs_find(std::ptr::null()) };
    assert!(!vfs.is_null(), "SQLite has a file system");
    // SAFETY: it was found just now and is never freed.
    let theirs = unsafe { *vfs };
    let their_size = usize::try_from(theirs.szOsFile).expect("a size");
    let ours_at = their_size.next_multiple_of(align_of::<Ours>());
    let size = c_int::try_from(ours_at + size_of::<Ours>()).expect("a size");
    let ours = sqlite3_vfs {
        szOsFile: size,
        zName: c"orgmem-test-disk".as_ptr(),
        pNext: null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        ..theirs
    };
    // the registry keeps the address for as long as the process lives
    let ours = Box::leak(Box::new(ours));
    // SAFETY: `ours` lives on, and all of it but two calls, which have the right form, is the system's.
    assert_eq!(unsafe { sqlite3_vfs_register(ours, 1) }, SQLITE_OK, "a file system can be registered");
    System { vfs, ours_at }
}

fn system() -> &'static System {
    SYSTEM.get().expect("it is registered before it is called")
}

/// The disk that this file lies on, and its name there.
fn place(path: &Path) -> Option<(Disk, String)> {
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let disks = DISKS.lock();
    disks.iter().rev().find(|disk| disk.inner.folder == folder).map(|disk| (disk.clone(), name.to_owned()))
}

/// The place of the file that SQLite calls by this name; none for one without a name.
///
/// # Safety
/// `name` is null or a string of C's.
unsafe fn place_of(name: *const c_char) -> Option<(Disk, String)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the caller says that it is a string.
    let name = unsafe { CStr::from_ptr(name) };
    place(Path::new(name.to_str().ok()?))
}

/// Ours of an open file.
///
/// # Safety
/// `file` was opened by [`open`] with success and has not been closed.
unsafe fn ours<'f>(file: *mut sqlite3_file) -> &'f mut Ours {
    // SAFETY: SQLite made room for both parts, as `szOsFile` asks, and `open` filled ours. It calls one file from one
    // thread at a time.
    unsafe { &mut *file.cast::<u8>().add(system().ours_at).cast::<Ours>() }
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let system = system();
    // SAFETY: SQLite gives a string or null.
    let place = unsafe { place_of(name) };
    let is_new = place.as_ref().is_some_and(|(disk, name)| !disk.inner.folder.join(name).exists());
    let read_only = place.as_ref().is_some_and(|(disk, _)| disk.trouble() == Trouble::ReadOnly);
    let flags =
        if read_only { flags & !(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY } else { flags };
    // SAFETY: the arguments are SQLite's own; the file's memory is larger than the system needs.
    let opened = unsafe {
        let open = (*system.vfs).xOpen.expect("a file system opens files");
        open(system.vfs, name, file, flags, out)
    };
    // SAFETY: the system sets the methods, or null when it has not opened the file.
    let methods = unsafe { (*file).pMethods };
    if opened != SQLITE_OK || methods.is_null() {
        return opened;
    }
    let is_made = is_new && flags & SQLITE_OPEN_CREATE != 0;
    let (disk, name) = place.map_or((None, String::new()), |(disk, name)| (Some(disk), name));
    if let Some(disk) = disk.as_ref().filter(|_| is_made) {
        disk.inner.log.lock().add(&name, What::Made);
    }
    let is_log = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0;
    let with_folder = is_log && flags & SQLITE_OPEN_CREATE != 0;
    // SAFETY: the system's methods are constants of its own.
    let theirs = unsafe { *methods };
    let noted = sqlite3_io_methods {
        xClose: Some(close),
        xWrite: Some(write),
        xTruncate: Some(truncate),
        xSync: Some(sync),
        ..theirs
    };
    // SAFETY: there is room for ours behind the system's, and nothing in it yet; the file stays where it is until it is
    // closed, so its methods may point into it.
    unsafe {
        let place = file.cast::<u8>().add(system.ours_at).cast::<Ours>();
        place.write(Ours { disk, name, with_folder, system: methods, noted });
        (*file).pMethods = &raw const (*place).noted;
    }
    SQLITE_OK
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: an open file is closed once; ours is taken out of its memory and dropped, and the system closes the rest
    // with its own methods in place.
    unsafe {
        let ours = file.cast::<u8>().add(system().ours_at).cast::<Ours>().read();
        (*file).pMethods = ours.system;
        let close = (*ours.system).xClose.expect("a file can be closed");
        close(file)
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, from: *const c_void, len: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: the file is open, and its system's methods are constants.
    let (ours, system) = unsafe { (ours(file), &*ours(file).system) };
    let trouble = ours.disk.as_ref().map_or(Trouble::None, Disk::trouble);
    if trouble == Trouble::ReadOnly {
        return SQLITE_IOERR_WRITE;
    }
    if trouble == Trouble::Full {
        let mut size = 0;
        // SAFETY: the file is open.
        let told = unsafe { system.xFileSize.expect("a file has a size")(file, &raw mut size) };
        if told != SQLITE_OK || at + sqlite3_int64::from(len) > size {
            return SQLITE_FULL;
        }
    }
    // SAFETY: the arguments are SQLite's own.
    let written = unsafe { system.xWrite.expect("a file can be written")(file, from, len, at) };
    if let (SQLITE_OK, Some(disk)) = (written, &ours.disk) {
        let len = usize::try_from(len).expect("a length");
        // SAFETY: SQLite has `len` bytes there; they were just written.
        let bytes = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), len) }.to_vec();
        let at = usize::try_from(at).expect("a place in a file");
        disk.inner.log.lock().add(&ours.name, What::Written { at, bytes });
    }
    written
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, len: sqlite3_int64) -> c_int {
    // SAFETY: the file is open, and its system's methods are constants.
    let (ours, system) = unsafe { (ours(file), &*ours(file).system) };
    if ours.disk.as_ref().is_some_and(|disk| disk.trouble() == Trouble::ReadOnly) {
        return SQLITE_IOERR_TRUNCATE;
    }
    // SAFETY: the arguments are SQLite's own.
    let cut = unsafe { system.xTruncate.expect("a file can be cut")(file, len) };
    if let (SQLITE_OK, Some(disk)) = (cut, &ours.disk) {
        let len = usize::try_from(len).expect("a length");
        disk.inner.log.lock().add(&ours.name, What::Cut { len });
    }
    cut
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: the file is open, and its system's methods are constants.
    let (ours, system) = unsafe { (ours(file), &*ours(file).system) };
    let Some(disk) = &ours.disk else {
        // SAFETY: the arguments are SQLite's own.
        return unsafe { system.xSync.expect("a file can be synced")(file, flags) };
    };
    if matches!(disk.trouble(), Trouble::ReadOnly | Trouble::NoSync) {
        return SQLITE_IOERR_FSYNC;
    }
    // durable is what the notes say is: the machine's own disk, which outlives the test, need not be waited for
    let begun = disk.now();
    let with_folder = std::mem::take(&mut ours.with_folder);
    disk.inner.log.lock().add(&ours.name, What::Synced { begun, with_folder });
    SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    let system = system();
    // SAFETY: SQLite gives a string.
    let place = unsafe { place_of(name) };
    if place.as_ref().is_some_and(|(disk, _)| disk.trouble() == Trouble::ReadOnly) {
        return SQLITE_IOERR_DELETE;
    }
    // SAFETY: the arguments are SQLite's own.
    let deleted = unsafe { (*system.vfs).xDelete.expect("files can be deleted")(system.vfs, name, sync_folder) };
    if let (SQLITE_OK, Some((disk, name))) = (deleted, place) {
        disk.inner.log.lock().add(&name, What::Removed { durably: sync_folder != 0 });
    }
    deleted
}
