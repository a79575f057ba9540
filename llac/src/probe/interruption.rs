use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is told then.
pub const INTERRUPTED: &str = "llac: interrupted: no machine was written";

/// How often to look whether the user has had enough.
pub const PATIENCE: Duration = Duration::from_millis(100);

/// Knows whether the user has pressed Ctrl-C.
pub struct Interruption {
    came: Arc<AtomicBool>,
}

impl Interruption {
    /// Takes over the interrupts of this process.
    pub fn listen() -> Result<Interruption, String> {
        let came = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&came);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
            .map_err(|error| format!("llac: {error}"))?;
        Ok(Interruption { came })
    }

    pub fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }
}

/// Ends a child that leads a process group, and all that it has started.
pub fn end(mut child: Child) {
    // The group is that of the child, which has not been waited for: the number is not anybody else's.
    let group = format!("-{}", child.id());
    // Without a `kill`, or where all have ended already, there is nothing more to do.
    let _ = Command::new("kill").args(["-TERM", "--", &group]).output();
    let _ = child.wait();
}

/// Whether a command was ended by Ctrl-C: one that has just been started may not have its own group of processes yet.
pub fn ended(status: ExitStatus) -> bool {
    status.signal() == Some(SIGINT)
}

/// The number of the signal, on all systems.
const SIGINT: i32 = 2;
