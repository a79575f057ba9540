//! What processors do with each other's memory, and messages that were seen before they were received.

use call_trace::{EpochStep, EventKind, Message, RemoteAccess, WindowEpoch};

use super::LocationReader;
use crate::names;
use crate::record::{AccessRecord, DefinitionReference, UNDEFINED, number};

/// Memory that is accessed.
#[derive(Clone, Copy)]
struct Window {
    /// As the archive and as the list that is made have it.
    communicator: DefinitionReference,
    place: u32,
    /// Among those of the communicator.
    number: u32,
}

impl LocationReader<'_> {
    /// `None` of what others tell of their calls.
    pub(super) fn probed(
        &mut self,
        parameter: DefinitionReference,
        text: DefinitionReference,
    ) -> Option<Message> {
        let name = *self.definitions.parameters.get(&parameter)?;
        if self.definitions.text(name) != names::PROBED {
            return None;
        }
        self.message(names::probed_of(self.definitions.text(text))?)
    }

    pub(super) fn access(&mut self, access: AccessRecord) -> Option<RemoteAccess> {
        let AccessRecord { rank, window, sent_bytes, received_bytes, .. } = access;
        let window = self.window(window)?;
        let partner = self.processor(window.communicator, rank)?;
        Some(RemoteAccess { partner, communicator: window.place, sent_bytes, received_bytes })
    }

    /// What begins or ends a lock of another processor's memory.
    pub(super) fn lock(
        &mut self,
        step: EpochStep,
        rank: u64,
        window: DefinitionReference,
    ) -> Option<WindowEpoch> {
        let window = self.window(window)?;
        let partner = self.processor(window.communicator, rank)?;
        Some(WindowEpoch { step, partner, communicator: window.place, window: window.number })
    }

    /// The call says which step it is; it is one with each processor of the group.
    pub(super) fn synchronise(
        &mut self,
        at_ns: u64,
        call: &str,
        group: DefinitionReference,
        window: DefinitionReference,
    ) {
        let Some(step) = names::epoch_step(call) else { return };
        let Some(window) = self.window(window) else { return };
        let Some(group) = self.definitions.groups.get(&(group, number::COMM_GROUP)) else {
            self.counts.undefined += 1;
            return;
        };
        for member in &group.members {
            let partner = u32::try_from(*member).ok();
            match partner.filter(|partner| self.communicators.locations.contains_key(partner)) {
                Some(partner) => {
                    let Window { place: communicator, number: window, .. } = window;
                    let epoch = WindowEpoch { step, partner, communicator, window };
                    self.push(at_ns, EventKind::WindowEpoch { epoch });
                }
                None => self.counts.undefined += 1,
            }
        }
    }

    fn window(&mut self, window: DefinitionReference) -> Option<Window> {
        let communicator = self.definitions.windows.get(&window).map_or(UNDEFINED, |its| its.communicator);
        let place = self.communicator(communicator)?;
        let number = self.communicators.window_number(window);
        Some(Window { communicator, place, number })
    }
}
