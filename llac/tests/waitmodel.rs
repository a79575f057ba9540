//! `waits model` and `best allocation`: what recorded runs say of those that were not recorded.

use crate::transcript::transcript;
use llac::{MemoryWorkspace, Session};

const COLUMNS: &str = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
    out_messages in_messages partners experiments inner_waiting_s\n";

/// In each of three supersteps `p0` processors share 12 s, as many as `p1` 20 s; the synchronisation takes 0.1 s.
fn recorded(program: &str, p0: u32, p1: u32, others: &str) -> String {
    let processors = p0 + p1;
    let works_s = [12.0 / f64::from(p0), 20.0 / f64::from(p1)];
    let slowest_s = works_s[0].max(works_s[1]);
    let section = |processor: u32| {
        let group = usize::from(processor >= p0);
        let (place, work_s) =
            (["a.c:10 in sample < main", "a.c:20 in transform < main"][group], works_s[group]);
        let rows = (0..3).map(|round| {
            let start_s = f64::from(round) * (slowest_s + 0.1);
            let waiting_s = slowest_s - work_s;
            format!(
                "# {} 0-{}.0 0 1 {start_s} {work_s} {waiting_s} 0.1 0 8 8 1 1 - - 0\n",
                round + 1,
                processors - 1
            )
        });
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync {place}\n{COLUMNS}{}",
            rows.collect::<String>()
        )
    };
    format!(
        "# call-trace 1\n# program: {program}\n# processors: {processors}\n# experiment: E\n# formula: E[0]/p0 + E[1]*N/p1\n\
         # variables: p0 p1 N\nexperiment processor P p0 p1 N time_s\nE 0 {processors} {p0} {p1} {others} 4\n{}# end rows=1\n",
        (0..processors).map(section).collect::<String>()
    )
}

fn session() -> Session {
    let mut files = Vec::new();
    for (p0, p1) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 4), (3, 1), (3, 2), (3, 3), (3, 4)] {
        files.push((format!("run.{p0}.{p1}.dat"), recorded("pipe", p0, p1, "7")));
    }
    files.push(("other.dat".to_owned(), recorded("other", 2, 2, "7")));
    files.push(("large.dat".to_owned(), recorded("pipe", 2, 2, "8")));
    files.push((
        "several.dat".to_owned(),
        recorded("pipe", 2, 2, "7")
            .replace("# end rows=1", "# end rows=2")
            .replace("E 0 4 2 2 7 4\n", "E 0 4 2 2 7 4\nE 0 4 2 2 9 4\n"),
    ));
    // Another program's time at the values of a run that is there.
    files.push(("again.dat".to_owned(), recorded("pipe", 1, 1, "7").replace(" 20 0 0.1", " 30 0 0.1")));
    let plain = "# call-trace 1\n# program: p\n# processors: 1\n# experiment: E\n# variables:\nexperiment processor P time_s\nE 0 1 4\n\
        # end rows=1\n";
    files.push(("plain.dat".to_owned(), plain.to_owned()));
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

#[test]
fn models_of_waits() {
    let lines = [
        "load run.*.dat",
        "waits model",
        "waits model p0=2 p1=3",
        "waits model p0=2 p1=1..4",
        "waits model p0=2 p1=6 N=7",
        "best allocation total=7 p0=1..3 p1=1..4",
        "best allocation total=4",
        "best allocation total=10",
        "waits model into sums.csv",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn mistakes() {
    let lines = [
        "waits model",
        "best allocation total=4",
        "load plain.dat",
        "waits model",
        "load run.1.*.dat as few",
        "waits model few p1=2 p1=3",
        "waits model few few",
        "waits model few q=2",
        "waits model few N=8",
        "waits model few",
        "best allocation",
        "best allocation total=0",
        "best allocation total=3,4",
        "load run.*.dat as runs",
        "waits model runs p0=2",
        "waits model runs p0=1..x",
        "waits model runs p0=1.5..3 p1=1",
        "waits model runs p0=0 p1=1",
        "waits model runs p0=1e300 p1=1",
        "waits model runs p0=1.5 p1=1",
        "waits model runs p0=nan p1=1",
        "waits model runs p0=2 p1=2 where P = 2",
        "best allocation runs total=1",
        "best allocation runs total=8 p0=0,1",
        "best allocation runs total=8 P=2",
        "best allocation runs total=1000000",
        "load run.1.1.dat run.1.2.dat run.3.1.dat as three",
        "waits model three",
        "load run.1.1.dat run.1.2.dat run.3.1.dat run.2.4.dat other.dat as mixed",
        "waits model mixed",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn points_to_run() {
    let lines = [
        "advise allocation runs=14 p0=1..4 p1=1..5",
        "advise allocation runs=4 N=1000:16000:2 P=2,4,8",
        "advise allocation runs=3 p0=1..4 p1=1..5",
        "advise allocation p0=1..4",
        "advise allocation runs=4",
        "advise allocation runs=2.5 p0=1..4",
        "advise allocation runs=9 p0=1..100 p1=1..100",
        "advise allocation some runs=9 p0=1..4",
        "advise allocation runs=7 p0=1,4 p1=1,4 p2=1,4",
        "load run.*.dat as pipe",
        "advise allocation pipe runs=3 p0=1..4 p1=1..8",
        "advise allocation pipe runs=1 p0=1..4 p1=1..8",
        "advise allocation pipe runs=1 p0=1..3 p1=1",
        "advise allocation pipe runs=1 p0=1..3",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// What would be plausible and false is told.
#[test]
fn what_models_do_not_know() {
    let lines = [
        "load run.*.dat large.dat as sizes",
        "best allocation sizes total=4",
        "best allocation sizes total=4 N=7,8",
        "load run.*.dat several.dat as mixed",
        "waits model mixed p0=2 p1=2",
        "load run.*.dat again.dat as twice",
        "waits model twice p0=2 p1=2",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}
