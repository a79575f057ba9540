//! MPI programs whose processes run teams of OpenMP threads: what the threads measure is their process's.

use call_tests::{Transport, Workshop};

const PROGRAM: &str = r#"#include <mpi.h>
#include <stdio.h>

#pragma cll parallel MPI MPI_COMM_WORLD procs = 1:2:2

static double values[80000];

int main(int argc, char **argv)
{
    int level, rank, processes;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    for (int n = 10000; n <= 80000; n *= 2) {
        double sum = 0, total = 0;
        int from = rank * n / processes, to = (rank + 1) * n / processes;
#pragma cll sync whole whole[0] + whole[1]*n/P
#pragma omp parallel
        {
#pragma cll share share[0] + share[1]*n/P
#pragma omp for nowait
            for (int at = from; at < to; at++)
                values[at] = 1.0 / (at + 1);
#pragma cll end share
        }
        for (int at = from; at < to; at++)
            sum += values[at];
        MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
#pragma cll end whole
        if (rank == 0)
            printf("%d %.3f\n", n, total);
    }
#pragma cll report all
    MPI_Finalize();
    return 0;
}
"#;

fn check(transport: Transport) {
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("sums.c", PROGRAM);
    workshop.build("sums", transport, "-O2 -fopenmp");
    for (number, processes) in [1, 2].into_iter().enumerate() {
        let line = format!(
            "OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive {} ./sums",
            transport.launcher().replace("%P", &processes.to_string())
        );
        let shown = workshop.shell(&line);
        assert_eq!(shown, "10000 9.788\n20000 10.481\n40000 11.174\n80000 11.867\n");
        let trace = workshop.trace(&format!("sums.call.{number}.dat"));
        assert_eq!(trace.header.processors as usize, processes);
        for (name, threads) in [("whole", 1), ("share", 3)] {
            let experiment = trace.experiments.iter().find(|experiment| experiment.name == name).unwrap();
            let samples = &experiment.samples;
            assert_eq!(samples.len(), 4 * threads * processes, "{name} on {processes} processes");
            assert!(samples.columns[0].iter().all(|its| *its == processes as f64), "{name}: {samples:?}");
            for rank in 0..processes {
                let of_rank = samples.processor.iter().filter(|its| **its as usize == rank).count();
                assert_eq!(of_rank, 4 * threads, "{name} on process {rank}");
            }
        }
    }
    let shown = workshop.llac(&["load sums.call.*.dat", "fit share", "predict share n=160000 P=2"]);
    assert!(shown.contains("share(") && shown.contains(") = "), "{shown}");
}

#[test]
fn teams_of_threads_in_processes_of_open_mpi() {
    check(Transport::Mpi);
}

#[test]
fn teams_of_threads_in_processes_of_mpich() {
    check(Transport::Mpich);
}
