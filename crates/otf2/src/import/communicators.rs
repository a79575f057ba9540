use std::collections::{BTreeMap, HashMap, HashSet};

use call_trace::{Communicator, CommunicatorName};

use crate::export::CREATOR;
use crate::names;
use crate::record::{ArchiveDefinitions, DefinitionReference, number};

/// The processes of an archive and its communicators, by the numbers that processors have in the run.
#[derive(Debug)]
pub(crate) struct Communicators {
    /// The location of each processor.
    pub(crate) locations: BTreeMap<u32, DefinitionReference>,
    /// Whether the archive says which rank each process had.
    pub(crate) has_ranks: bool,
    members: BTreeMap<DefinitionReference, CommunicatorMembers>,
    /// The communicator of all.
    world: Option<DefinitionReference>,
    names: HashMap<DefinitionReference, CommunicatorName>,
    /// How many windows of the same communicator were made before each window.
    window_numbers: HashMap<DefinitionReference, u32>,
}

/// Who belongs to a communicator.
#[derive(Debug)]
enum CommunicatorMembers {
    /// By rank.
    Processors(Vec<u32>),
    /// The same, while events have the ranks among all.
    Globally(Vec<u32>),
    Oneself,
}

impl Communicators {
    pub(crate) fn of(definitions: &ArchiveDefinitions) -> Communicators {
        let ranks = definitions.groups.iter().find(|((_, kind), group)| {
            *kind == number::COMM_LOCATIONS && group.paradigm == number::PARADIGM_MPI
        });
        let locations: Vec<DefinitionReference> = match ranks {
            Some((_, group)) => group.members.clone(),
            None => first_threads(definitions),
        };
        let locations: BTreeMap<u32, DefinitionReference> = (0..).zip(locations).collect();
        let members: BTreeMap<DefinitionReference, CommunicatorMembers> = definitions
            .communicators
            .iter()
            .filter_map(|(own, its)| Some((*own, members(definitions, its.group, locations.len())?)))
            .collect();
        let mut made = Communicators {
            locations,
            has_ranks: ranks.is_some(),
            members,
            world: None,
            names: HashMap::new(),
            window_numbers: window_numbers(definitions),
        };
        made.world = made.find_world(definitions);
        made.name_all(definitions);
        made
    }

    /// The one that is called so, else the first one with all processes in their order.
    fn find_world(&self, definitions: &ArchiveDefinitions) -> Option<DefinitionReference> {
        let has_all = |members: &CommunicatorMembers| match members {
            CommunicatorMembers::Processors(all) | CommunicatorMembers::Globally(all) => {
                all.len() == self.locations.len() && all.iter().copied().eq(0..all.len() as u32)
            }
            CommunicatorMembers::Oneself => false,
        };
        let mut candidates: Vec<DefinitionReference> =
            self.members.iter().filter(|(_, members)| has_all(members)).map(|(own, _)| *own).collect();
        let is_called_so = |own: &DefinitionReference| {
            definitions.communicators.get(own).is_some_and(|its| definitions.text(its.name) == names::WORLD)
        };
        candidates.sort_by_key(|own| !is_called_so(own));
        candidates.first().copied()
    }

    fn name_all(&mut self, definitions: &ArchiveDefinitions) {
        let is_own = definitions.creator == CREATOR;
        let mut used: HashSet<CommunicatorName> = HashSet::new();
        for (own, members) in &self.members {
            let (CommunicatorMembers::Processors(processors) | CommunicatorMembers::Globally(processors)) =
                members
            else {
                continue;
            };
            let text = definitions.communicators.get(own).map_or("", |its| definitions.text(its.name));
            let world = (self.world == Some(*own)).then_some(CommunicatorName { maker: 0, number: 0 });
            let told = || is_own.then(|| named(text)).flatten();
            let maker = processors.first().copied().unwrap_or(0);
            // Those of others are numbered behind those that each processor has from the start.
            let mut name = world.or_else(told).unwrap_or(CommunicatorName { maker, number: 2 });
            while !used.insert(name) {
                name.number = name.number.wrapping_add(1);
            }
            self.names.insert(*own, name);
        }
    }

