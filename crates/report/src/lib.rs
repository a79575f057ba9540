//! What people get to see: numbers, tables and figures.
//!
//! [`number`] writes times, values, errors and intervals; a [`Table`] aligns them as plain text, and [`export`] writes it for
//! other programs; a [`Figure`] draws measured points and fitted curves, a [`Surface`] values over two variables, a [`CategoryChart`]
//! shares and distributions beside names, a [`Timeline`] what processors do, as SVG, PNG or characters. The crate knows neither models nor traces: whoever calls it hands over texts and coordinates.
//!
//! ```
//! use call_report::{Axis, Column, Figure, Look, Series, Table};
//!
//! let measured = [(1024.0, 12e-6), (2048.0, 24e-6), (4096.0, 48e-6)];
//! let mut table = Table::new([Column::right("N"), Column::seconds("measured")]);
//! for (n, time_s) in measured {
//!     table.row([n, time_s]);
//! }
//! assert_eq!(table.to_string(), "   N  measured\n────  ────────\n1024     12 µs\n2048     24 µs\n4096     48 µs\n");
//!
//! let figure = Figure {
//!     title: "experiment f".into(),
//!     x: Axis::new("N"),
//!     y: Axis::new("time (s)"),
//!     series: vec![Series { label: "P = 1".into(), points: measured.into(), ..Series::default() }],
//!     ..Figure::default()
//! };
//! assert!(figure.svg()?.starts_with("<svg "));
//! assert!(figure.png(1200, 800)?.starts_with(b"\x89PNG"));
//! assert_eq!(figure.text(80, 24, Look::Unicode)?.lines().count(), 24);
//! # Ok::<(), call_report::Error>(())
//! ```
//!
//! Nothing is read or written: values in, texts out, and the same values give the same bytes.
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

pub mod number;

mod column;
mod table;
mod unit;

pub mod export;

mod box_plot;
mod call_graph;
mod categories;
mod distribution;
mod error;
mod figure;
pub mod timeline;

mod pictures;
mod plot;
mod profile_page;

pub use box_plot::BoxPlot;
pub use call_graph::{CallGraph, GraphNode, MOST_NODES};
pub use categories::{Category, CategoryChart, CategoryValue, RankedValue};
pub use column::{Column, ColumnKind, TableCell};
pub use distribution::{histogram, normal_plot};
pub use error::Error;
pub use figure::{
    Axis, AxisScale, Figure, IntervalBorder, Kinds, Look, Reference, ReferenceLine, Series, SeriesGroups,
    Surface,
};
pub use plot::{MOST_COLOURS, MOST_MARKERS};
pub use profile_page::{
    PageAmount, PageCallPath, PageChain, PageCosts, PageEfficiency, PageExperiment, PageHistory, PageLink,
    PageMetric, PageNode, PagePath, PageRun, PageSite, PageWaits, ProfilePage, StyleSheet,
};
pub use table::Table;
pub use timeline::Timeline;
pub use unit::DisplayUnit;
