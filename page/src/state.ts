// What is chosen. All views show one state, which the hash of the address keeps.
import { tabs, type PageData, type Tab } from "./data";

export interface State {
  tab: Tab;
  /** Position of the site whose waits are shown. */
  site: number;
  /** Position of the experiment whose history is shown. */
  history: number;
  node: number;
  /** Position of the critical path whose shades are shown. */
  path: number;
  metric: number;
  /** Position of the run, or -1 for the change from the first to the second. */
  run: number;
  unit: "time" | "share";
  folded: ReadonlySet<number>;
  focused: boolean;
}

export class Store {
  private readonly listeners: ((state: State) => void)[] = [];
  private current: State;

  constructor(private readonly data: PageData, start: number) {
    this.current = { tab: tabs(data)[0] ?? "profile", site: 0, history: 0, node: start, path: 0, metric: 0, run: 0, unit: "time", folded: new Set(), focused: false };
    this.read();
    addEventListener("hashchange", () => {
      this.read();
      this.tell();
    });
  }

  get state(): State {
    return this.current;
  }

  subscribe(listener: (state: State) => void): void {
    this.listeners.push(listener);
    listener(this.current);
  }

  set(change: Partial<State>): void {
    this.current = { ...this.current, ...change };
    const { tab, site, history: chosen, node, path, metric, run, unit, folded, focused } = this.current;
    const words = [`node=${node}`, `path=${path}`, `metric=${metric}`, `run=${run}`, `unit=${unit}`];
    if (tabs(this.data).length > 1) words.push(`tab=${tab}`);
    if (this.data.waits) words.push(`site=${site}`);
    if (this.data.history) words.push(`history=${chosen}`);
    if (folded.size > 0) words.push(`fold=${[...folded].sort((one, other) => one - other).join(",")}`);
    if (focused) words.push("focus=1");
    history.replaceState(null, "", `#${words.join("&")}`);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.current);
  }

  /** Takes over what the hash says; whatever does not fit stays as it was. */
  private read(): void {
    const words = new URLSearchParams(location.hash.slice(1));
    const within = (key: string, lowest: number, count: number, otherwise: number) => {
      const text = words.get(key);
      const value = Number(text);
      return text !== null && text !== "" && Number.isInteger(value) && value >= lowest && value < count ? value : otherwise;
    };
    const { nodes, paths, metrics, runs, waits, history } = this.data;
    const folded = (words.get("fold") ?? "").split(",").map(Number);
    const unit = words.get("unit");
    const tab = tabs(this.data).find((one) => one === words.get("tab"));
    this.current = {
      tab: tab ?? this.current.tab,
      site: within("site", 0, waits?.sites.length ?? 0, this.current.site),
      history: within("history", 0, history?.experiments ?? 0, this.current.history),
      node: within("node", 0, nodes.length, this.current.node),
      path: within("path", 0, paths.length, this.current.path),
      metric: within("metric", 0, metrics.length, this.current.metric),
      run: within("run", runs.length > 1 ? -1 : 0, runs.length, this.current.run),
      unit: unit === "share" || unit === "time" ? unit : this.current.unit,
      folded: words.has("fold") ? new Set(folded.filter((node) => node in nodes)) : this.current.folded,
      focused: words.has("focus") ? words.get("focus") === "1" : this.current.focused,
    };
  }
}
