//! The file system of the database: SQLite's default one, except that every page written to the database file has
//! zeros in its unused part (see [`page`]).
//!
//! In WAL mode only checkpoints write to the database file. So the file never has residue, at the cost of a look at
//! each page that a checkpoint writes anyway. The WAL, whose checksums cover whole pages, is not changed.
//!
//! The default file system opens the file and serves all calls. This module replaces one function of the file system,
//! `xOpen`, and one of the database file, `xWrite`. Locks, shared memory and all other files are untouched.
#![expect(unsafe_code, reason = "SQLite's interface to file systems is C")]

use std::ffi::{CStr, CString, c_int, c_void};
use std::mem::{align_of, size_of};
use std::path::Path;
use std::ptr::{null, null_mut};

use libsqlite3_sys::{
    SQLITE_CANTOPEN, SQLITE_IOERR_WRITE, SQLITE_OK, SQLITE_OPEN_MAIN_DB, sqlite3_file, sqlite3_filename, sqlite3_int64,
    sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};
use parking_lot::Mutex;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use super::page;
use crate::OpenError;

/// Characters of a path that have no meaning in a URL.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The last version of the methods of a file without memory maps: a disk error in one would end the process.
const WITHOUT_MEMORY_MAP: c_int = 2;

/// Our file system over another one.
#[repr(C)]
struct VfsLayer {
    /// First, so that SQLite's pointer to it is a pointer to the layer.
    vfs: sqlite3_vfs,
    inner: *mut sqlite3_vfs,
}

/// Our part of the memory of an open database file. It follows the part of the inner file system.
#[repr(C)]
struct OpenFile {
    /// First, so that the file's pointer to its methods is a pointer to this part.
    methods: sqlite3_io_methods,
    inner: *const sqlite3_io_methods,
}

/// The URL that opens the file at an absolute path through this file system.
pub(crate) fn url(path: &Path) -> Result<String, OpenError> {
    let name = register().map_err(|reason| OpenError::Database(reason.into()))?;
    let bytes = path.as_os_str().as_encoded_bytes();
    let path = percent_encode(bytes, PATH).to_string();
    // `C:\data` becomes `/C:/data`
    let path = if cfg!(windows) { format!("/{}", path.replace("%5C", "/").replace("%3A", ":")) } else { path };
    Ok(format!("file://{path}?vfs={name}"))
}

/// Registers the file system over the default one, unless it is registered already. Returns its name.
fn register() -> Result<String, &'static str> {
    static REGISTRATION: Mutex<()> = Mutex::new(());
    let _registration = REGISTRATION.lock();
    // SAFETY: null selects the default file system. A registered file system lives as long as the process.
    let inner = unsafe { sqlite3_vfs_find(null()) };
    if inner.is_null() {
        return Err("SQLite has no file system for this platform");
    }
    // SAFETY: `inner` is a registered file system; its name is a C string.
    let (theirs, their_name) = unsafe { (*inner, CStr::from_ptr((*inner).zName)) };
    let name = format!("orgmem-{}", their_name.to_string_lossy());
    let c_name = CString::new(name.as_str()).map_err(|_| "the name of SQLite's file system has a NUL")?;
    // SAFETY: `c_name` is a C string.
    if !unsafe { sqlite3_vfs_find(c_name.as_ptr()) }.is_null() {
        return Ok(name);
    }
    let size = our_offset(&theirs) + size_of::<OpenFile>();
    let vfs = sqlite3_vfs {
        szOsFile: c_int::try_from(size).map_err(|_| "the files of SQLite's file system are too large")?,
        zName: c_name.into_raw(),
        pNext: null_mut(),
        xOpen: Some(open),
        ..theirs
    };
    // SQLite's registry holds the address for the life of the process
    let layer = Box::leak(Box::new(VfsLayer { vfs, inner }));
    // SAFETY: the layer and its name are leaked; its functions are those of the default file system, which do not
    // depend on the address of the structure, and `open`.
    match unsafe { sqlite3_vfs_register(&raw mut layer.vfs, 0) } {
        SQLITE_OK => Ok(name),
        _ => Err("SQLite refused the file system"),
    }
}

/// The offset of [`OpenFile`] in the memory of an open file. SQLite aligns that memory to eight bytes.
fn our_offset(inner: &sqlite3_vfs) -> usize {
    usize::try_from(inner.szOsFile).unwrap_or_default().next_multiple_of(align_of::<OpenFile>())
}

/// `xOpen`: opens the file with the inner file system; replaces `xWrite` if it is the database file.
unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite calls this function with the structure that `register` made, the first field of a `VfsLayer`.
    let inner = unsafe { (*vfs.cast::<VfsLayer>()).inner };
    // SAFETY: `inner` is a registered file system.
    let Some(inner_open) = (unsafe { (*inner).xOpen }) else { return SQLITE_CANTOPEN };
    // SAFETY: the arguments are SQLite's; the file's memory is larger than the inner file system requires.
    let opened = unsafe { inner_open(inner, name, file, flags, out) };
    // SAFETY: the inner file system has set the methods, or null if it could not open the file.
    let methods = unsafe { (*file).pMethods };
    if opened != SQLITE_OK || methods.is_null() || flags & SQLITE_OPEN_MAIN_DB == 0 {
        return opened;
    }
    // SAFETY: SQLite has allocated `szOsFile` bytes, so ours are within them, aligned, and unused by the inner file
    // system. The memory does not move until the file is closed, so `pMethods` may point into it.
    unsafe {
        let ours = file.cast::<u8>().add(our_offset(&*inner)).cast::<OpenFile>();
        let version = (*methods).iVersion.min(WITHOUT_MEMORY_MAP);
        let replaced = sqlite3_io_methods { iVersion: version, xWrite: Some(write), ..*methods };
        ours.write(OpenFile { methods: replaced, inner: methods });
        (*file).pMethods = &raw const (*ours).methods;
    }
    SQLITE_OK
}

/// `xWrite` of the database file: overwrites residue in a copy of the page and writes that.
unsafe extern "C" fn write(file: *mut sqlite3_file, from: *const c_void, len: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: only files of `open` have this function, and their methods are the first field of an `OpenFile`. The
    // inner methods live as long as the open file.
    let inner_write = unsafe { (*(*(*file).pMethods.cast::<OpenFile>()).inner).xWrite };
    let (Some(inner_write), Ok(size), Ok(offset)) = (inner_write, usize::try_from(len), u64::try_from(at)) else {
        return SQLITE_IOERR_WRITE;
    };
    // SAFETY: SQLite passes `len` readable bytes.
    let page = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), size) };
    let cleaned = page::without_residue(page, offset);
    let from = cleaned.as_ref().map_or(from, |page| page.as_ptr().cast());
    // SAFETY: the file is open, and `from` points to `len` bytes.
    unsafe { inner_write(file, from, len, at) }
}

#[cfg(test)]
#[path = "vfs_tests.rs"]
mod tests;
