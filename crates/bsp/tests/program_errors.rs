//! What is wrong in model programs.

use crate::program::{Table, instance};
use call_bsp::obsp::InOut;
use call_bsp::program::Program;

const NUMBERS: &str =
    "numbers are such as 16, 0.5 and 1e-6, without a unit: times in seconds, lengths in bytes";

const IS_NAN: &str = "the time is NaN; it must be a number that is not negative";

const WHY_NAN: &str = "not a number (NaN) is 0/0, the logarithm of a negative number, `^` or `&` of what is no whole \
                       number from 0 to 2^53, a variable that only other processors have given a value, or a constant \
                       that its formula does not have";

#[track_caller]
fn fails(text: &str, place: &str, message: &str, help: &str) {
    let Err(error) = instance(text, 4, &[]) else { panic!("{text} is accepted") };
    assert_eq!(error.message, message, "{text}");
    assert_eq!(&text[error.span.start..error.span.end], place, "{text}");
    assert_eq!(error.help.unwrap_or_default(), help, "{text}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    fails("", "", "there is no program in this text", "begin with `program NAME(VARIABLES) {`");
    fails("program p {", "{", "this `{` is not closed", "");
    fails("program p { compte 1 }", "compte", "`compte` begins no statement", "did you mean `compute`?");
    fails("program p { compute }", "}", "`}` stands where a value is expected", "");
    fails("program p { compute 1 } x", "x", "`x` stands where `program` or `task` is expected", "");
    fails(
        "program exchange { }",
        "exchange",
        "`exchange` has a meaning of its own and cannot be the name of a program",
        "take another name, such as `its_exchange`",
    );
    fails("program p { x = 1 @ 2 }", "@", "`@` means nothing here", "");
    fails("program p { x = 1e999 }", "1e999", "`1e999` is no number", NUMBERS);
    fails("program p { compute sine(1) }", "sine", "there is no function `sine`", "did you mean `sin`?");
    fails("program p { compute log(1, 2) }", "log(1, 2)", "`log` takes 1 value, not 2", "");
    fails("program p { compute -1 }", "-1", "the time is -1; it must be a number that is not negative", "");
    fails("program p { compute 1us }", "1us", "`1us` is no number", NUMBERS);
    fails("program p { compute 2x }", "2x", "`2x` is no number", NUMBERS);
    fails("program p { compute 0/0 }", "0/0", IS_NAN, WHY_NAN);
    fails("program p { if pid == 0 { x = 1 } compute x }", "x", IS_NAN, WHY_NAN);
    fails("program p { size = 1; compute D[7] }", "D[7]", IS_NAN, WHY_NAN);
    fails(
        "program p { compute log(0) }",
        "log(0)",
        "the time is -inf; it must be a number that is not negative",
        "",
    );
    fails(
        "program p { siz = 1; compute D }",
        "D",
        "`D` needs a value of `size`",
        "write `size = …` before, or `D(size = …)`",
    );
    fails(
        "program p { size = 1; compute size + siz }",
        "siz",
        "`siz` is neither a variable here nor an experiment",
        "did you mean `size`?",
    );
    fails(
        "program p { compute D(sice = 1) }",
        "D(sice = 1)",
        "`D` has no variable `sice`",
        "did you mean `size`?",
    );
    fails(
        "program p { send 1 to pid + 1; sync }",
        "pid + 1",
        "processor 3 sends to 4; the machine has processors 0 to 3",
        "`if` chooses who sends; `(pid + P - 1) % P` goes round",
    );
    fails(
        "program p { exchange 1 with pid ^ 4 }",
        "pid ^ 4",
        "processor 0 sends to 4; the machine has processors 0 to 3",
        "`if` chooses who sends; `(pid + P - 1) % P` goes round",
    );
    fails(
        "program p { send 1 to 0 }",
        "send 1 to 0",
        "what is sent here is never received",
        "a superstep with messages ends with `sync` or `oblsync`",
    );
    fails(
        "program p { if pid == 0 { sync } }",
        "sync",
        "this stands in a condition on `pid`",
        "a superstep ends for all processors of its machine: put only `compute`, `send` and assignments into the condition",
    );
    fails(
        "program p { partition 1, 2 { } }",
        "partition 1, 2 { }",
        "the parts have 3 processors together, the machine has 4",
        "",
    );
    fails(
        "program p { partition P/3, P - P/3 { } }",
        "P/3",
        "a part has 1.3333333333333333 processors, where 4 of 4 are left",
        "it must be a whole number, at least 1; `floor(…)` rounds down",
    );
    fails(
        "program p { repeat 2.5 { } }",
        "2.5",
        "nothing is repeated 2.5 times",
        "the number is a whole one, at least 0; `floor(…)` rounds down",
    );
    fails(
        "program p { repeat -1 { } }",
        "-1",
        "nothing is repeated -1 times",
        "the number is a whole one, at least 0; `floor(…)` rounds down",
    );
    fails(
        "program p { broadcast 8 from P }",
        "P",
        "processor 4 cannot broadcast; the machine has processors 0 to 3",
        "",
    );
    fails(
        "program p { broadcast 8 from pid }",
        "pid",
        "the processor that broadcasts must be the same for all processors, but depends on `pid`",
        "",
    );
    fails("program p { sync cost 3 }", "cost", "`cost` begins no statement", "did you mean `costs`?");
    fails("program p { if P = 1 { } }", "=", "`=` stands where `{` is expected", "`==` compares");
    fails(
        "program p { // x\n }",
        "/",
        "`/` stands where a statement is expected",
        "a comment begins with `#`",
    );
    fails(
        "program p { partition 2, 2 { } { } }",
        "{",
        "`{` stands where a statement is expected",
        "parts that do different things stand so: `partition A { … }, B { … }`",
    );
    fails(
        "program p { for i = 0 to 10 { } }",
        "to",
        "`to` stands where `..` is expected",
        "a loop stands so: `for i = A .. B { … }`",
    );
    fails(
        "program p { compute h }",
        "h",
        "the h-relation `h` is not known here",
        "it is known behind `costs`",
    );
    fails("program p { compute \"x\" }", "\"", "`\"` means nothing here", "");
    fails(
        "program p { sync costs exchange }",
        "exchange",
        "`exchange` stands where a value is expected",
        "an experiment of this name is written `exchange()`",
    );
    fails(
        "program p { repeat pid { } }",
        "pid",
        "the end of a loop must be the same for all processors, but depends on `pid`",
        "",
    );
    fails("program p { for i = 1 .. 2 step 0 { } }", "0", "the step of a loop is a number other than 0", "");
    fails(
        "program p { for i = 1 .. 2 times -3 { } }",
        "-3",
        "the factor of a loop is above 0, and not 1",
        "",
    );
    fails("program p { for i = -8 .. -1 times 0.5 { } }", "0.5", "a loop with `times` starts above 0", "");
    fails(
        "program p { for i = 1 .. 0 times 0.5 { } }",
        "0.5",
        "this loop does not end: it never comes to 0",
        "",
    );
    fails(
        "program p { for i = 1 .. 0/0 { } }",
        "i",
        "the start or the end of this loop is no finite number",
        "",
    );
    fails(
        "program p { for i = 1 .. 5000001 { } }",
        "i",
        "the program does more than 5000000 statements",
        "look at the bounds of its loops, or ask for fewer rounds",
    );
    fails(
        "program p { for i = 1...3 { } }",
        "...",
        "`...` means nothing here",
        "a loop stands so: `for i = A .. B { … }`",
    );
    fails(
        "program p { if 0/0 { } }",
        "0/0",
        "the condition is not a number (NaN)",
        "look at what is divided by 0, and at `^` and `&` of what is no whole number",
    );
    fails(
        "program p { h = 7 }",
        "h",
        "`h` has a meaning of its own and cannot be a variable",
        "take another name, such as `its_h`",
    );
    fails("program p { q(1, 2) } task q(n) { }", "q", "`q` takes 1 value, not 2", "");
    fails(
        "program p { partition 2, 2 { t() } } task t { compute part }",
        "part",
        "the number of the part is not known here",
        "it is known in a `partition`; a task gets it as a value",
    );
    fails(
        "program p { send 1 to all costs 3 }",
        "costs",
        "`costs` begins no statement",
        "it stands behind what ends a superstep: `sync costs SECONDS`",
    );
    fails(
        "program p { send log2(pid) to (pid + 1) % P; sync }",
        "log2(pid)",
        "the length of the message is -inf; it must be a number that is not negative",
        "",
    );
    fails(
        "program p { p() }",
        "p()",
        "blocks and tasks are 200 deep in each other here",
        "a recursion needs an `if` that ends it soon, such as `if P > 1 {`; a loop may be as long as it likes",
    );
    fails(
        "program p { tusk() } task task1 { }",
        "tusk",
        "there is no task `tusk`",
        "write `task NAME(VARIABLES) { … }`",
    );
    fails("program p(N) { }", "p", "`p` needs a value of `N`", "");
}

#[test]
fn without_a_network_communication_needs_a_cost() {
    let program = Program::parse("program p { sync }").unwrap();
    let error = program.instance(&[], 2, &Table::default(), InOut::Sum).unwrap_err();
    assert_eq!(error.message, "what does this communication cost?");
}

#[test]
fn deep_nesting_is_refused() {
    for text in [
        format!("program p {{ compute {}1 }}", "(".repeat(1_000_000)),
        format!("program p {{ compute {}1 }}", "-".repeat(1_000_000)),
        format!("program p {}", "{".repeat(10)),
        format!("program p {{ {}", "if 1 {".repeat(1_000_000)),
        format!("program p {{ if 0 {{}} {}", "else if 1 {} ".repeat(1_000_000)),
    ] {
        assert!(Program::parse(&text).is_err());
    }
}
