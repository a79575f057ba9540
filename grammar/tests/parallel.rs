//! The clauses of the directive `parallel`, in any order, behind an object that may be any expression.

use call_grammar::{DirectiveKind, Parallel, Span, parse, scan};

/// The directive and the messages about it.
fn parallel(text: &str) -> (Option<Parallel>, Vec<String>) {
    let source = format!("#pragma cll parallel {text}\n");
    let (directives, _) = scan(source.as_bytes(), Span::new(0, source.len()));
    let (directive, errors) = parse(source.as_bytes(), &directives[0]);
    let found = match directive.map(|directive| directive.kind) {
        Some(DirectiveKind::Parallel(parallel)) => Some(parallel),
        _ => None,
    };
    (found, errors.iter().map(ToString::to_string).collect())
}

/// Object, processors and whether supersteps are asked for.
fn check(text: &str, object: Option<&str>, processors: Option<u32>, supersteps: bool) {
    let (found, errors) = parallel(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    let found = found.unwrap_or_else(|| panic!("{text} is a directive"));
    assert_eq!(found.object.map(|object| object.text).as_deref(), object, "{text}");
    assert_eq!(found.processors.map(|range| range.last), processors, "{text}");
    assert_eq!(found.supersteps.is_some(), supersteps, "{text}");
}

#[test]
fn supersteps_stand_before_or_behind_procs() {
    check("BSPlib supersteps", None, None, true);
    check("BSPlib procs = 8 supersteps", None, Some(8), true);
    check("BSPlib supersteps procs = 1:8", None, Some(8), true);
    check("PUB &bsp supersteps", Some("&bsp"), None, true);
    check("PUB_BSP BSP_MACHINE = \"&bsp\" supersteps", Some("&bsp"), None, true);
}

#[test]
fn events_are_asked_for_by_a_word() {
    for text in [
        "MPI events",
        "MPI procs = 4 events",
        "MPI events procs = 4",
        "MPI supersteps events",
        "MPI events supersteps",
    ] {
        let (found, errors) = parallel(text);
        assert_eq!(errors, Vec::<String>::new(), "{text}");
        assert!(found.expect("it is a directive").events.is_some(), "{text}");
    }
    let (found, _) = parallel("MPI events events");
    let found = found.expect("it is a directive");
    assert_eq!(
        (found.object.expect("a communicator").text.as_str(), found.events.is_some()),
        ("events", true)
    );
    assert!(parallel("MPI comm->events").0.expect("it is a directive").events.is_none());
}

#[test]
fn objects_may_be_called_supersteps() {
    check("PUB all->supersteps", Some("all->supersteps"), None, false);
    check("PUB all.supersteps procs = 4", Some("all.supersteps"), Some(4), false);
    check("PUB supersteps[1] supersteps", Some("supersteps[1]"), None, true);
    check("PUB supersteps supersteps procs = 2", Some("supersteps"), Some(2), true);
}

#[test]
fn machines_are_expressions_of_c() {
    for machine in [
        "&bsp",
        "grid->comm",
        "comms[level + 1].row",
        "row_of(p, (q))",
        "(t_bsp *) context",
        "*((t_bsp **) all)[2]",
        "is_row ? row : column",
        "procs",
    ] {
        check(&format!("PUB {machine} procs = 4"), Some(machine), Some(4), false);
    }
}

#[test]
fn what_is_no_machine_is_told_at_its_place() {
    for (text, message) in [
        ("MPI = MPI_COMM_WORLD", "expected a machine, found `=`"),
        ("MPI == MPI_COMM_WORLD procs = 1:4", "expected a machine, found `=`"),
        ("MPI MPI_COMM_WORLD, procs = 1:4", "unexpected `,` after the directive"),
        ("MPI MPI_COMM_WORLD; procs = 1:4", "unexpected `;` after the directive"),
        ("MPI MPI_COMM_WORLD world", "unexpected `world` after the directive"),
        ("MPI procs 1:4", "`procs` wants first, last and factor"),
        ("OpenMP 4", "expected a machine, found `4`"),
        ("PUB \"&bsp\"", "expected a machine, found `\"&bsp\"`"),
        ("PUB grid-> procs = 4", "unexpected `=` after the directive"),
        ("PUB &", "expected a machine, found `end of line`"),
        ("PUB row_of(p]", "expected a machine, found `]`"),
        ("PUB row_of(p", "expected `)`"),
        ("PUB_BSP BSP_MACHINE = \"= bsp\"", "expected a machine, found `=`"),
        ("PUB_BSP BSP_MACHINE = \"&bsp;\"", "expected a machine, found `;`"),
        ("PUB_BSP BSP_MACHINE = \"\"", "expected a machine, found `end of line`"),
        ("PUB_BSP BSP_MACHINE = bsp", "expected a machine, found `bsp`"),
        ("PUB_BSP BSP_MACHINE = \"", "this quote is not closed on its line"),
    ] {
        let (_, errors) = parallel(text);
        assert!(errors.iter().any(|error| error == message), "{text}: {errors:?}");
    }
}

#[test]
fn a_clause_stands_once() {
    for text in ["PUB &bsp procs = 1 supersteps procs = 2", "PUB &bsp procs = 1 supersteps supersteps"] {
        let (_, errors) = parallel(text);
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert!(errors[0].ends_with("after the directive"), "{text}: {errors:?}");
    }
}
