//! What files of others hold is shown, and never obeyed by a terminal.

use call_grammar::printable;
use call_report::{Column, Table};
use llac::{Error, FileExcerpt, Markup, MemoryWorkspace, Page, Session, Style};

#[test]
fn escape_sequences_of_files_are_not_printed() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{200f}";
    let header = format!(
        "# call-trace 1\n# program: x\n# source: {evil}\n# command: ./x {evil}\n# host: {evil}\n# cpu: {evil}\n# compiler: {evil}\n# mpi: {evil}\n\
         # kind: sequential\n# processors: 1\n# unfinished: {evil}x\n# experiment: f\n# formula: f[0]*N{evil}\n# variables: N\n# lines: \
         {evil}.c:1-2\nexperiment processor P N time_s\nf 0 1 1 0.5\nf 0 1 2 1.0\n"
    );
    let table = format!("N,time,{evil}\n1,2,{evil}\n2,4,{evil}\n");
    let files = [("x.dat", header), ("t.csv", table), ("bad.dat", format!("# call-trace 1\n# {evil}\n"))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    let lines = [
        "load x.dat",
        "show",
        "show f",
        "experiments",
        "fit f",
        "load t.csv as t",
        "show",
        "load bad.dat",
        "history",
    ];
    // What others sent to be run is shown where it is wrong, and names stand in pictures, too.
    let wrong = format!("show f and {evil}");
    let titled = format!("plot f title \"{evil}\"");
    for line in lines.into_iter().chain([wrong.as_str(), &titled]) {
        let shown = match session.run(line) {
            Ok(outcome) => outcome.render(&Page::plain(100)),
            Err(error) => error.render(line),
        };
        let obeyed =
            shown.chars().find(|c| (c.is_control() && *c != '\n') || ['\u{202e}', '\u{200f}'].contains(c));
        assert_eq!(obeyed, None, "{line}: {shown:?}");
    }
}

/// Whatever a result or an error consists of.
#[test]
fn nothing_of_results_and_errors_is_obeyed() {
    let evil = "x\u{1b}]0;owned\u{7}\u{9b}32m\u{202e}\u{2066}\u{61c}";
    let mut table = Table::new([Column::left(evil), Column::right(evil)]);
    table.row([evil, evil]);
    let mut markup = Markup::new();
    markup.line(Style::Strong, evil);
    markup.fragments([(Style::Name, evil.to_owned())]);
    markup.paragraph(evil);
    markup.document(evil);
    markup.table(table);
    let place = FileExcerpt::of(evil, evil, 1..2);
    let error = Error::at("wrong-value", 0..4, evil).help(evil);
    for (text, count) in
        [(markup.render(&Page::plain(200)), 8), (error.render(evil), 3), (format!("{}\n", place.excerpt), 1)]
    {
        assert_eq!(text.matches("owned").count(), count, "{text:?}");
        assert!(text.lines().all(|line| printable(line) == line), "{text:?}");
    }
}
