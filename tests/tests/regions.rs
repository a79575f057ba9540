//! `P` of blocks around the parallel regions of OpenMP: the team that ran them, whatever was asked for.

use std::collections::BTreeMap;

use call_tests::{Workshop, is_there};

/// `P` of each experiment, of its rows in order: once where all have the same.
fn processors(workshop: &Workshop, trace: &str) -> BTreeMap<String, Vec<u32>> {
    let mut found: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    // Events behind the rows are no text.
    let bytes = std::fs::read(workshop.path().join(trace)).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for line in text
        .lines()
        .take_while(|line| !line.starts_with("# events of"))
        .filter(|line| !line.starts_with('#'))
        .skip(1)
    {
        let mut words = line.split(' ');
        let name = words.next().unwrap().to_owned();
        let processors = words.nth(1).unwrap().parse().unwrap();
        found.entry(name).or_default().push(processors);
    }
    found.values_mut().for_each(|its| its.dedup());
    found
}

fn compilers() -> Vec<&'static str> {
    let there: Vec<&str> = ["gcc", "clang"].into_iter().filter(|compiler| is_there(compiler)).collect();
    assert!(there.len() == 2 || std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(), "{there:?} only");
    there
}

fn regions(compiler: &str, flags: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/regions.c");
    workshop.shell(&format!(
        "call -q regions.c && {compiler} {flags} $(call cflags -fopenmp) regions.call.c $(call libs) -o regions"
    ));
    workshop
}

#[test]
fn around_regions_p_is_the_team_that_ran_them() {
    let expected = [
        ("around", 4),
        ("called", 2),
        ("calls", 2),
        ("inmost", 4),
        ("inner", 2),
        ("later", 3),
        ("loops", 3),
        ("nested", 2),
        ("none", 1),
        ("orphaned", 3),
        ("outer", 4),
        ("own", 2),
        ("plain", 5),
        ("sections", 2),
        ("serial", 1),
        ("tasks", 4),
    ];
    let expected: BTreeMap<String, Vec<u32>> =
        expected.into_iter().map(|(name, processors)| (name.to_owned(), vec![processors])).collect();
    for compiler in compilers() {
        for flags in ["-O0", "-O2"] {
            let workshop = regions(compiler, flags);
            for settings in ["", "CALL_EVENTS=1", "CALL_BUDGET=50%"] {
                let told =
                    workshop.shell(&format!("CALL_QUIET=1 OMP_NUM_THREADS=5 {settings} ./regions 2>&1"));
                let trace = workshop.traces().pop().unwrap();
                assert_eq!(processors(&workshop, &trace), expected, "{compiler} {flags} {settings}");
                let differing = "call: outer: parallel regions inside its block ran on teams of 2 to 4 threads: \
                                 P is the largest of them";
                assert_eq!(told.matches(differing).count(), 1, "{told}");
                assert_eq!(told.matches("P is").count(), 1, "{told}");
                std::fs::remove_file(workshop.path().join(trace)).unwrap();
            }
        }
    }
}

/// What OMP_DYNAMIC makes of a team only the run knows: the program records it.
const DYNAMIC: &str = "#include <omp.h>
int main(void)
{
    int n = 8, team = 0;
#pragma cll parallel OpenMP
#pragma cll f f[0]*n/P variables team at end(team)
#pragma omp parallel num_threads(4)
#pragma omp single
    team = omp_get_num_threads();
#pragma cll end f
#pragma cll report all
    return 0;
}
";

#[test]
fn p_is_the_team_that_dynamic_teams_left() {
    for compiler in compilers() {
        let workshop = Workshop::new();
        workshop.write("dynamic.c", DYNAMIC);
        workshop.shell(&format!(
            "call dynamic.c && {compiler} $(call cflags -fopenmp) dynamic.call.c $(call libs) -o dynamic"
        ));
        for (at, dynamic) in ["true", "false"].into_iter().enumerate() {
            workshop.shell(&format!("OMP_DYNAMIC={dynamic} ./dynamic"));
            let text = workshop.read(&format!("dynamic.call.{at}.dat"));
            let row = text.lines().find(|line| line.starts_with("f ")).unwrap();
            let words: Vec<&str> = row.split(' ').collect();
            assert_eq!(words[2], words[4], "{compiler} {dynamic}: {row}");
        }
    }
}

/// Of functions that open regions nothing is known then.
#[test]
fn where_no_region_is_seen_p_is_what_was_known_before_and_that_is_told() {
    for (compiler, flags, settings) in
        [("gcc", "-static", ""), ("clang", "-O1", "OMP_TOOL_LIBRARIES=none.so")]
    {
        if !compilers().contains(&compiler) {
            continue;
        }
        let workshop = regions(compiler, flags);
        let told = workshop.shell(&format!("OMP_NUM_THREADS=5 {settings} ./regions 2>&1"));
        assert_eq!(
            told.matches("call: report: this OpenMP library does not tell which team").count(),
            1,
            "{told}"
        );
        let found = processors(&workshop, "regions.call.0.dat");
        for (name, wanted) in [("later", 1), ("called", 5), ("orphaned", 1), ("own", 2), ("plain", 5)] {
            assert_eq!(found[name], [wanted], "{compiler}: {name}");
        }
    }
}

/// Regions of what does not say `parallel OpenMP` go by.
#[test]
fn regions_of_sequential_programs_run_as_before() {
    let workshop = Workshop::new();
    workshop.write("dynamic.c", DYNAMIC.replace("parallel OpenMP", "parallel sequential"));
    workshop.shell("call dynamic.c && cc $(call cflags -fopenmp) dynamic.call.c $(call libs) -o dynamic");
    workshop.shell("OMP_DYNAMIC=false ./dynamic");
    let text = workshop.read("dynamic.call.0.dat");
    let row = text.lines().find(|line| line.starts_with("f ")).unwrap();
    assert!(row.starts_with("f 0 1 8 4 "), "{row}");
}
