use crate::{Beyond, Prediction, Remark, Segment};

/// A predicted time with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The time with the share of each term, and how far out the point is.
    pub prediction: Prediction,
    /// The share of measurements that the interval holds, 0.9 for 90 %.
    pub level: f64,
    /// Lower end of the interval, at least 0.
    pub lower_s: f64,
    /// Upper end; infinite if nothing is known about errors, for there are no more samples than constants.
    pub upper_s: f64,
    /// Standard deviation of the noise.
    pub noise_s: f64,
    /// Standard deviation from the uncertainty of the constants.
    pub constants_s: f64,
    /// Root mean square distance of what this and other formulas predict, by their probability, each as far as the interval reaches,
    /// and of what none of them knows.
    pub formula_s: f64,
    /// The value of each constant that holds at the point, and where: one for each term, in their order.
    pub constants: Vec<Segment>,
    /// What the user should know about it.
    pub remarks: Vec<Remark>,
}

impl Forecast {
    /// A forecast of which only the time is known: the interval and its parts are no numbers.
    pub fn of_time(time_s: f64, level: f64) -> Forecast {
        let prediction = Prediction {
            time_s,
            standard_error_s: f64::NAN,
            cell: 0,
            shares: Vec::new(),
            beyond: Vec::new(),
        };
        Forecast {
            prediction,
            level,
            lower_s: f64::NAN,
            upper_s: f64::NAN,
            noise_s: f64::NAN,
            constants_s: f64::NAN,
            formula_s: f64::NAN,
            constants: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The largest factor by which a variable is beyond the samples; 1 within them.
    pub fn extrapolation(&self) -> f64 {
        self.prediction.beyond.iter().map(Beyond::factor).fold(1.0, f64::max)
    }
}
