use call_waiting::Account;

/// A recorded run and where it lies.
#[derive(Debug, Clone)]
pub struct RunAtPoint<'a> {
    /// The values of the variables in it.
    pub point: Vec<f64>,
    /// What its processors did and waited for.
    pub account: &'a Account,
}
