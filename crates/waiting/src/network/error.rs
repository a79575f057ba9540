use call_trace::CallSite;

/// Why a recording tells nothing of another network.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NetworkError {
    #[error("no processor waited for a message, so the recording does not tell its latency and bandwidth")]
    NoMessages,
    #[error(
        "all messages that processors waited for have {bytes} bytes, which does not tell latency and bandwidth apart"
    )]
    OneSize { bytes: f64 },
    #[error("larger messages did not take longer, so the recording does not tell its bandwidth")]
    NotGrowing,
    #[error("who waits for whom contradicts itself in this recording, so it cannot be replayed on a network")]
    Contradicts,
    /// Processors, each with the call that it never leaves.
    #[error("{}", stuck(.0))]
    Stuck(Vec<(u32, CallSite)>),
}

impl NetworkError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            NetworkError::NoMessages | NetworkError::OneSize { .. } | NetworkError::NotGrowing => {
                "unknown-network"
            }
            NetworkError::Contradicts => "contradicting-clocks",
            NetworkError::Stuck(_) => "never-ends",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&'static str> {
        Some(match self {
            NetworkError::NoMessages | NetworkError::OneSize { .. } | NetworkError::NotGrowing => {
                "say what the network was: `from latency=SECONDS bandwidth=BYTES/S`"
            }
            NetworkError::Contradicts => "record on one computer, or under SMPI",
            NetworkError::Stuck(_) => {
                "let one of them receive first, or send without waiting (MPI_Isend, MPI_Sendrecv)"
            }
        })
    }
}

fn stuck(waiting: &[(u32, CallSite)]) -> String {
    let told = waiting.iter().take(MOST_TOLD).map(|(processor, site)| {
        let place = site.position.as_ref().map(|at| format!(" {}:{}", at.file, at.line)).unwrap_or_default();
        format!("processor {processor} in {}{place}", site.call)
    });
    let more = if waiting.len() > MOST_TOLD { ", …" } else { "" };
    format!(
        "the program would not end: processors wait for each other, {}{more}",
        told.collect::<Vec<_>>().join(", ")
    )
}

const MOST_TOLD: usize = 4;
