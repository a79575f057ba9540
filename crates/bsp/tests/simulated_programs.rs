//! Model programs beside a simulation of single processors in another language: `cd references; python3 programs.py > programs.txt`.

use call_bsp::obsp::{InOut, Network, bsp_cost_s, evaluate};
use call_bsp::program::Program;

const NETWORK: Network = Network { g_s_per_byte: 2.0, latency_s: 1.0 };

const PROGRAMS: &[(&str, &str)] = &[
    (
        "cannon",
        "program cannon(n) {
            q = floor(sqrt(P) + 0.5); row = floor(pid/q); column = pid % q
            repeat q {
                compute n*n*n + 5*((pid*7) % 4)
                send 8*n*n to row*q + (column + q - 1) % q
                send 8*n*n to (row + q - 1) % q * q + column
                oblsync
            }
        }",
    ),
    (
        "elimination",
        "program elimination(n) {
            for k = 0 .. P - 1 {
                if pid == k { compute n }
                broadcast 8*(P - k) from k
                if pid > k { compute (pid + 1)*n/4 }
            }
        }",
    ),
    (
        "sort",
        "program sort(n) {
            for s = 0 .. P - 1 {
                if (pid + s) % 2 == 0 { partner = pid + 1 } else { partner = pid - 1 }
                if partner >= 0 && partner < P { send n to partner }
                oblsync
                compute n*(pid % 3)
            }
        }",
    ),
    (
        "tree",
        "program tree(n) {
            compute n*pid
            for k = 1 .. P - 1 times 2 {
                if pid % (2*k) == k { send 8 to pid - k }
                oblsync
                if pid % (2*k) == 0 { compute n }
            }
        }",
    ),
    (
        "parts",
        "program parts(n) {
            compute pid % 5
            send pid to (pid + 3) % P
            partition
                1 { compute n },
                2 { for k = 0 .. 3 { compute k + pid; if pid == 0 { send 4 to 1 } oblsync } },
                P - 3 {
                    compute pid; sync
                    partition
                        floor(P/2) { send n to P - 1 - pid; oblsync },
                        P - floor(P/2) { repeat 3 { compute pid; send 2 to 0; sync } }
                }
            oblsync
        }",
    ),
];

#[test]
fn equal_to_a_simulation_of_processors() {
    for line in include_str!("../references/programs.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, processors, n, ends @ ..] = &words[..] else { panic!("{line}") };
        let expected: Vec<f64> = ends.iter().map(|end| end.parse().expect("a number")).collect();
        let (_, text) = PROGRAMS.iter().find(|(known, _)| known == name).expect("a program");
        let arguments = [("n".to_owned(), n.parse().expect("a number"))];
        let processors = processors.parse().expect("a number");
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let instance = program.instance(&arguments, processors, &NETWORK, InOut::Sum);
        let mut instance = instance.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let arena = &mut instance.arena;
        let start_s = arena.same(0.0);
        let evaluation = evaluate(arena, &instance.task, start_s, InOut::Sum).expect("times");
        assert_eq!(arena.values(evaluation.end_s(), processors), expected, "{name} on {processors}");
        let bsp_s = bsp_cost_s(arena, &instance.task, InOut::Sum);
        assert!(evaluation.total_s(arena) <= bsp_s * (1.0 + 1e-12), "{name} on {processors}");
        let chain = evaluation.chain(arena);
        assert!(chain.windows(2).all(|two| two[0].end_s == two[1].start_s), "{name} on {processors}");
    }
}
