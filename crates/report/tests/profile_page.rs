//! Call graphs and pages of profiles: what is written is well formed whatever names are.

use call_report::{
    CallGraph, GraphNode, PageAmount, PageCallPath, PageCosts, PageMetric, PageNode, PagePath, PageRun,
    PageWaits, ProfilePage, StyleSheet,
};

const HOSTILE: &str = "</script><script>harm()</script>\u{1b}[31m\u{202e}\"'&";

fn graph() -> CallGraph {
    let node = |label: &str, shade| GraphNode {
        label: label.to_owned(),
        lines: vec!["1 synchronisation".to_owned(), HOSTILE.to_owned()],
        shade,
        is_superstep: shade > 0,
    };
    CallGraph {
        title: HOSTILE.to_owned(),
        notes: vec!["a note".to_owned()],
        nodes: vec![node("main", 0), node(HOSTILE, 128), node("sort.c line 7", 255)],
        calls: vec![(0, 1), (1, 2), (0, 2), (1, 1), (2, 0)],
    }
}

fn page() -> ProfilePage {
    let amount =
        PageAmount { maximum: 4.0, average: 2.0, minimum: 1.0, interval: None, by_processor: vec![1.0, 3.0] };
    let costs = PageCosts { syncs: 3, amounts: vec![amount], shades: vec![0, 200] };
    let node = |label: &str, runs| PageNode { label: label.to_owned(), is_superstep: label != "main", runs };
    ProfilePage {
        title: HOSTILE.to_owned(),
        facts: vec![HOSTILE.to_owned()],
        runs: vec![PageRun { name: HOSTILE.to_owned(), processors: 2, predicted: None }],
        metrics: vec![PageMetric { name: "idle".to_owned(), unit: "s".to_owned() }],
        paths: vec![
            PagePath { name: "synchronisations".to_owned(), metric: None, criterion: String::new() },
            PagePath { name: "idle".to_owned(), metric: Some(0), criterion: "absolute".to_owned() },
        ],
        nodes: vec![
            node("main", vec![Some(costs.clone())]),
            node(HOSTILE, vec![Some(costs)]),
            node("gone", vec![None]),
        ],
        calls: vec![(0, 1), (0, 2), (1, 1)],
        call_paths: vec![
            PageCallPath { node: 0, above: None, times_s: vec![Some(4.0)] },
            PageCallPath { node: 1, above: Some(0), times_s: vec![Some(1.5)] },
            PageCallPath { node: 2, above: Some(0), times_s: vec![None] },
        ],
        waits: None,
        history: None,
    }
}

#[test]
fn a_graph_is_well_formed() {
    let svg = graph().svg().unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let boxes: Vec<_> = document.descendants().filter(|node| node.has_tag_name("rect")).collect();
    // And the ground.
    assert_eq!(boxes.len(), 3 + 1);
    let colours: Vec<_> = boxes.iter().map(|node| node.attribute("fill").unwrap()).collect();
    assert_eq!(colours, ["#ffffff", "#ff0000", "#ff8080", "#ffffff"]);
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("path")).count(), 5);
    assert!(graph().png().unwrap().starts_with(b"\x89PNG"));
    assert_eq!(graph().svg().unwrap(), svg);
}

#[test]
fn graphs_without_nodes_or_with_too_many_are_refused() {
    let of = |count| CallGraph { nodes: vec![GraphNode::default(); count], ..CallGraph::default() };
    assert!(of(1).svg().is_ok());
    let codes = [of(0), of(1001)].map(|graph| graph.svg().unwrap_err().code());
    assert_eq!(codes, ["number-of-nodes"; 2]);
}

#[test]
fn a_page_holds_what_it_is_about() {
    let html = page().html(StyleSheet::Inside).unwrap();
    assert_eq!(html.matches("<script").count(), 2, "the data and the viewer");
    assert!(!html.contains("<script>harm"));
    assert!(!html.contains(['\u{1b}', '\u{202e}']));
    let data = html.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["nodes"][0]["label"], "main");
    // The first has the minimum, the second 578 of 867 steps more: 6 · 91 + 32.
    assert_eq!(data["nodes"][0]["runs"][0]["values"][0], "!(C");
    assert_eq!(data["nodes"][0]["runs"][0]["shades"], "00c8");
    assert_eq!(data["nodes"][2]["runs"][0], serde_json::Value::Null);
    assert_eq!(data["callPaths"].to_string(), "[[0,null,4.0],[1,0,1.5],[2,0,null]]");
    let (inside, beside) = ("<style>", "<link rel=\"stylesheet\" href=\"x.css\">");
    assert!(html.contains(inside) && !html.contains(beside));
    let html = page().html(StyleSheet::Beside("x.css")).unwrap();
    assert!(!html.contains(inside) && html.contains(beside));
    assert!(ProfilePage::style_sheet().contains("light-dark"));
}

