use call_grammar::suggest;
use call_model::{IntervalOf, Loss, Method, Settings, SignConstraint, Weighting};
use call_report::{Column, Table, number};
use call_trace::{Folding, Joining};

use super::{Command, CommandArguments};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, MemoryWorkspace, Session, Style};

/// A setting: its name, its values, what it does, what the values mean, and how it is read and shown.
struct NamedSetting {
    name: &'static str,
    values: &'static str,
    meaning: &'static str,
    details: &'static str,
    show: fn(&Session) -> String,
    /// `None` if the text is no value of it.
    change: fn(&mut Session, &str) -> Option<()>,
}

/// The word for a value, of a setting whose values are words.
fn word_of<T: PartialEq + Copy>(words: &[(&'static str, T)], value: T) -> String {
    words.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word).to_owned()
}

fn value_of<T: Copy>(words: &[(&'static str, T)], text: &str) -> Option<T> {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value)
}

/// The settings that decide which values a fit is given of the samples, and so what constants are worth: `repetitions median`.
pub fn of_samples(settings: &Settings) -> [String; 2] {
    [
        format!("repetitions {}", word_of(FOLDINGS, settings.folding)),
        format!("processors {}", joining_word(settings.joining)),
    ]
}

fn joining_word(joining: Joining) -> String {
    match joining {
        Joining::One(processor) => processor.to_string(),
        joining => word_of(JOININGS, joining),
    }
}

const WEIGHTS: &[(&str, Weighting)] = &[
    ("automatic", Weighting::Automatic),
    ("relative", Weighting::Relative),
    ("absolute", Weighting::Absolute),
    ("repetitions", Weighting::Repetitions),
];
const SIGNS: &[(&str, SignConstraint)] = &[
    ("automatic", SignConstraint::Automatic),
    ("free", SignConstraint::Free),
    ("nonnegative", SignConstraint::NonNegative),
];
const LOSSES: &[(&str, Loss)] = &[("squares", Loss::Squares), ("huber", Loss::Huber), ("soft", Loss::SoftL1)];
const METHODS: &[(&str, Method)] = &[("refined", Method::Refined), ("paper", Method::Paper)];
const SHARING: &[(&str, bool)] = &[("yes", true), ("no", false)];
const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];
const INTERVALS_OF: &[(&str, IntervalOf)] =
    &[("measurement", IntervalOf::Measurement), ("repetitions", IntervalOf::Repetitions)];
const JOININGS: &[(&str, Joining)] =
    &[("maximum", Joining::Maximum), ("mean", Joining::Mean), ("each", Joining::Each)];
const FOLDINGS: &[(&str, Folding)] = &[
    ("median", Folding::Median),
    ("minimum", Folding::Minimum),
    ("mean", Folding::Mean),
    ("each", Folding::Each),
];

const SETTINGS: &[NamedSetting] = &[
    NamedSetting {
        name: "repetitions",
        values: "median | minimum | mean | each",
        meaning: "how repeated samples of one point become one",
        details: "median: what disturbs fewer than half of them leaves no trace. minimum: what the point costs when \
            nothing disturbs it, of rates (GFLOPS, MB/s) the largest. mean: all count alike. each: they stay as they are.",
        show: |session| word_of(FOLDINGS, session.settings().folding),
        change: |session, text| {
            value_of(FOLDINGS, text).map(|value| session.change().settings_mut().folding = value)
        },
    },
    NamedSetting {
        name: "processors",
        values: "maximum | mean | each | NUMBER",
        meaning: "how the samples of a run's processors become one",
        details: "maximum: a superstep is over when its last processor is; of rates (GFLOPS, MB/s) the least, which is that \
            of the slowest. mean: the mean time. each: they stay as \
            they are. NUMBER: only the samples of that processor.",
        show: |session| joining_word(session.settings().joining),
        change: |session, text| {
            let one = || text.parse().ok().map(Joining::One);
            value_of(JOININGS, text).or_else(one).map(|value| session.change().settings_mut().joining = value)
        },
    },
    NamedSetting {
        name: "weights",
        values: "automatic | relative | absolute | repetitions",
        meaning: "which errors the fit makes small",
        details: "relative: errors in percent of the time, so small and large sizes count alike. absolute: errors in \
            seconds, so the longest times rule. repetitions: errors by the scatter of the repetitions at their \
            point. automatic: by how the repetitions scatter; `fit` says which and why.",
        show: |session| word_of(WEIGHTS, session.settings().weighting),
        change: |session, text| {
            value_of(WEIGHTS, text).map(|value| session.change().settings_mut().weighting = value)
        },
    },
    NamedSetting {
        name: "sign",
        values: "automatic | free | nonnegative",
        meaning: "whether constants may be negative",
        details: "free: they may. nonnegative: they may not, as costs are not negative. automatic: they may where that \
            makes the fit better and no time negative; `fit` says which and why.",
        show: |session| word_of(SIGNS, session.settings().sign),
        change: |session, text| {
            value_of(SIGNS, text).map(|value| session.change().settings_mut().sign = value)
        },
    },
    NamedSetting {
        name: "loss",
        values: "squares | huber | soft",
        meaning: "how much outliers count: fully, or less",
        details: "squares: least squares. huber: squares near the formula, beyond 1.345 standard deviations only \
            linear, so outliers pull with limited force. soft: a smooth way from the one to the other.",
        show: |session| word_of(LOSSES, session.settings().loss),
        change: |session, text| {
            value_of(LOSSES, text).map(|value| session.change().settings_mut().loss = value)
        },
    },
    NamedSetting {
        name: "method",
        values: "refined | paper",
        meaning: "how intervals are found",
        details: "paper: split at the best place until one of the thresholds `error` and `intervals` is met. refined: \
            the same, then borders are moved to their best places and those of noise removed.",
        show: |session| word_of(METHODS, session.settings().method),
        change: |session, text| {
            value_of(METHODS, text).map(|value| session.change().settings_mut().method = value)
        },
    },
    NamedSetting {
        name: "sharing",
        values: "yes | no",
        meaning: "whether each constant has intervals of its own",
        details: "yes: a constant that does not change from one cell to the next keeps one value. no: each cell has \
            constants of its own.",
        show: |session| word_of(SHARING, session.settings().sharing),
        change: |session, text| {
            value_of(SHARING, text).map(|value| session.change().settings_mut().sharing = value)
        },
    },
    NamedSetting {
        name: "error",
        values: "PERCENT",
        meaning: "error threshold: cells with larger rms errors are split",
        details: "From 0 to 1000000, in percent of the time.",
        show: |session| number::significant(100.0 * session.settings().thresholds.error, 6),
        change: |session, text| {
            let percent = text.parse().ok().filter(|percent: &f64| (0.0..=1e6).contains(percent));
            percent.map(|percent| session.change().settings_mut().thresholds.error = percent / 100.0)
        },
    },
    NamedSetting {
        name: "intervals",
        values: "COUNT",
        meaning: "number-of-intervals threshold: at most this many cells",
        details: "A whole number from 1.",
        show: |session| session.settings().thresholds.intervals.to_string(),
        change: |session, text| {
            let count = text.parse().ok().filter(|count| *count > 0);
            count.map(|count| session.change().settings_mut().thresholds.intervals = count)
        },
    },
    NamedSetting {
        name: "level",
        values: "PERCENT",
        meaning: "share of measurements that intervals hold",
        details: "From 1 to 99.99.",
        show: |session| number::significant(100.0 * session.level(), 6),
        change: |session, text| {
            let percent = text.parse().ok().filter(|percent: &f64| (1.0..=99.99).contains(percent));
            percent.map(|percent| *session.change().level_mut() = percent / 100.0)
        },
    },
    NamedSetting {
        name: "interval-of",
        values: "measurement | repetitions",
        meaning: "what intervals of predictions are for",
        details: "measurement: each interval holds that share of single measurements. repetitions: of the medians (or means) of \
                  as many repetitions as were fitted, which vary less. Of minima (`set repetitions minimum`) intervals \
                  are of minima of as many repetitions in either case.",
        show: |session| word_of(INTERVALS_OF, session.settings().interval),
        change: |session, text| {
            session.change().settings_mut().interval = value_of(INTERVALS_OF, text)?;
            Some(())
        },
    },
    NamedSetting {
        name: "siblings",
        values: "on | off",
        meaning: "whether experiments without a formula learn from each other",
        details: "on: a prediction beyond the measured values, without a formula, is made as suits the experiments of the \
            data set that have the same variables: how well the largest values of each are predicted from the \
            smaller ones says which terms may be negative, how much small values weigh, and how wide intervals \
            have to be. off: each experiment stands alone.",
        show: |session| word_of(SWITCH, session.siblings_are_used()),
        change: |session, text| value_of(SWITCH, text).map(|value| *session.change().siblings_mut() = value),
    },
    NamedSetting {
        name: "source",
        values: "on | off",
        meaning: "whether what the source says of formulas counts",
        details: "on: where traces have counts of how often statements run, a formula that is found has terms that grow no             faster than those counts, in variables that they depend on, unless the samples say clearly otherwise,             which `find` tells; and `fit` warns of a formula that grows otherwise. off: samples alone decide.",
        show: |session| word_of(SWITCH, session.source_is_used()),
        change: |session, text| value_of(SWITCH, text).map(|value| *session.change().source_mut() = value),
    },
];

/// The names of the settings.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name)
}

/// The words that a setting can be.
pub fn values(name: &str) -> impl Iterator<Item = &'static str> {
    let setting = SETTINGS.iter().find(|setting| setting.name == name);
    let words = setting.map_or("", |setting| setting.values).split(" | ");
    words.filter(|word| word.starts_with(|first: char| first.is_ascii_lowercase()))
}

