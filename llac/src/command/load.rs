use std::sync::Arc;

use call_model::ModelFile;
use call_trace::Dataset;

use super::{Command, CommandArguments};
use crate::error::code;
use crate::loaded_model::LoadedModel;
use crate::plain_path::is_file_of;
use crate::reading::{ReadingOptions, ReadingRemarks, is_option};
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const LOAD: Command = Command {
    name: "load",
    usage: "load FILE… [OPTION=…] [as SET]",
    summary: "read traces, tables and models",
    details: "Samples are put beside those read before. FILE may have the wildcards * and ?. Experiments of the \
        same name become one; their formulas must agree. A file that is loaded already is skipped; with other options it is refused. Of a \
        file whose end is missing, all whole rows are read; files of one unfinished run are one run. \
        Beyond 16 million samples, measurements are summed up at each point. With \
        `as SET` they go into a data set of that name, which then is the current one (see `help data`).\n\
        Besides traces, also of CALL 1.0, it reads archives of OTF2 (`NAME.otf2`, for `waits`), tables with a header line (CSV, TSV, blanks, Excel), Parquet, Arrow (also `.feather`), JSON lines, \
        input of Extra-P (text, JSON, JSON lines, Talpas) and what Extra-P 3 and 4 saved, profiles of Cube (`.cubex`, `.cube`; a FOLDER of such \
        folders as `cg.p4.n100.r1` is one set) and of Caliper (json-split), results of hyperfine, Google Benchmark, pytest-benchmark, \
        Criterion (the folder `target/criterion`), JMH, LIKWID and Nsight Systems (CSV). \
        Call paths are experiments: `main->solve` is `main/solve`. What is taken as what is told; \
        options choose otherwise: `time=COLUMN` (or another response), `metric=NAME,…` (of a file with several metrics; of `metric=all` the \
        first is called `main/solve`, others `main/solve:visits`), `values=inclusive` (a call path has what is below it, too), `unit=ms` or `unit=bytes`, `decimal=,` (12,5) or \
        `decimal=.`, `sheet=NAME` (of a workbook), `experiment=COLUMN,COLUMN` (texts that name the \
        experiment), `name=NAME` (of an experiment without name), `processors=COLUMN` (becomes P), \
        `without=COLUMN,…`, `keep=COLUMN,…`.\n\
        A model that `save model` has written predicts without its samples, under the name of its experiment, or as NAME: \
        `load f.model.json as old`.",
    completions: &[Completion::File],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.required(0, "a file", LOAD.usage)?;
    let (words, set) = match arguments.words() {
        [words @ .., as_word, set] if as_word.text == "as" && !words.is_empty() => (words, Some(set)),
        words => (words, None),
    };
    let (options, words): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(is_option);
    let option = options.first().map(|word| word.span.clone());
    let options = ReadingOptions::of(&options)?;
    if words.is_empty() {
        return Err(Error::at(code::MISSING_WORD, arguments.end(), "a file is missing")
            .help(format!("usage: {}", LOAD.usage)));
    }
    let mut files = Vec::new();
    for word in &words {
        for path in session.files(word)? {
            let model = session.model_in(&path).map_err(|error| error.with_span(word.span.clone()))?;
            files.push((word, path, model));
        }
    }
    let (models, mut files): (Vec<_>, Vec<_>) = files.into_iter().partition(|(.., model)| model.is_some());
    // What a report has is left out of the files that its run had saved before.
    files.sort_by_key(|(_, path, _)| path.contains(".call.unfinished."));
    if let Some(set) = set {
        super::data::check_name(set)?;
        if models.is_empty() {
            if set.text != session.state().current() {
                session.change().use_set(&set.text);
            }
        } else if models.len() + files.len() > 1 {
            return Err(set
                .error(code::NOT_APPLICABLE, "a model has a name of its own")
                .help("load it alone: `load FILE.model.json as NAME`"));
        }
    }
    if let Some(option) = option.filter(|_| !models.is_empty()) {
        return Err(Error::at(
            code::NOT_APPLICABLE,
            option,
            "a model takes no options: those are about samples",
        ));
    }
    let mut markup = Markup::new();
    for (word, path, model) in models {
        let Some(model) = model else { continue };
        markup.append(add_model(session, word, &path, model, set)?);
    }
    if files.is_empty() {
        return Ok(CommandOutcome::of(markup));
    }
    let mut outcome = CommandOutcome::default();
    let mut data = session.state().data().loaded().clone();
    let mut names = session.state().data().names().clone();
    let mut read_as = session.state().data().read_as().clone();
    let (mut loaded, mut remarks) = (0, ReadingRemarks::default());
    for (word, path, _) in files {
        if let Some(run) = data.runs.iter().find(|run| is_file_of(run, &path)) {
            // Skipped, it would stay what the options do not say.
            let known = run.files.iter().find_map(|file| read_as.get(file));
            if known.is_some_and(|before| before != options.of_files()) {
                return Err(word
                    .error(code::NOT_APPLICABLE, format!("{path} is loaded already, with other options"))
                    .help(format!("`load {} … as NAME` reads it into a data set of its own", word.text)));
            }
            remarks.is_known(path);
            continue;
        }
        let is_new = session.add((&mut data, &mut names), &path, word, &options, &mut remarks)?;
        read_as.insert(path, options.of_files().clone());
        loaded += usize::from(is_new);
    }
    remarks.tell(&mut outcome);
    markup.append(summary(&data, loaded));
    outcome.value = markup;
    if loaded == 0 {
        return Ok(outcome);
    }
    let changed = session.state().data().with_loaded(data)?.with_options(read_as).with_names(names);
    session.change().set_data(changed);
    Ok(outcome)
}

