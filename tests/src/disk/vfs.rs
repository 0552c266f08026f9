//! A SQLite file system that delegates to the default one and records the operations on a simulated disk.
#![allow(unsafe_code, reason = "SQLite's file system interface is C; each block states why it is sound")]

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

use super::log::OperationKind;
use super::{Disk, DiskFault};

static DISKS: Mutex<Vec<Disk>> = Mutex::new(Vec::new());

/// SQLite's default file system.
static SYSTEM: OnceLock<System> = OnceLock::new();

struct System {
    vfs: *mut sqlite3_vfs,
    /// Offset of [`Ours`] in the memory of an open file, after the system's part.
    ours_at: usize,
}

// SAFETY: SQLite's file systems are immutable after their registration and usable by any thread.
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

/// Our part of an open file's memory, after the system's part.
struct Ours {
    disk: Option<Disk>,
    name: String,
    /// The next sync also syncs the folder, as SQLite's default file system does at the first sync of each new journal.
    with_folder: bool,
    system: *const sqlite3_io_methods,
    /// The methods of `system`, except those that record.
    methods: sqlite3_io_methods,
}

pub(super) fn mount(disk: &Disk) {
    SYSTEM.get_or_init(register);
    DISKS.lock().push(disk.clone());
}

/// Replaces the default file system for files that are opened from now on.
fn register() -> System {
    // SAFETY: null selects the default, which lives as long as SQLite.
    let vfs = unsafe { sqlite3_vfs_find(std::ptr::null()) };
    assert!(!vfs.is_null(), "SQLite has a file system");
    // SAFETY: the pointer was found above and is never freed.
    let theirs = unsafe { *vfs };
    let their_size = usize::try_from(theirs.szOsFile).expect("the size fits");
    let ours_at = their_size.next_multiple_of(align_of::<Ours>());
    let size = c_int::try_from(ours_at + size_of::<Ours>()).expect("the size fits");
    let ours = sqlite3_vfs {
        szOsFile: size,
        zName: c"orgmem-test-disk".as_ptr(),
        pNext: null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        ..theirs
    };
    // SQLite's registry holds the address for the life of the process
    let ours = Box::leak(Box::new(ours));
    // SAFETY: `ours` is leaked; all but two of its functions are the system's, and those two have the right type.
    assert_eq!(unsafe { sqlite3_vfs_register(ours, 1) }, SQLITE_OK, "a file system can be registered");
    System { vfs, ours_at }
}

fn system() -> &'static System {
    SYSTEM.get().expect("the file system is registered")
}

/// The disk of a file, and the file's name on it.
fn location(path: &Path) -> Option<(Disk, String)> {
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let disks = DISKS.lock();
    disks.iter().rev().find(|disk| disk.inner.folder == folder).map(|disk| (disk.clone(), name.to_owned()))
}

/// The disk of the file that SQLite names; `None` for one without a name.
///
/// # Safety
///
/// `name` is null or a C string.
unsafe fn location_of(name: *const c_char) -> Option<(Disk, String)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) };
    location(Path::new(name.to_str().ok()?))
}

