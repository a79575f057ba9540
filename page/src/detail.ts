// The numbers of the chosen node: a table over the metrics, and for one of them bars in order beside the pie.
import { values, type NodeCosts } from "./data";
import type { State } from "./state";
import { amount, counted, percent, shown } from "./words";
import { drawing, element, fill, section, type Page, type View } from "./view";

/** Slices below this share are combined, as long as together they are at most `COMBINED`. */
const SMALL = 0.05;
const COMBINED = 0.15;
const MOST_BARS = 64;
/** Values of processors are known no better. */
const DIGITS = 3;

export class Detail implements View {
  mount(page: Page): void {
    const place = section("detail", "Node");
    place.setAttribute("aria-live", "polite");
    document.querySelector("#overview")?.after(place);
    page.store.subscribe((state) => this.show(page, place, state));
  }

  private show(page: Page, place: HTMLElement, state: State): void {
    const { data } = page;
    const node = data.nodes[state.node]!;
    const run = Math.max(state.run, 0);
    const costs = node.runs[run] ?? null;
    const title = element("h2", { id: "detail-title" }, node.label);
    if (!costs) {
      fill(place, title, element("p", {}, `${data.runs[run]!.name} does not come by here.`));
      return;
    }
    const other = state.run === -1 ? (node.runs[1] ?? null) : null;
    const kind = node.superstep ? "superstep" : "procedure";
    fill(
      place,
      title,
      element("p", {}, `${kind}, ${counted(costs.syncs, "synchronisation")}${other ? ` (${other.syncs} after)` : ""}`),
      this.table(page, state, costs, state.run === -1 ? other : undefined),
      this.pictures(page, state, run),
    );
  }

  private whole(page: Page, run: number, metric: number): number {
    return page.data.nodes[page.graph.roots[0]!]?.runs[run]?.max[metric] ?? 0;
  }

  /** `after` is undefined if nothing is compared, null if the second run does not come by. */
  private table(page: Page, state: State, costs: NodeCosts, after: NodeCosts | null | undefined): HTMLElement {
    const { metrics } = page.data;
    const { predicted } = page.data.runs[Math.max(state.run, 0)]!;
    const heads = ["", predicted === null ? "maximum" : `maximum, ${percent(predicted)} interval`, "average", "minimum", ...(after === undefined ? ["max − average"] : ["after", "gain"])];
    const rows = metrics.map((metric, at) => {
      const max = costs.max[at]!;
      const now = after?.max[at] ?? 0;
      const ends = costs.intervals?.[at];
      const whole = this.whole(page, Math.max(state.run, 0), at);
      const as = (value: number) => shown(value, whole, metric.unit, state.unit);
      const of = (value: number) => (max === 0 ? "–" : percent(value / max));
      const last =
        after === undefined
          ? [as(max - costs.average[at]!)]
          : [as(now), max === 0 ? "–" : percent((max - now) / max)];
      const choice = element(
        "button",
        { type: "button", "aria-pressed": String(at === state.metric), click: () => page.store.set({ metric: at }) },
        metric.name,
      );
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, choice),
        element("td", {}, as(max), ends ? element("span", { class: "interval" }, ` ${as(ends[0])} – ${as(ends[1])}`) : null),
        ...[of(costs.average[at]!), of(costs.minimum[at]!), ...last].map((text) => element("td", {}, text)),
      );
    });
    const head = element("tr", {}, ...heads.map((text) => (text === "" ? element("td") : element("th", { scope: "col" }, text))));
    return element("table", { class: "numbers" }, element("thead", {}, head), element("tbody", {}, ...rows));
  }

  private pictures(page: Page, state: State, run: number): HTMLElement {
    const metric = page.data.metrics[state.metric]!;
    const all = values(page, state.node, run, state.metric);
    if (page.data.runs[run]!.predicted !== null) return element("p", {}, "What single processors need is not predicted.");
    if (all === null) return element("p", {}, "The page would have become too large with the values of each processor of this node.");
    const parts = all.map((value, processor) => ({ value, name: `P${processor}` })).sort((one, two) => two.value - one.value);
    const total = all.reduce((sum, value) => sum + value, 0);
    if (total === 0) return element("p", {}, `No ${metric.name} at all.`);
    return element(
      "figure",
      { tabindex: "0" },
      element("figcaption", {}, `${metric.name} of each processor`),
      element("div", { class: "beside" }, this.bars(parts, metric.unit), this.pie(parts, total)),
    );
  }

  private bars(parts: { value: number; name: string }[], unit: string): Element {
    const shownParts = parts.slice(0, MOST_BARS);
    const largest = parts[0]!.value;
    const row = 14;
    const bars = shownParts.flatMap(({ value, name }, at) => [
      drawing("text", { x: 30, y: at * row + 11, "text-anchor": "end" }, name),
      drawing("rect", { x: 36, y: at * row + 2, width: Math.max((value / largest) * 120, 0.5), height: row - 4 }),
      drawing("text", { x: 42 + (value / largest) * 120, y: at * row + 11 }, amount(value, unit, DIGITS)),
    ]);
    const rest = parts.length - shownParts.length;
    const height = shownParts.length * row + (rest > 0 ? row : 0);
    if (rest > 0) bars.push(drawing("text", { x: 36, y: height - 3 }, `and ${rest} with less`));
    const label = `bars: ${parts[0]!.name} has most, ${amount(largest, unit, DIGITS)}; ${parts.at(-1)!.name} least, ${amount(parts.at(-1)!.value, unit, DIGITS)}`;
    return drawing("svg", { class: "bars", viewBox: `0 0 240 ${height}`, width: 240, height, role: "img", "aria-label": label }, ...bars);
  }

  private pie(parts: { value: number; name: string }[], total: number): Element {
    const slices: { value: number; name: string }[] = [];
    let combined = 0;
    const canCombine = parts.length > 8;
    for (const part of [...parts].reverse()) {
      if (canCombine && part.value < SMALL * total && combined + part.value <= COMBINED * total) combined += part.value;
      else slices.unshift(part);
    }
    if (combined > 0) slices.push({ value: combined, name: "others" });
    let angle = -Math.PI / 2;
    const shapes = slices.flatMap(({ value, name }, at) => {
      const from = angle;
      angle += (2 * Math.PI * value) / total;
      const isLarge = angle - from > Math.PI ? 1 : 0;
      const at_ = (turn: number, radius: number) => `${(radius * Math.cos(turn)).toFixed(2)} ${(radius * Math.sin(turn)).toFixed(2)}`;
      const whole = slices.length === 1;
      const shape = whole
        ? drawing("circle", { r: 60, class: "slice" })
        : drawing("path", { class: `slice s${at % 2}`, d: `M0 0L${at_(from, 60)}A60 60 0 ${isLarge} 1 ${at_(angle, 60)}Z` });
      shape.append(drawing("title", {}, `${name}: ${percent(value / total)}`));
      const middle = (from + angle) / 2;
      const [x, y] = at_(middle, 74).split(" ");
      const label = value / total >= 0.03 ? drawing("text", { x: x!, y: Number(y) + 4, "text-anchor": "middle" }, name) : null;
      return label ? [shape, label] : [shape];
    });
    return drawing("svg", { class: "pie", viewBox: "-95 -85 190 170", width: 190, height: 170, role: "img", "aria-label": `pie of ${slices.length} slices` }, ...shapes);
  }
}
