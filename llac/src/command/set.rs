use call_grammar::suggest;
use call_model::{Settings, Weighting};
use call_report::{Column, Table, number};
use call_trace::{Folding, Joining};

use super::{Arguments, Command};
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Set;

/// A setting: its name, its values, what it does, and how it is read and shown.
struct Setting {
    name: &'static str,
    values: &'static str,
    meaning: &'static str,
    show: fn(&Settings) -> String,
    change: fn(&mut Settings, &str) -> Option<()>,
}

const SETTINGS: &[Setting] = &[
    Setting {
        name: "error",
        values: "PERCENT",
        meaning: "error threshold: cells with larger rms errors are split",
        show: |settings| number::significant(100.0 * settings.thresholds.error, 6),
        change: |settings, text| {
            let percent: f64 = text.parse().ok().filter(|percent| (0.0..=1e6).contains(percent))?;
            settings.thresholds.error = percent / 100.0;
            Some(())
        },
    },
    Setting {
        name: "intervals",
        values: "COUNT",
        meaning: "number-of-intervals threshold: at most this many cells",
        show: |settings| settings.thresholds.intervals.to_string(),
        change: |settings, text| {
            settings.thresholds.intervals = text.parse().ok().filter(|count| *count > 0)?;
            Some(())
        },
    },
    Setting {
        name: "weights",
        values: "automatic | relative | absolute | repetitions",
        meaning: "which errors the fit makes small: percent or seconds",
        show: |settings| match settings.weighting {
            Weighting::Automatic => "automatic".to_owned(),
            Weighting::Relative => "relative".to_owned(),
            Weighting::Absolute => "absolute".to_owned(),
            Weighting::Repetitions => "repetitions".to_owned(),
        },
        change: |settings, text| {
            settings.weighting = match text {
                "automatic" => Weighting::Automatic,
                "repetitions" => Weighting::Repetitions,
                "relative" => Weighting::Relative,
                "absolute" => Weighting::Absolute,
                _ => return None,
            };
            Some(())
        },
    },
    Setting {
        name: "processors",
        values: "maximum | mean | each | NUMBER",
        meaning: "how the samples of the processors of a run become one",
        show: |settings| match settings.joining {
            Joining::Maximum => "maximum".to_owned(),
            Joining::Mean => "mean".to_owned(),
            Joining::Each => "each".to_owned(),
            Joining::One(processor) => processor.to_string(),
        },
        change: |settings, text| {
            settings.joining = match text {
                "maximum" | "max" => Joining::Maximum,
                "mean" => Joining::Mean,
                "each" => Joining::Each,
                number => Joining::One(number.parse().ok()?),
            };
            Some(())
        },
    },
    Setting {
        name: "repetitions",
        values: "median | minimum | mean | each",
        meaning: "how repeated samples of one point become one",
        show: |settings| match settings.folding {
            Folding::Median => "median".to_owned(),
            Folding::Minimum => "minimum".to_owned(),
            Folding::Mean => "mean".to_owned(),
            Folding::Each => "each".to_owned(),
        },
        change: |settings, text| {
            settings.folding = match text {
                "median" => Folding::Median,
                "minimum" | "min" => Folding::Minimum,
                "mean" => Folding::Mean,
                "each" => Folding::Each,
                _ => return None,
            };
            Some(())
        },
    },
];

/// The names of the settings.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name)
}

impl Command for Set {
    fn name(&self) -> &'static str {
        "set"
    }

    fn usage(&self) -> &'static str {
        "set [SETTING VALUE]"
    }

    fn summary(&self) -> &'static str {
        "show or change settings"
    }

    fn details(&self) -> &'static str {
        "`set` alone shows the settings with their possible values. A change forgets the models: the next \
         command fits anew."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Setting, Completion::Nothing]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(2, self.usage())?;
        let Some(name) = arguments.words().first() else { return Ok(Outcome::of(all(session.settings()))) };
        let setting = find(name)?;
        let value = arguments.required(1, "the value", self.usage())?;
        (setting.change)(session.change().settings_mut(), &value.text).ok_or_else(|| {
            Error::at(value.span.clone(), format!("`{}` is no value of `{}`", value.text, setting.name))
                .help(format!("set {} {}", setting.name, setting.values))
        })?;
        let mut markup = Markup::new();
        markup.line(Style::Plain, format!("{} is {}", setting.name, (setting.show)(session.settings())));
        Ok(Outcome::of(markup))
    }
}

fn find(name: &Word) -> Result<&'static Setting, Error> {
    SETTINGS.iter().find(|setting| setting.name == name.text).ok_or_else(|| {
        Error::at(name.span.clone(), format!("there is no setting `{}`", name.text))
            .suggesting(suggest(&name.text, names()), "`set` shows them all")
    })
}

fn all(settings: &Settings) -> Markup {
    let mut table = Table::new([
        Column::left("setting"),
        Column::left("is"),
        Column::left("can be"),
        Column::left("meaning"),
    ])
    .named("settings");
    for setting in SETTINGS {
        table.row([
            setting.name.to_owned(),
            (setting.show)(settings),
            setting.values.to_owned(),
            setting.meaning.to_owned(),
        ]);
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup
}