/// Our part of an open file.
///
/// # Safety
///
/// `file` was opened by [`open`] with success and is not closed.
unsafe fn ours<'f>(file: *mut sqlite3_file) -> &'f mut Ours {
    // SAFETY: SQLite allocated both parts, as `szOsFile` requests, and `open` initialized ours. SQLite calls one file
    // from one thread at a time.
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
    // SAFETY: SQLite passes a string or null.
    let location = unsafe { location_of(name) };
    let is_new = location.as_ref().is_some_and(|(disk, name)| !disk.inner.folder.join(name).exists());
    let read_only = location.as_ref().is_some_and(|(disk, _)| disk.fault() == DiskFault::ReadOnly);
    let flags =
        if read_only { flags & !(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY } else { flags };
    // SAFETY: the arguments come from SQLite; the file's memory is larger than the system requires.
    let opened = unsafe {
        let open = (*system.vfs).xOpen.expect("xOpen exists");
        open(system.vfs, name, file, flags, out)
    };
    // SAFETY: the system sets the methods, or null if it has not opened the file.
    let system_methods = unsafe { (*file).pMethods };
    if opened != SQLITE_OK || system_methods.is_null() {
        return opened;
    }
    let is_created = is_new && flags & SQLITE_OPEN_CREATE != 0;
    let (disk, name) = location.map_or((None, String::new()), |(disk, name)| (Some(disk), name));
    if let Some(disk) = disk.as_ref().filter(|_| is_created) {
        disk.inner.log.lock().add(&name, OperationKind::Created);
    }
    let is_log = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0;
    let with_folder = is_log && flags & SQLITE_OPEN_CREATE != 0;
    // SAFETY: the system's methods are constants.
    let theirs = unsafe { *system_methods };
    let methods = sqlite3_io_methods {
        xClose: Some(close),
        xWrite: Some(write),
        xTruncate: Some(truncate),
        xSync: Some(sync),
        ..theirs
    };
    // SAFETY: our part follows the system's and is uninitialized; the file does not move until it is closed, so its
    // methods may point into it.
    unsafe {
        let location = file.cast::<u8>().add(system.ours_at).cast::<Ours>();
        location.write(Ours { disk, name, with_folder, system: system_methods, methods });
        (*file).pMethods = &raw const (*location).methods;
    }
    SQLITE_OK
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: a file is closed once; our part is moved out and dropped, and the system closes its part with its own
    // methods.
    unsafe {
        let ours = file.cast::<u8>().add(system().ours_at).cast::<Ours>().read();
        (*file).pMethods = ours.system;
        let close = (*ours.system).xClose.expect("xClose exists");
        close(file)
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, from: *const c_void, len: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: the file is open, and its system's methods are constants.
    let (ours, system) = unsafe { (ours(file), &*ours(file).system) };
    let fault = ours.disk.as_ref().map_or(DiskFault::None, Disk::fault);
    if fault == DiskFault::ReadOnly {
        return SQLITE_IOERR_WRITE;
    }
    if fault == DiskFault::Full {
        let mut size = 0;
        // SAFETY: the file is open.
        let status = unsafe { system.xFileSize.expect("xFileSize exists")(file, &raw mut size) };
        if status != SQLITE_OK || at + sqlite3_int64::from(len) > size {
            return SQLITE_FULL;
        }
    }
    // SAFETY: the arguments come from SQLite.
    let written = unsafe { system.xWrite.expect("xWrite exists")(file, from, len, at) };
    if let (SQLITE_OK, Some(disk)) = (written, &ours.disk) {
        let len = usize::try_from(len).expect("the length fits");
        // SAFETY: SQLite passes `len` bytes, which were just written.
        let bytes = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), len) }.to_vec();
        let at = usize::try_from(at).expect("the offset fits");
        disk.inner.log.lock().add(&ours.name, OperationKind::Written { at, bytes });
    }
    written
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, len: sqlite3_int64) -> c_int {
    // SAFETY: the file is open, and its system's methods are constants.
    let (ours, system) = unsafe { (ours(file), &*ours(file).system) };
    if ours.disk.as_ref().is_some_and(|disk| disk.fault() == DiskFault::ReadOnly) {
        return SQLITE_IOERR_TRUNCATE;
    }
    // SAFETY: the arguments come from SQLite.
    let truncated = unsafe { system.xTruncate.expect("xTruncate exists")(file, len) };
    if let (SQLITE_OK, Some(disk)) = (truncated, &ours.disk) {
        let len = usize::try_from(len).expect("the length fits");
        disk.inner.log.lock().add(&ours.name, OperationKind::Truncated { len });
    }
    truncated
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: the file is open, and its system's methods are constants.
    let (ours, system) = unsafe { (ours(file), &*ours(file).system) };
    let Some(disk) = &ours.disk else {
        // SAFETY: the arguments come from SQLite.
        return unsafe { system.xSync.expect("xSync exists")(file, flags) };
    };
    if matches!(disk.fault(), DiskFault::ReadOnly | DiskFault::NoSync) {
        return SQLITE_IOERR_FSYNC;
    }
    // the log defines durability; the machine's disk outlives the test and needs no sync
    let begun = disk.now();
    let with_folder = std::mem::take(&mut ours.with_folder);
    disk.inner.log.lock().add(&ours.name, OperationKind::Synced { begun, with_folder });
    SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    let system = system();
    // SAFETY: SQLite passes a string.
    let location = unsafe { location_of(name) };
    if location.as_ref().is_some_and(|(disk, _)| disk.fault() == DiskFault::ReadOnly) {
        return SQLITE_IOERR_DELETE;
    }
    // SAFETY: the arguments come from SQLite.
    let deleted = unsafe { (*system.vfs).xDelete.expect("xDelete exists")(system.vfs, name, sync_folder) };
    if let (SQLITE_OK, Some((disk, name))) = (deleted, location) {
        disk.inner.log.lock().add(&name, OperationKind::Removed { durably: sync_folder != 0 });
    }
    deleted
}
