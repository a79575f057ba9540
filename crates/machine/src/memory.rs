use crate::{Machine, MemoryLevel};

impl Machine {
    /// The level that holds a working set: the first that serves it.
    pub fn memory_level(&self, working_set_bytes: f64) -> Option<&MemoryLevel> {
        let served = |level: &MemoryLevel| level.served_bytes.or(level.size_bytes);
        self.memory.iter().find(|level| served(level).is_none_or(|bytes| working_set_bytes <= bytes as f64))
    }
}
