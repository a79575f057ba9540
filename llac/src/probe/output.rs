//! What a process that was started says, read beside it.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Its lines, as they come.
pub fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

/// Its errors, when it has ended.
pub fn text_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(mut errors) = child.stderr.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is better than nothing, and nobody may wait for it.
            let _ = errors.read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    receiver
}
