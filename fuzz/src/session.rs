//! Any lines as commands of a session that has a trace, a table and a script.

use llac::{MemoryWorkspace, Session};

const TRACE: &str = "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
    experiment processor P N time_s\nf 0 1 1 0.000005\nf 0 1 2 0.000007\nf 0 1 4 0.000011\nf 0 1 8 0.000019\nf 0 1 9 0.000021\n\
    # end rows=5\n";
const TABLE: &str = "kernel,N,P,time_s\ng,1,1,0.5\ng,2,1,0.6\ng,1,2,0.3\ng,2,2,0.4\nh,8,8,1\n";

pub fn run(bytes: &[u8]) {
    let script = String::from_utf8_lossy(bytes).into_owned();
    let files = [("x.dat", TRACE.to_owned()), ("t.csv", TABLE.to_owned()), ("s.llac", script.clone())];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    let _ = session.run("load x.dat t.csv");
    for (_, command) in llac::commands(&script).take(20) {
        session.complete(&command);
        match session.run(&command) {
            Ok(outcome) => drop(llac::json::outcome(&outcome)),
            Err(error) => drop(error.render(&command)),
        }
    }
}
