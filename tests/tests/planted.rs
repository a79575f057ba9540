//! Planted constants come back through the whole chain: C, `call`, cc, a run with a counting clock, `llac`.

use call_grammar::CoefficientId;
use call_model::{Model, Settings};
use call_tests::{Transport, Workshop};

/// Relative distance in units of the last of nine digits.
fn assert_nine_digits(found: f64, planted: f64) {
    let error = ((found - planted) / planted).abs();
    assert!(error < 1e-9, "found {found:e}, planted {planted:e}: relative error {error:e}");
}

fn built(name: &str, transport: Transport) -> Workshop {
    let workshop = Workshop::new();
    workshop.bring(&format!("tests/programs/{name}.c"));
    workshop.build(name, transport, "-O2");
    workshop
}

fn model(workshop: &Workshop, experiment: &str) -> Model {
    let mut data = call_trace::Dataset::default();
    for name in workshop.traces() {
        data.add(&name, workshop.trace(&name)).unwrap();
    }
    let experiment = data.experiments.iter().find(|known| known.name == experiment).unwrap();
    Model::fit(&Settings::default().prepare(experiment)).unwrap()
}

#[test]
fn two_intervals_of_a_sequential_program() {
    let workshop = built("planted", Transport::Embedded);
    workshop.shell("CALL_CLOCK=counting ./planted");

    let outer = model(&workshop, "outer");
    let planted = [[5000e-9, 9000e-9], [40e-9, 70e-9], [2e-9, 5e-9]];
    for (index, values) in planted.iter().enumerate() {
        let aleph = outer.aleph(CoefficientId(index as u32)).unwrap();
        assert_eq!(aleph.segments.len(), 2, "{aleph:?}");
        for (segment, value) in aleph.segments.iter().zip(values) {
            assert_nine_digits(segment.value, *value);
        }
        // The largest sampled size of the first interval: 64, 72, 81, …, N + N / 8, … up to 4096.
        let border = std::iter::successors(Some(64u32), |n| Some(n + n / 8))
            .take_while(|n| *n <= 4096)
            .last()
            .unwrap();
        assert_eq!(aleph.segments[0].ranges[0].upper, f64::from(border));
    }

    let nest = model(&workshop, "nest");
    assert_nine_digits(nest.predict(&[1000.0]).time_s, (311.0 + 28.0 * 1000.0) * 1e-9);
    let inner = model(&workshop, "inner");
    assert_nine_digits(inner.aleph(CoefficientId(0)).unwrap().segments[0].value, 7e-9);
    assert_eq!(inner.cells().len(), 1);

    let shown = workshop.llac(&["load planted.call.0.dat", "aleph outer[2]", "predict outer N=100000"]);
    // Standard errors are rounding of the last digits here, so only the rest is compared.
    for wanted in
        ["outer[2]       2e-9", "[64, 3807]", "outer[2]       5e-9", "(3807, ∞)", "outer(N=100000) = 50.01 s"]
    {
        assert!(shown.contains(wanted), "{wanted}:\n{shown}");
    }
}

#[test]
fn a_bsp_program_on_both_transports() {
    for transport in [Transport::Embedded, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = built("planted_pub", transport);
        for processors in [1, 2, 4, 8] {
            workshop.shell(&match transport {
                Transport::Embedded => {
                    format!("CALL_CLOCK=counting CALL_PROCESSORS={processors} ./planted_pub")
                }
                _ => format!("CALL_CLOCK=counting mpirun -n {processors} ./planted_pub"),
            });
        }
        let model = model(&workshop, "f");
        assert_eq!(model.cells().len(), 1);
        for (index, value) in [12000e-9, 3500e-9, 17e-9].into_iter().enumerate() {
            assert_nine_digits(model.aleph(CoefficientId(index as u32)).unwrap().segments[0].value, value);
        }
        assert_nine_digits(model.predict(&[32.0, 1e6]).time_s, (12000.0 + 17500.0 + 17e6 / 32.0) * 1e-9);
    }
}
