use call_profile::{Accumulated, Cost, CostQuantity, CriticalPath, Profile, Scale, View};
use call_report::{DisplayUnit, number};

/// A view with the costs of its nodes.
pub struct Charged<'a> {
    pub profile: &'a Profile,
    pub view: View,
    pub costs: Vec<Cost>,
    pub total: Cost,
}

impl Charged<'_> {
    pub fn new(profile: &Profile, view: View) -> Charged<'_> {
        let costs = view.nodes.iter().map(|node| profile.cost_of(&node.centres)).collect();
        let total = view.total(profile);
        Charged { profile, view, costs, total }
    }

    /// For each node whether it is small beside the whole, also in what is looked for.
    pub fn small(&self, hidden: &HidingThreshold) -> Vec<bool> {
        self.costs.iter().map(|cost| hidden.hides(cost, &self.total)).collect()
    }
}

/// What is left out.
#[derive(Debug, Clone, Copy)]
pub struct HidingThreshold {
    /// What has less than this share of the time and of waiting,
    pub share: f64,
    /// and, if a criterion is given, of what that one weighs. A relative imbalance is no share of the whole, and keeps nothing.
    pub criterion: Option<CriticalPath>,
}

impl HidingThreshold {
    /// Whether a cost is left out.
    pub fn hides(&self, cost: &Cost, total: &Cost) -> bool {
        let weighs = self.weighed().is_some_and(|criterion| criterion.score(cost, total) >= self.share);
        cost.is_small(total, self.share) && !weighs
    }

    /// Such as `, also in waiting and by hrel/absolute`.
    pub fn also(&self) -> String {
        match self.weighed() {
            None => ", also in waiting".to_owned(),
            Some(criterion) => format!(", also in waiting and by {}", criterion.key()),
        }
    }

    fn weighed(&self) -> Option<CriticalPath> {
        self.criterion.filter(|path| !matches!(path, CriticalPath::Of(_, Scale::RelativeImbalance)))
    }
}

/// How a quantity is called, for people and in keys.
pub fn name(quantity: CostQuantity) -> &'static str {
    match quantity {
        CostQuantity::Computation => "computation",
        CostQuantity::Communication => "communication",
        CostQuantity::Waiting => "idle",
        CostQuantity::H => "h",
    }
}

/// The unit at the end of a key.
pub fn unit(quantity: CostQuantity) -> &'static str {
    if quantity == CostQuantity::H { "bytes" } else { "s" }
}

/// `2.235 s 78|67`: the sum of maxima, and the [`percents`] of it.
pub fn summary(quantity: CostQuantity, its: &Accumulated) -> String {
    format!("{} {}", amount(quantity, its.maximum), percents(its)).trim_end().to_owned()
}

/// What the average and the minimum are of the sum of maxima, in percent; nothing of nothing.
pub fn percents(its: &Accumulated) -> String {
    let percent = |part: f64| 100.0 * part / its.maximum;
    match its.maximum == 0.0 {
        true => String::new(),
        false => format!("{:.0}|{:.0}", percent(its.average), percent(its.minimum)),
    }
}

pub fn amount(quantity: CostQuantity, value: f64) -> String {
    if quantity == CostQuantity::H { DisplayUnit::parse("bytes").text(value) } else { number::seconds(value) }
}

/// 0 where there is nothing to compare with.
pub fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
