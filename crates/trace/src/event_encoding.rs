//! What an event holds as bytes, as traces have it and lists keep it: natural numbers, 7 bits a byte, the lowest first; the highest bit says
//! that more follow.

use crate::{Collective, CollectiveOperation, EpochStep, EventKind, Message, RemoteAccess, WindowEpoch};

/// In the order of their codes.
const OPERATIONS: [CollectiveOperation; 15] = [
    CollectiveOperation::Barrier,
    CollectiveOperation::Broadcast,
    CollectiveOperation::Scatter,
    CollectiveOperation::Gather,
    CollectiveOperation::Reduce,
    CollectiveOperation::Allgather,
    CollectiveOperation::Allreduce,
    CollectiveOperation::Alltoall,
    CollectiveOperation::ReduceScatter,
    CollectiveOperation::Scan,
    CollectiveOperation::Exscan,
    CollectiveOperation::Fence,
    CollectiveOperation::Initialise,
    CollectiveOperation::Finalise,
    CollectiveOperation::Make,
];

/// Likewise, from 18 on.
const EPOCH_STEPS: [EpochStep; 7] = [
    EpochStep::Post,
    EpochStep::Start,
    EpochStep::Complete,
    EpochStep::Wait,
    EpochStep::LockExclusive,
    EpochStep::LockShared,
    EpochStep::Unlock,
];

/// The first and the last moment are in no trace, so their codes are free.
const PROGRAM_BEGIN: u8 = 254;
const PROGRAM_END: u8 = 255;

