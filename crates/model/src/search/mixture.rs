use super::student::cumulative;

/// What one model says about a point: its logarithm is a Student t variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Component {
    pub weight: f64,
    /// Logarithm of the predicted value.
    pub center: f64,
    pub scale: f64,
    pub freedom: usize,
}

/// The value below which the mixture has the given probability, on the logarithmic scale.
pub(super) fn quantile(components: &[Component], probability: f64) -> f64 {
    let below = |x: f64| -> f64 {
        components
            .iter()
            .map(|part| {
                let t = (x - part.center) / part.scale;
                part.weight * if part.scale > 0.0 { cumulative(t, part.freedom) } else { f64::from(u8::from(x >= part.center)) }
            })
            .sum()
    };
    let centers = || components.iter().map(|part| part.center);
    let widest = components.iter().map(|part| part.scale).fold(1e-12, f64::max);
    let mut low = centers().fold(f64::INFINITY, f64::min) - widest;
    let mut high = centers().fold(f64::NEG_INFINITY, f64::max) + widest;
    let mut step = widest;
    while below(low) > probability && step < 1e3 {
        low -= step;
        step *= 2.0;
    }
    step = widest;
    while below(high) < probability && step < 1e3 {
        high += step;
        step *= 2.0;
    }
    let accuracy = 1e-4 * widest;
    while high - low > accuracy {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) < probability { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The weighted median of the models' predictions.
pub(super) fn median(components: &[Component]) -> f64 {
    let mut order: Vec<&Component> = components.iter().collect();
    order.sort_by(|left, right| left.center.total_cmp(&right.center));
    let mut sum = 0.0;
    for part in &order {
        sum += part.weight;
        if sum >= 0.5 {
            return part.center;
        }
    }
    order.last().map_or(f64::NAN, |part| part.center)
}
