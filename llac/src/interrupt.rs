//! Commands that the user may interrupt.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use llac::{CommandOutcome, Error, Session};

enum ReplEvent {
    /// Ctrl-C.
    Interrupt,
    /// The command with this number is done.
    Done(u64, Box<FinishedCommand>),
}

/// The session after a command, and what it had to show.
type FinishedCommand = (Session, Result<CommandOutcome, Error>);

/// How the wait for a command ended.
pub enum Ending {
    Done(Result<CommandOutcome, Error>),
    Interrupted,
}

static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

/// How often the user has interrupted: what waits for something else gives up when it grows.
pub fn count() -> usize {
    INTERRUPTS.load(Ordering::Relaxed)
}

/// Runs commands beside the terminal, which goes on listening to Ctrl-C.
pub struct Runner {
    events: Receiver<ReplEvent>,
    sender: Sender<ReplEvent>,
    next: Cell<u64>,
}

impl Runner {
    /// Takes over the interrupts of this process.
    pub fn new() -> Result<Runner, ctrlc::Error> {
        let (sender, events) = channel();
        let on_interrupt = sender.clone();
        // If nobody waits any more, the program is ending.
        ctrlc::set_handler(move || {
            INTERRUPTS.fetch_add(1, Ordering::Relaxed);
            drop(on_interrupt.send(ReplEvent::Interrupt));
        })?;
        Ok(Runner { events, sender, next: Cell::new(0) })
    }

    /// Runs a line on a copy of the session, which takes its place when it is done. After an interrupt the session is as before, and
    /// the copy works on unseen until it has finished.
    pub fn run(&self, session: &mut Session, line: &str) -> Ending {
        // An interrupt between two commands is no reason to end the next one.
        while self.events.try_recv().is_ok() {}
        let number = self.next.replace(self.next.get() + 1);
        let (sender, line, mut copy) = (self.sender.clone(), line.to_owned(), session.clone());
        std::thread::spawn(move || {
            let outcome = copy.run(&line);
            drop(sender.send(ReplEvent::Done(number, Box::new((copy, outcome)))));
        });
        loop {
            match self.events.recv() {
                Ok(ReplEvent::Done(done, finished)) if done == number => {
                    let (after, outcome) = *finished;
                    *session = after;
                    return Ending::Done(outcome);
                }
                // A command that was interrupted before has finished now.
                Ok(ReplEvent::Done(..)) => {}
                Ok(ReplEvent::Interrupt) | Err(_) => return Ending::Interrupted,
            }
        }
    }
}