    /// Those that a processor belongs to, with their references, in the order of these.
    pub(crate) fn of_processor(&self, processor: u32) -> Vec<(DefinitionReference, Communicator)> {
        let mut found = Vec::new();
        for (own, members) in &self.members {
            let communicator = match members {
                CommunicatorMembers::Oneself => Communicator {
                    name: CommunicatorName { maker: processor, number: 1 },
                    processors: vec![processor],
                },
                CommunicatorMembers::Processors(all) | CommunicatorMembers::Globally(all)
                    if all.contains(&processor) =>
                {
                    let Some(name) = self.names.get(own) else { continue };
                    Communicator { name: *name, processors: all.clone() }
                }
                _ => continue,
            };
            found.push((*own, communicator));
        }
        found
    }

    pub(crate) fn world(&self) -> Option<DefinitionReference> {
        self.world
    }

    /// How many windows of the same communicator were made before this one.
    pub(crate) fn window_number(&self, window: DefinitionReference) -> u32 {
        self.window_numbers.get(&window).copied().unwrap_or(0)
    }

    /// The processor with a rank in a communicator, as `of` has it.
    pub(crate) fn processor(&self, communicator: DefinitionReference, rank: u64, of: u32) -> Option<u32> {
        match self.members.get(&communicator)? {
            CommunicatorMembers::Processors(all) => all.get(usize::try_from(rank).ok()?).copied(),
            CommunicatorMembers::Globally(all) => {
                let processor = u32::try_from(rank).ok()?;
                all.contains(&processor).then_some(processor)
            }
            CommunicatorMembers::Oneself => (rank == 0).then_some(of),
        }
    }
}

/// Those that say it themselves have their numbers from there, others that of their order in the archive.
fn window_numbers(definitions: &ArchiveDefinitions) -> HashMap<DefinitionReference, u32> {
    let is_own = definitions.creator == CREATOR;
    let mut before: HashMap<DefinitionReference, u32> = HashMap::new();
    let mut numbers = HashMap::new();
    for (own, its) in &definitions.windows {
        let next = before.entry(its.communicator).or_default();
        let told = is_own.then(|| names::window_number(definitions.text(its.name))).flatten();
        numbers.insert(*own, told.unwrap_or(*next));
        *next += 1;
    }
    numbers
}

/// `communicator MAKER.NUMBER`.
fn named(text: &str) -> Option<CommunicatorName> {
    let (maker, number) = text.strip_prefix("communicator ")?.split_once('.')?;
    Some(CommunicatorName { maker: maker.parse().ok()?, number: number.parse().ok()? })
}

fn members(
    definitions: &ArchiveDefinitions,
    group: DefinitionReference,
    processors: usize,
) -> Option<CommunicatorMembers> {
    if definitions.groups.contains_key(&(group, number::COMM_SELF)) {
        return Some(CommunicatorMembers::Oneself);
    }
    let its = definitions.groups.get(&(group, number::COMM_GROUP))?;
    let is_known = |member: &u64| usize::try_from(*member).is_ok_and(|member| member < processors);
    if its.paradigm != number::PARADIGM_MPI || !its.members.iter().all(is_known) {
        return None;
    }
    let all = its.members.iter().map(|member| *member as u32).collect();
    Some(match its.flags & number::GLOBAL_MEMBERS {
        0 => CommunicatorMembers::Processors(all),
        _ => CommunicatorMembers::Globally(all),
    })
}

/// Of each process the thread that is named first.
fn first_threads(definitions: &ArchiveDefinitions) -> Vec<DefinitionReference> {
    let mut seen = HashSet::new();
    let is_process = |group: &DefinitionReference| {
        definitions.location_groups.get(group).is_some_and(|its| its.kind == number::PROCESS)
    };
    let threads = definitions.locations.iter().filter(|(_, its)| {
        its.kind == number::CPU_THREAD && is_process(&its.group) && seen.insert(its.group)
    });
    threads.map(|(own, _)| *own).collect()
}
