use super::shape::Shape;

/// A product of shapes, at most one for each variable; without any it is the constant term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The shape in each variable, in the order of [`super::Measurements::variables`].
    pub factors: Vec<Option<Shape>>,
}

impl Term {
    /// Its value at a point.
    pub fn evaluate(&self, point: &[f64]) -> f64 {
        let factors = self.factors.iter().zip(point);
        factors.filter_map(|(shape, x)| shape.map(|shape| shape.evaluate(*x))).product()
    }

    /// The term as it stands behind its constant in a formula: `*N*log(N)/P`, empty for the constant term.
    pub fn text(&self, variables: &[String]) -> String {
        let (mut over, mut under) = (Vec::new(), Vec::new());
        for (shape, variable) in self.factors.iter().zip(variables) {
            if let Some(shape) = shape {
                shape.write(variable, &mut over, &mut under);
            }
        }
        let over = over.iter().map(|factor| format!("*{factor}"));
        over.chain(under.iter().map(|factor| format!("/{factor}"))).collect()
    }
}