/// Takes numbers from bytes; `None` where they end, or say more than fits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventCursor<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl EventCursor<'_> {
    #[inline]
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    #[inline(always)]
    pub(crate) fn natural(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let second = self.byte()?;
        let number = u64::from(first & 0x7f) | u64::from(second & 0x7f) << 7;
        if second < 0x80 { Some(number) } else { self.long_natural(number) }
    }

    /// What begins with two bytes of this number.
    fn long_natural(&mut self, mut number: u64) -> Option<u64> {
        for shift in (14..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits > u64::MAX >> shift {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline(always)]
    fn index(&mut self) -> Option<u32> {
        self.natural()?.try_into().ok()
    }

    /// What an event of this kind holds, in a list.
    #[inline(always)]
    pub(crate) fn kind_in_list(&mut self, code: u8) -> Option<EventKind> {
        match code {
            PROGRAM_BEGIN => Some(EventKind::ProgramBegin),
            PROGRAM_END => Some(EventKind::ProgramEnd),
            code => self.kind(code),
        }
    }

    /// The same in a trace.
    #[inline(always)]
    pub(crate) fn kind(&mut self, code: u8) -> Option<EventKind> {
        Some(match code {
            0 => EventKind::Enter { region: self.index()? },
            1 => EventKind::Leave,
            2 => EventKind::ExperimentBegin { experiment: self.index()? },
            3 => EventKind::ExperimentEnd { experiment: self.index()? },
            4 | 5 => EventKind::Send { message: self.message()?, is_synchronous: code == 5 },
            6 | 7 => EventKind::SendRequest {
                message: self.message()?,
                request: self.natural()?,
                is_synchronous: code == 7,
            },
            8 => EventKind::SendComplete { request: self.natural()? },
            9 => EventKind::Receive { message: self.message()? },
            10 => EventKind::ReceiveRequest { request: self.natural()? },
            11 => EventKind::ReceiveComplete { message: self.message()?, request: self.natural()? },
            12 => EventKind::Probed { message: self.message()? },
            13 => EventKind::Cancelled { request: self.natural()? },
            14 => EventKind::Collective { collective: self.collective()? },
            15 => EventKind::CollectiveRequest { collective: self.collective()?, request: self.natural()? },
            16 => EventKind::CollectiveComplete { request: self.natural()? },
            17 => EventKind::RemoteAccess { access: self.access()? },
            18..=24 => EventKind::WindowEpoch { epoch: self.epoch(EPOCH_STEPS[usize::from(code - 18)])? },
            _ => return None,
        })
    }

    #[inline(always)]
    fn message(&mut self) -> Option<Message> {
        let (partner, communicator) = (self.index()?, self.index()?);
        let tag = self.index()?.cast_signed();
        Some(Message { partner, communicator, tag, bytes: self.natural()? })
    }

    fn access(&mut self) -> Option<RemoteAccess> {
        let (partner, communicator) = (self.index()?, self.index()?);
        let (sent_bytes, received_bytes) = (self.natural()?, self.natural()?);
        Some(RemoteAccess { partner, communicator, sent_bytes, received_bytes })
    }

    fn epoch(&mut self, step: EpochStep) -> Option<WindowEpoch> {
        let (partner, communicator, window) = (self.index()?, self.index()?, self.index()?);
        Some(WindowEpoch { step, partner, communicator, window })
    }

    fn collective(&mut self) -> Option<Collective> {
        let operation = *OPERATIONS.get(usize::from(self.byte()?))?;
        let communicator = self.index()?;
        let root = self.natural()?.checked_sub(1).map(u32::try_from).transpose().ok()?;
        let (sent_bytes, received_bytes) = (self.natural()?, self.natural()?);
        Some(Collective { operation, communicator, root, sent_bytes, received_bytes })
    }
}

/// Puts numbers behind bytes, as an [`EventCursor`] takes them.
pub(crate) trait PutEvent {
    /// Puts what an event holds; returns the code of its kind.
    fn kind(&mut self, kind: EventKind) -> u8;
    fn natural(&mut self, number: u64);
    fn message(&mut self, message: Message);
    fn collective(&mut self, collective: Collective);
}

impl PutEvent for Vec<u8> {
    fn kind(&mut self, kind: EventKind) -> u8 {
        match kind {
            EventKind::Enter { region } => self.natural(region.into()),
            EventKind::ExperimentBegin { experiment } | EventKind::ExperimentEnd { experiment } => {
                self.natural(experiment.into());
            }
            EventKind::Send { message, .. }
            | EventKind::Receive { message }
            | EventKind::Probed { message } => {
                self.message(message);
            }
            EventKind::SendRequest { message, request, .. }
            | EventKind::ReceiveComplete { message, request } => {
                self.message(message);
                self.natural(request);
            }
            EventKind::SendComplete { request }
            | EventKind::ReceiveRequest { request }
            | EventKind::Cancelled { request }
            | EventKind::CollectiveComplete { request } => self.natural(request),
            EventKind::Collective { collective } => self.collective(collective),
            EventKind::CollectiveRequest { collective, request } => {
                self.collective(collective);
                self.natural(request);
            }
            EventKind::RemoteAccess { access } => {
                let numbers = [
                    u64::from(access.partner),
                    access.communicator.into(),
                    access.sent_bytes,
                    access.received_bytes,
                ];
                numbers.into_iter().for_each(|number| self.natural(number));
            }
            EventKind::WindowEpoch { epoch } => {
                let numbers = [epoch.partner, epoch.communicator, epoch.window];
                numbers.into_iter().for_each(|number| self.natural(number.into()));
            }
            EventKind::Leave | EventKind::ProgramBegin | EventKind::ProgramEnd => {}
        }
        match kind {
            EventKind::Enter { .. } => 0,
            EventKind::Leave => 1,
            EventKind::ExperimentBegin { .. } => 2,
            EventKind::ExperimentEnd { .. } => 3,
            EventKind::Send { is_synchronous, .. } => 4 + u8::from(is_synchronous),
            EventKind::SendRequest { is_synchronous, .. } => 6 + u8::from(is_synchronous),
            EventKind::SendComplete { .. } => 8,
            EventKind::Receive { .. } => 9,
            EventKind::ReceiveRequest { .. } => 10,
            EventKind::ReceiveComplete { .. } => 11,
            EventKind::Probed { .. } => 12,
            EventKind::Cancelled { .. } => 13,
            EventKind::Collective { .. } => 14,
            EventKind::CollectiveRequest { .. } => 15,
            EventKind::CollectiveComplete { .. } => 16,
            EventKind::RemoteAccess { .. } => 17,
            EventKind::WindowEpoch { epoch } => match epoch.step {
                EpochStep::Post => 18,
                EpochStep::Start => 19,
                EpochStep::Complete => 20,
                EpochStep::Wait => 21,
                EpochStep::LockExclusive => 22,
                EpochStep::LockShared => 23,
                EpochStep::Unlock => 24,
            },
            EventKind::ProgramBegin => PROGRAM_BEGIN,
            EventKind::ProgramEnd => PROGRAM_END,
        }
    }

    #[inline]
    fn natural(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.push(number as u8);
    }

    fn message(&mut self, Message { partner, communicator, tag, bytes }: Message) {
        let numbers = [u64::from(partner), communicator.into(), tag.cast_unsigned().into(), bytes];
        numbers.into_iter().for_each(|number| self.natural(number));
    }

    fn collective(&mut self, its: Collective) {
        let code = OPERATIONS.iter().position(|operation| *operation == its.operation);
        self.push(code.unwrap_or(0) as u8);
        let root = its.root.map_or(0, |root| u64::from(root) + 1);
        let numbers = [u64::from(its.communicator), root, its.sent_bytes, its.received_bytes];
        numbers.into_iter().for_each(|number| self.natural(number));
    }
}
