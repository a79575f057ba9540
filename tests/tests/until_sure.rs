//! `call run --until-sure`: runs are made until `llac check` tells, and its answer is the exit status.

use call_tests::Workshop;

/// A folder with the baseline of ten runs that scatter by 1 %.
fn baseline() -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/scattered.c");
    workshop.shell("CALL_CLOCK=counting call run scattered.c --repeat 10");
    workshop.llac(&["load scattered.call.*.dat", "save model f into f.model.json"]);
    workshop.shell("rm scattered.call.*.dat");
    workshop
}

/// What it prints, the exit status behind.
fn until_sure(workshop: &Workshop, words: &str) -> String {
    workshop.shell("rm -f scattered.call.*.dat");
    workshop.shell(&format!(
        "CALL_CLOCK=counting CALL_QUIET=1 call run scattered.c --until-sure {words} 2>&1 && echo status 0 || echo status $?"
    ))
}

#[test]
fn a_check_is_repeated_with_more_runs_until_it_tells() {
    let workshop = baseline();

    let fine = until_sure(&workshop, "f.model.json --repeat 2");
    assert!(fine.contains("f: fine (2 runs against 10 of the baseline)"), "{fine}");
    assert!(fine.ends_with("status 0\n"), "{fine}");
    assert_eq!(workshop.traces().len(), 2);

    let worse = until_sure(&workshop, "f.model.json --repeat 2 -- 0.01 1.12");
    assert!(worse.contains("f[1], the cost of each n, rose 12 %"), "{worse}");
    assert!(worse.ends_with("status 1\n"), "{worse}");
    assert_eq!(workshop.traces().len(), 2);

    // 1 + 1 + 2 + 4 runs that scatter by more than what is asked; only the last answer is shown, also to other tools.
    let unsure = until_sure(&workshop, "'f.model.json tolerance 1% as junit into report.xml' -- 0.05");
    for runs in ["1 run", "2 runs", "4 runs"] {
        let told = format!("call: cannot tell from {runs} yet: as many more\n");
        assert_eq!(unsure.matches(&told).count(), 1, "{unsure}");
    }
    assert_eq!(unsure.matches("wrote report.xml").count(), 1, "{unsure}");
    assert!(unsure.ends_with("status 3\n"), "{unsure}");
    assert_eq!(workshop.traces().len(), 8);
}

/// Four looks share the rate of alarms, and what intervals may miss: 90 % become 97.5 %.
#[test]
fn looks_share_what_they_may_miss() {
    let workshop = baseline();
    workshop.shell("CALL_CLOCK=counting call run scattered.c --repeat 2");
    let once = workshop.llac(&["check f.model.json scattered.call.*.dat"]);
    let often = workshop.llac(&["check f.model.json scattered.call.*.dat looks 4"]);
    assert!(once.contains(" 90 from %") && often.contains(" 97.5 from %"), "{once}{often}");
}

#[test]
fn what_cannot_be_asked_is_told() {
    let workshop = baseline();
    let before = workshop.read("runs");
    let missing = until_sure(&workshop, "none.model.json");
    assert!(
        missing.contains("there is no file none.model.json") && missing.ends_with("status 2\n"),
        "{missing}"
    );
    assert_eq!(workshop.read("runs"), before, "nothing was run");
    let wrong = until_sure(&workshop, "'f.model.json tolerance much'");
    assert!(wrong.contains("`much` is no share") && wrong.ends_with("status 2\n"), "{wrong}");
}
