use crate::remark::ArchiveRemark;

/// How often something was met that is to be told.
#[derive(Debug, Default)]
pub(super) struct ImportIncidents {
    pub(super) outside: usize,
    pub(super) undefined: usize,
    pub(super) intercommunicators: usize,
    pub(super) not_nested: usize,
    pub(super) unknown_requests: usize,
    pub(super) recording_off: usize,
    pub(super) flushed_ns: u64,
    pub(super) calling_contexts: usize,
    pub(super) before_clock: usize,
}

impl ImportIncidents {
    pub(super) fn remarks(&self, processor: u32, open_collectives: usize) -> Vec<ArchiveRemark> {
        let told = [
            (self.outside, ArchiveRemark::OutsideCalls { processor, events: self.outside }),
            (self.undefined, ArchiveRemark::Undefined { processor, events: self.undefined }),
            (
                self.intercommunicators,
                ArchiveRemark::Intercommunicators { processor, events: self.intercommunicators },
            ),
            (self.not_nested, ArchiveRemark::NotNested { processor, events: self.not_nested }),
            (
                self.unknown_requests,
                ArchiveRemark::UnknownRequests { processor, events: self.unknown_requests },
            ),
            (open_collectives, ArchiveRemark::OpenCollectives { processor, events: open_collectives }),
            (self.recording_off, ArchiveRemark::RecordingOff { processor, times: self.recording_off }),
            (self.flushed_ns as usize, ArchiveRemark::Flushed { processor, time_ns: self.flushed_ns }),
            (
                self.calling_contexts,
                ArchiveRemark::CallingContexts { processor, events: self.calling_contexts },
            ),
            (self.before_clock, ArchiveRemark::BeforeClock { processor, events: self.before_clock }),
        ];
        told.into_iter().filter(|(count, _)| *count > 0).map(|(_, remark)| remark).collect()
    }
}
