//! When and where the program runs: clock, computer, and the commit of the sources around it.

use std::hash::{BuildHasher, RandomState};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat};
use llac::Circumstances;

/// As it is now.
pub fn now() -> Circumstances {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| said("uname", &["-n"]));
    Circumstances {
        time: utc(since.as_secs()),
        now_ns: u64::try_from(since.as_nanos()).ok(),
        host: host.unwrap_or_default().trim().to_owned(),
        commit: commit(),
        // The keys of a hash table are random; the moment tells apart what a process asks for several times.
        word: format!("{:016x}", RandomState::new().hash_one(since.as_nanos())),
    }
}

/// The commit of the sources in the current folder.
fn commit() -> Option<String> {
    let commit = said("git", &["rev-parse", "HEAD"])?;
    let changes = said("git", &["status", "--porcelain", "--untracked-files=no"]).unwrap_or_default();
    Some(if changes.is_empty() { commit } else { format!("{commit}+") })
}

/// What a program says, if it is there and succeeds.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Seconds since 1970 as `2026-11-21T09:30:00Z`.
fn utc(seconds: u64) -> String {
    let moment = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    moment.unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        // `date -u -d @SECONDS +%FT%TZ`.
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn words_differ() {
        assert_ne!(now().word, now().word);
    }
}
