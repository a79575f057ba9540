// The call graph: shaded by the chosen path, moved, zoomed, folded, and reduced to a node with its neighbours.
import { shade as shadeOf } from "./data";
import type { State } from "./state";
import { drawing, element, fill, section, type Page, type View } from "./view";
import { amount, counted, percent } from "./words";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the text of the page put a node. */
export function boxOf(group: SVGGElement): Box {
  const [x = 0, y = 0] = /[\d.]+ [\d.]+/.exec(group.getAttribute("transform") ?? "")?.[0].split(" ").map(Number) ?? [];
  const rectangle = group.querySelector("rect")!;
  return { x, y, width: Number(rectangle.getAttribute("width")), height: Number(rectangle.getAttribute("height")) };
}

const SMALLEST = 40;
/** Units of the drawing a pixel: beyond this texts are too small to be read. */
const READABLE = 1.5;
/** Up to this the whole graph is shown at first. */
const WHOLE = 1.75;
/** Pixels: no graph is drawn lower. */
const LOWEST = 220;

export class GraphView implements View {
  private svg!: SVGSVGElement;
  private page!: Page;
  private groups: SVGGElement[] = [];
  private boxes: Box[] = [];
  private routes: (SVGPathElement | null)[] = [];
  private whole!: Box;
  private seen!: Box;
  private previous: State | null = null;