pub const SET: Command = Command {
    name: "set",
    usage: "set [SETTING [VALUE]]",
    summary: "show or change settings",
    details: "`set` alone shows the settings, `set weights` what that one can be, `help set weights` what that means. The next \
        command fits anew under them. What is automatic is chosen by the data, and `fit` tells the choice.",
    completions: &[Completion::Setting, Completion::SettingValue],
    explain: |word| Some(find(word).map(explanation)),
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(2, SET.usage)?;
    let Some(name) = arguments.words().first() else { return Ok(CommandOutcome::of(all(session))) };
    let setting = find(name)?;
    let Some(value) = arguments.words().get(1) else {
        let is = (setting.show)(session);
        let text = format!("{} is {is}: {}; it can be {}", setting.name, setting.meaning, setting.values);
        return Ok(CommandOutcome::line(text));
    };
    (setting.change)(session, &value.text).ok_or_else(|| {
        value
            .error(code::WRONG_VALUE, format!("`{}` is no value of `{}`", value.text, setting.name))
            .help(format!("set {} {}", setting.name, setting.values))
    })?;
    let mut markup = Markup::new();
    markup.line(Style::Plain, format!("{} is {}", setting.name, (setting.show)(session)));
    Ok(CommandOutcome::of(markup))
}

fn find(name: &Word) -> Result<&'static NamedSetting, Error> {
    SETTINGS.iter().find(|setting| setting.name == name.text).ok_or_else(|| {
        name.error(code::UNKNOWN_SETTING, format!("there is no setting `{}`", name.text))
            .suggesting(suggest(&name.text, names()), "`set` shows them all")
    })
}

fn explanation(setting: &NamedSetting) -> Markup {
    let untouched = Session::new(Box::new(MemoryWorkspace::default()));
    let mut markup = Markup::new();
    markup.line(Style::Name, format!("set {} {}", setting.name, setting.values));
    markup.line(Style::Plain, setting.meaning);
    markup.paragraph(setting.details);
    markup.line(Style::Plain, format!("default: {}", (setting.show)(&untouched)));
    markup
}

fn all(session: &Session) -> Markup {
    let columns = ["setting", "is", "meaning"].map(Column::left);
    let mut table = Table::new(columns).named("settings");
    for setting in SETTINGS {
        table.row([setting.name.to_owned(), (setting.show)(session), setting.meaning.to_owned()]);
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup
}