#[test]
fn two_runs_are_both_readable_without_script() {
    let mut page = page();
    page.runs.push(PageRun { name: "better <b>".to_owned(), processors: 2, predicted: Some(0.8) });
    for (number, node) in page.nodes.iter_mut().enumerate() {
        let mut after = node.runs[0].clone();
        for amount in after.iter_mut().flat_map(|costs| &mut costs.amounts) {
            (amount.maximum, amount.interval) = (3.0, Some([2.5, 3.5]));
        }
        node.runs.push(after);
        if number == 1 {
            node.runs[0] = None;
        }
    }
    let html = page.html(StyleSheet::Inside).unwrap();
    let tables: Vec<&str> = html.split("<table data-run=").skip(1).collect();
    assert_eq!(tables.len(), 2);
    assert!(tables[0].contains("<td>4 s</td>") && !tables[0].contains("<td>3 s"));
    assert_eq!(
        tables[0].matches("<tr data-node=").count(),
        1,
        "what the first run does not come by has no row"
    );
    assert_eq!(tables[1].matches("<td>3 s <span class=\"interval\">[2.5 s, 3.5 s]</span>").count(), 2);
    assert!(tables[1].contains("<caption>better &lt;b&gt;, with 80 % intervals</caption>"));
    assert!(html.contains("most critical supersteps of better &lt;b&gt;"));
    assert_eq!(html.matches(">only in better &lt;b&gt;<").count(), 1, "the picture tells");
}

/// Two processors, of which one waits in the second half; then more than have rows of their own.
#[test]
fn the_timeline_stands_there_without_script() {
    let parts = |halves: [[f64; 3]; 2]| halves.into_iter().flat_map(|its| [its; 150]).collect::<Vec<_>>();
    let (computing, waiting) = ([0.01, 0.0, 0.0], [0.0, 0.01, 0.0]);
    let timeline = |processors: u32| {
        let parts_s = (0..processors).map(|number| match number % 2 {
            0 => parts([computing, waiting]),
            _ => parts([computing, computing]),
        });
        let waits = PageWaits {
            run_time_s: 3.0,
            processors: (0..processors).collect(),
            parts_s: parts_s.collect(),
            ..PageWaits::default()
        };
        let page = ProfilePage { waits: Some(waits), ..ProfilePage::default() };
        let html = page.html(StyleSheet::Inside).unwrap();
        let begin = html.find("<svg class=\"timeline\"").unwrap();
        html[begin..][..html[begin..].find("</svg>").unwrap()].to_owned()
    };
    let two = timeline(2);
    assert!(two.contains("<path class=\"computing\" d=\"M90 1H540v24H90zM90 27H990v24H90z\"/>"), "{two}");
    assert!(two.contains("<path class=\"waiting\" d=\"M540 1H990v24H540z\"/>"), "{two}");
    assert!(two.contains(">P1</text>") && two.contains(">3 s</text>"), "{two}");
    // Half of each pair waits.
    let many = timeline(64);
    assert_eq!(many.matches(" mean</text>").count(), 16);
    assert!(many.contains("M540 404H990v5.5H540z"), "{many}");
}

#[test]
fn what_is_too_much_is_left_out_and_told() {
    let mut page = page();
    let node = page.nodes[1].clone();
    page.nodes.extend(vec![node; 1200]);
    // Below the second path, which takes longest but for `main`, all but 19 998 fit.
    let path = |time_s| PageCallPath { node: 1, above: Some(1), times_s: vec![Some(time_s)] };
    page.call_paths.extend((0..30_000).map(|number| path(f64::from(number) / 30_000.0)));
    let html = page.html(StyleSheet::Inside).unwrap();
    assert!(html.contains("203 smaller nodes are not drawn."));
    assert!(html.contains("10003 call paths on which less time is spent are left out."));
    assert!(html.contains("[1,1,0.999967]") && !html.contains("[1,1,0.3]"));
    assert!(html.contains("702 smaller nodes have no row."));
}
