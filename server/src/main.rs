//! The orgmem program.

use std::process::ExitCode;

/// Returns freed memory to the system, from a thread of its own. glibc retains the memory of the peak of each of its
/// arenas: after an hour of mixed load 215 MB, with 29 MB in use.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// What jemalloc reads from this name at the start: one arena for each processor instead of four, a second instead of
/// ten until freed memory returns, and blocks of up to 4 KiB instead of 32 KiB in the cache of each thread.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "jemalloc declares the name for this purpose, and a thin pointer is its type")]
#[unsafe(export_name = "malloc_conf")]
static ALLOCATOR_SETTINGS: &[u8; 52] = b"narenas_ratio:1,dirty_decay_ms:1000,tcache_max:4096\0";

fn main() -> ExitCode {
    orgmem::cli::main()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    /// As jemalloc itself says at the end of a program.
    #[test]
    fn allocator_has_the_settings() {
        let program = std::env::current_exe().expect("this is a program");
        let output = Command::new(program).arg("--list").env("MALLOC_CONF", "stats_print:true").output();
        let said = String::from_utf8(output.expect("it starts").stderr).expect("text");
        for setting in ["dirty_decay_ms: 1000 ", "tcache_max: 4096", "background_thread: true "] {
            assert!(said.contains(&format!("opt.{setting}")), "{setting} in {said}");
        }
        // a name that jemalloc does not know is only a warning
        assert!(!said.contains("Invalid conf"), "{said}");
    }
}