/// Adds a model that was read, unless its name means something else.
fn add_model(
    session: &mut Session,
    word: &Word,
    path: &str,
    file: ModelFile,
    name: Option<&Word>,
) -> Result<Markup, Error> {
    let name = name.map(|name| name.text.as_str());
    let model = LoadedModel::new(path, file, name).map_err(|error| error.with_span(word.span.clone()))?;
    let name = &model.name;
    let what = match (session.find(name), session.state().program(name), session.state().model(name)) {
        (Some(_), ..) => Some("an experiment".to_owned()),
        (_, Some(_), _) => Some("a program".to_owned()),
        (.., Some(other)) if other.path != path => Some(format!("the model from {}", other.path)),
        _ => None,
    };
    if let Some(what) = what {
        let help = format!("choose another name: `load {path} as {name}_model`");
        let message = format!("{path}: `{name}` is the name of {what}");
        return Err(word.error(code::NAME_TAKEN, message).help(help));
    }
    let mut markup = Markup::new();
    markup.fragments([
        (Style::Plain, "model ".to_owned()),
        (Style::Name, name.clone()),
        (Style::Plain, format!(" = {}", model.model().formula())),
    ]);
    session.change().add_model(Arc::new(model));
    Ok(markup)
}

fn summary(data: &Dataset, loaded: usize) -> Markup {
    let mut markup = Markup::new();
    let samples: usize = data.experiments.iter().map(|experiment| experiment.samples.len()).sum();
    let summaries: usize = data.experiments.iter().map(|experiment| experiment.summaries.len()).sum();
    let summaries = if summaries > 0 { format!(" and {summaries} summaries") } else { String::new() };
    let files = call_grammar::counted(loaded, "file");
    if data.experiments.is_empty() {
        let has_messages_only =
            data.runs.iter().all(|run| run.supersteps.is_empty() && !run.events.is_empty());
        let asked = if has_messages_only { "`waits`" } else { "`waits` or `profile`" };
        markup.line(Style::Plain, format!("{files} read; no experiments: ask {asked}"));
        return markup;
    }
    let names: Vec<String> = data.experiments.iter().map(|experiment| experiment.name.clone()).collect();
    markup.fragments([
        (Style::Plain, format!("{files} read; now {samples} samples{summaries} of ")),
        (Style::Name, call_grammar::listed(&names)),
    ]);
    markup
}
