use crate::{Cost, CostQuantity};

/// By what nodes are called critical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CriticalPath {
    /// Where the most synchronisations are.
    Synchronisations,
    /// Where most of a quantity is, in some sense.
    Of(CostQuantity, Scale),
}

/// In which sense a node has much of a quantity. m is its sum of maxima, a its average, M and A those of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scale {
    /// m / M.
    Absolute,
    /// (m − a) / (M − A).
    AbsoluteImbalance,
    /// (m − a) / a.
    RelativeImbalance,
    /// Relative imbalance · m / M.
    WeightedImbalance,
}

impl Scale {
    /// All of them.
    pub const ALL: [Scale; 4] =
        [Scale::Absolute, Scale::AbsoluteImbalance, Scale::RelativeImbalance, Scale::WeightedImbalance];

    fn key(self) -> &'static str {
        match self {
            Scale::Absolute => "absolute",
            Scale::AbsoluteImbalance => "absdelta",
            Scale::RelativeImbalance => "reldelta",
            Scale::WeightedImbalance => "weightdelta",
        }
    }

    /// What the Oxford toolset calls it, such as `weighted imbalance`.
    pub fn title(self) -> &'static str {
        match self {
            Scale::Absolute => "absolute",
            Scale::AbsoluteImbalance => "absolute imbalance",
            Scale::RelativeImbalance => "relative imbalance",
            Scale::WeightedImbalance => "weighted imbalance",
        }
    }
}

impl CriticalPath {
    /// The 17 of them, that of synchronisations first.
    pub fn all() -> impl Iterator<Item = CriticalPath> {
        let of = |quantity| Scale::ALL.map(|scale| CriticalPath::Of(quantity, scale));
        std::iter::once(CriticalPath::Synchronisations).chain(CostQuantity::ALL.into_iter().flat_map(of))
    }

    /// Its short name, such as `comp/absdelta`.
    pub fn key(self) -> String {
        match self {
            CriticalPath::Synchronisations => "sync/absolute".to_owned(),
            CriticalPath::Of(quantity, scale) => format!("{}/{}", quantity.key(), scale.key()),
        }
    }

    /// What the Oxford toolset calls it, such as `Computational critical path: absolute imbalance`.
    pub fn title(self) -> String {
        let (of, scale) = match self {
            CriticalPath::Synchronisations => ("Synchronisation", Scale::Absolute),
            CriticalPath::Of(CostQuantity::Computation, scale) => ("Computational", scale),
            CriticalPath::Of(CostQuantity::Communication, scale) => ("Communication", scale),
            CriticalPath::Of(CostQuantity::Waiting, scale) => ("Waiting/idle time", scale),
            CriticalPath::Of(CostQuantity::H, scale) => ("Accumulated h-relation", scale),
        };
        format!("{of} critical path: {}", scale.title())
    }

    /// The path with that short name; `comp` is `comp/absolute`.
    pub fn named(name: &str) -> Option<CriticalPath> {
        CriticalPath::all().find(|path| {
            let key = path.key();
            key == name || key.strip_suffix("/absolute") == Some(name)
        })
    }

    /// How critical something is that has a cost, as part of a whole: from 0 to 1.
    pub fn score(self, cost: &Cost, total: &Cost) -> f64 {
        let score = match self {
            CriticalPath::Synchronisations => {
                ratio(cost.synchronisations as f64, total.synchronisations as f64)
            }
            CriticalPath::Of(quantity, scale) => {
                let (its, whole) = (cost.of(quantity), total.of(quantity));
                let absolute = ratio(its.maximum, whole.maximum);
                let relative = ratio(its.imbalance(), its.average);
                match scale {
                    Scale::Absolute => absolute,
                    Scale::AbsoluteImbalance => ratio(its.imbalance(), whole.imbalance()),
                    Scale::RelativeImbalance => relative,
                    Scale::WeightedImbalance => relative * absolute,
                }
            }
        };
        score.clamp(0.0, 1.0)
    }

    /// The score as one of 256 shades, from 0 for red, the most critical, to 255 for white.
    pub fn shade(self, cost: &Cost, total: &Cost) -> u8 {
        (255.0 * (1.0 - self.score(cost, total))) as u8
    }
}

/// 0 where there is nothing to compare with.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