  mount(page: Page): void {
    const svg = document.querySelector<SVGSVGElement>("svg.graph");
    if (!svg) return;
    this.page = page;
    this.svg = svg;
    const view = svg.viewBox.baseVal;
    this.whole = this.seen = { x: view.x, y: view.y, width: view.width, height: view.height };
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "call graph: arrow keys go from node to node, F shows neighbours only, space folds");
    page.data.nodes.forEach((_, number) => {
      const group = svg.querySelector<SVGGElement>(`#n${number}`);
      if (!group) return;
      this.groups[number] = group;
      this.boxes[number] = boxOf(group);
      group.setAttribute("role", "button");
      group.addEventListener("click", () => page.store.set({ node: number }));
      group.addEventListener("dblclick", () => this.fold(number));
      group.addEventListener("keydown", (event) => this.key(event));
    });
    this.routes = page.data.calls.map((_, number) => svg.querySelector<SVGPathElement>(`#c${number}`));
    this.tools();
    this.moves();
    page.store.subscribe((state) => this.follow(state));
    // A graph that is behind another tab at first has no size.
    const observer = new ResizeObserver(() => start());
    const start = () => {
      if (!svg.getBoundingClientRect().width) return observer.observe(svg);
      observer.disconnect();
      this.fit();
      if (this.scale() > WHOLE && !page.store.state.focused) this.near(page.store.state.node);
    };
    start();
    addEventListener("resize", () => this.fit());
  }

  /** No higher than what there is to see. */
  private fit(): void {
    this.svg.style.height = "";
    const place = this.svg.getBoundingClientRect();
    if (!place.width) return;
    const scale = this.whole.width / place.width;
    const height = this.whole.height / (scale > WHOLE ? READABLE : scale);
    this.svg.style.height = `${Math.min(place.height, Math.max(height, LOWEST))}px`;
  }

  /** So near that a node can be read. */
  private near(node: number): void {
    const box = this.boxes[node];
    if (!box) return;
    const place = this.svg.getBoundingClientRect();
    const [width, height] = [place.width * READABLE, place.height * READABLE];
    const start = (low: number, size: number, wholeLow: number, whole: number, room: number) =>
      Math.max(wholeLow, Math.min(low + size / 2 - room / 2, wholeLow + whole - room));
    const { whole } = this;
    this.see({
      x: start(box.x, box.width, whole.x, whole.width, width),
      y: start(box.y, box.height, whole.y, whole.height, height),
      width,
      height,
    });
  }

  private tools(): void {
    const button = (label: string, title: string, action: () => void) =>
      element("button", { type: "button", title, click: action }, label);
    section("graph", "Call graph").querySelector("h2")!.after(
      element(
        "div",
        { class: "tools", role: "group", "aria-label": "call graph" },
        button("+", "nearer (+)", () => this.zoom(0.8)),
        button("−", "farther (-)", () => this.zoom(1.25)),
        button("whole", "the whole graph (0)", () => this.reset()),
        button("neighbours", "this node with its neighbours only (F)", () => this.focus()),
        button("fold", "hide what only this node calls (space)", () => this.fold(this.page.store.state.node)),
      ),
    );
    document.addEventListener("keydown", (event) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "0") this.reset();
      else if (event.key === "+") this.zoom(0.8);
      else if (event.key === "-") this.zoom(1.25);
      else if (event.key === "f" || event.key === "F") this.focus();
    });
  }

  private moves(): void {
    let from: { x: number; y: number; seen: Box } | null = null;
    this.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, seen: this.seen };
    });
    addEventListener("pointermove", (event) => {
      if (!from || event.buttons === 0) return;
      const scale = this.scale();
      const { seen } = from;
      this.see({ ...seen, x: seen.x - (event.clientX - from.x) * scale, y: seen.y - (event.clientY - from.y) * scale });
    });
    addEventListener("pointerup", () => (from = null));
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.shiftKey && document.activeElement !== this.svg && !this.svg.contains(document.activeElement)) return;
        event.preventDefault();
        const place = this.svg.getBoundingClientRect();
        this.zoom(event.deltaY > 0 ? 1.15 : 0.87, (event.clientX - place.x) / place.width, (event.clientY - place.y) / place.height);
      },
      { passive: false },
    );
  }

  /** Units of the drawing a pixel. */
  private scale(): number {
    const place = this.svg.getBoundingClientRect();
    return Math.max(this.seen.width / (place.width || 1), this.seen.height / (place.height || 1));
  }

  private see(box: Box): void {
    this.seen = box;
    this.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  private zoom(factor: number, x = 0.5, y = 0.5): void {
    const { seen } = this;
    const width = Math.min(Math.max(seen.width * factor, SMALLEST), 20 * this.whole.width);
    const height = (seen.height * width) / seen.width;
    this.see({ x: seen.x + (seen.width - width) * x, y: seen.y + (seen.height - height) * y, width, height });
  }

  private reset(): void {
    this.page.store.set({ focused: false, folded: new Set() });
    this.see(this.whole);
  }

  private focus(): void {
    this.page.store.set({ focused: !this.page.store.state.focused });
  }

  private fold(node: number): void {
    const folded = new Set(this.page.store.state.folded);
    if (!folded.delete(node) && this.page.graph.callees[node]!.length > 0) folded.add(node);
    this.page.store.set({ folded });
  }

  private key(event: KeyboardEvent): void {
    const { graph, store } = this.page;
    const node = store.state.node;
    const caller = graph.callers[node]!.find((other) => this.groups[other]);
    const siblings = (caller === undefined ? graph.roots : graph.callees[caller]!)
      .filter((other) => this.groups[other])
      .sort((one, other) => this.boxes[one]!.y - this.boxes[other]!.y);
    const beside = (step: number) => siblings[siblings.indexOf(node) + step];
    const callees = graph.callees[node]!.filter((other) => this.groups[other]);
    const next: Record<string, () => number | undefined> = {
      ArrowLeft: () => caller,
      ArrowRight: () => callees[0],
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
    };
    if (event.key in next) {
      const chosen = next[event.key]!();
      if (chosen !== undefined) {
        store.set({ node: chosen });
        this.groups[chosen]?.focus();
      }
    } else if (event.key === " ") this.fold(node);
    else if (event.key === "Enter") store.set({ node });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private follow(state: State): void {
    const { data, graph } = this.page;
    const run = Math.max(state.run, 0);
    const reached = graph.reached(state.folded);
    const near = new Set([state.node, ...graph.callers[state.node]!, ...graph.callees[state.node]!]);
    if (state.run !== (this.previous?.run ?? 0)) this.groups.forEach((group, node) => this.tell(group, node, state.run));
    const isShown = (node: number) => reached.has(node) && (!state.focused || near.has(node));
    this.groups.forEach((group, node) => {
      const shade = shadeOf(data.nodes[node]!, run, state.path);
      group.querySelector("rect")!.setAttribute("fill", `rgb(255 ${shade} ${shade})`);
      group.classList.toggle("hidden", !isShown(node));
      group.classList.toggle("chosen", node === state.node);
      group.classList.toggle("folded", state.folded.has(node));
      group.classList.toggle("absent", data.nodes[node]!.runs[run] === null);
      group.setAttribute("tabindex", node === state.node ? "0" : "-1");
      group.setAttribute("aria-pressed", String(node === state.node));
      this.mark(group, node, state);
    });
    if (!this.groups[state.node]) this.groups.find((group) => group)?.setAttribute("tabindex", "0");
    this.routes.forEach((route, number) => {
      const [from, to] = data.calls[number]!;
      route?.classList.toggle("hidden", !(isShown(from) && isShown(to)) || state.folded.has(from));
      route?.classList.toggle("chosen", from === state.node || to === state.node);
    });
    if (state.focused && (state.focused !== this.previous?.focused || state.node !== this.previous.node)) this.frame([...near]);
    if (!state.focused && this.previous?.focused) this.see(this.whole);
    if (this.previous && state.node !== this.previous.node && !state.focused) this.reveal(state.node);
    this.previous = state;
  }

  /** The lines below the name are those of the first run as long as no other was chosen; -1 is the change. */
  private tell(group: SVGGElement, node: number, run: number): void {
    const { metrics, nodes } = this.page.data;
    const costs = nodes[node]!.runs[Math.max(run, 0)];
    const after = run === -1 ? nodes[node]!.runs[1] : undefined;
    const lines = [costs ? counted(costs.syncs, "synchronisation") : "not in this run"];
    metrics.forEach(({ name, unit }, metric) => {
      const max = costs?.max[metric] ?? 0;
      const parts = [costs?.average, costs?.minimum].map((part) => percent(max === 0 ? NaN : part![metric]! / max));
      const detail = after === undefined ? ` (${parts.join(" | ")})` : ` → ${after ? amount(after.max[metric]!, unit) : "gone"}`;
      lines.push(costs ? `${name} ${amount(max, unit)}${detail}` : "");
    });
    const texts = [...group.querySelectorAll("text:not(.mark)")].slice(-lines.length);
    texts.forEach((text, line) => (text.textContent = lines[line]!));
  }

  /** How many nodes a folded one hides. */
  private mark(group: SVGGElement, node: number, state: State): void {
    group.querySelector(".mark")?.remove();
    if (!state.folded.has(node)) return;
    const without = new Set(state.folded);
    without.delete(node);
    const count = this.page.graph.reached(without).size - this.page.graph.reached(state.folded).size;
    const box = this.boxes[node]!;
    group.append(drawing("text", { class: "mark", x: box.width + 4, y: box.height / 2 + 4 }, `+${count}`));
  }

  private frame(nodes: number[]): void {
    const boxes = nodes.flatMap((node) => (this.boxes[node] ? [this.boxes[node]!] : []));
    if (boxes.length === 0) return;
    const margin = 20;
    const x = Math.min(...boxes.map((box) => box.x)) - margin;
    const y = Math.min(...boxes.map((box) => box.y)) - margin;
    const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin - x;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin - y;
    this.see({ x, y, width, height });
  }

  /** Moves so far that a node is seen. */
  private reveal(node: number): void {
    const box = this.boxes[node];
    if (!box) return;
    const { seen } = this;
    const into = (low: number, size: number, start: number, room: number) =>
      low < start ? low - 20 : low + size > start + room ? Math.min(low - 20, low + size - room + 20) : start;
    const x = into(box.x, box.width, seen.x, seen.width);
    const y = into(box.y, box.height, seen.y, seen.height);
    if (x !== seen.x || y !== seen.y) this.see({ ...seen, x, y });
  }
}

export function legend(place: Element): void {
  const steps = [0, 64, 128, 192, 255].map((shade) =>
    drawing("rect", { x: shade / 4, width: 16, height: 12, fill: `rgb(255 ${shade} ${shade})`, stroke: "#808080" }),
  );
  fill(place, "critical ", drawing("svg", { width: 80, height: 12, "aria-hidden": "true" }, ...steps), " uncritical");
}
