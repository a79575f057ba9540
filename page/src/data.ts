// What a page is about, as `crates/report/src/profile_page/data.rs` writes it.

export interface PageData {
  schema: 1;
  title: string;
  /** Predicted ones have the probability of their intervals. */
  runs: { name: string; processors: number; predicted: number | null }[];
  metrics: { name: string; unit: string }[];
  paths: { name: string; metric: number | null; criterion: string }[];
  /** The first ones are drawn, node `i` as the group `n{i}`. */
  nodes: PageNode[];
  /** Caller and callee; the call at position `i` is drawn as the path `c{i}` if both are. */
  calls: [number, number][];
  /** A node, the position of the path that goes to its caller, and for each run the time that is spent there. */
  callPaths: [node: number, above: number | null, ...times: (number | null)[]][];
  waits: WaitsData | null;
  /** How many experiments have a history, which stands in the text. */
  history: { experiments: number } | null;
}

export type Tab = "profile" | "waits" | "history";

/** What a page has. */
export function tabs({ nodes, waits, history }: PageData): Tab[] {
  return [...(nodes.length > 0 ? (["profile"] as const) : []), ...(waits ? (["waits"] as const) : []), ...(history ? (["history"] as const) : [])];
}

/** Who waits for whom in one run, beside the text that the page has of it; seconds. */
export interface WaitsData {
  runTime: number;
  /** A processor or the mean of several, with three digits for each part of the run: the shares of computing, waiting and
   * communicating, from none to all. */
  rows: { name: string; shares: string }[];
  sites: { label: string; waiting: number; node: number | null; chain: { lines: string[]; links: [row: number, from: number, to: number][] } | null }[];
}

export interface PageNode {
  label: string;
  superstep: boolean;
  /** One for each run; null where the run did not come by. */
  runs: (NodeCosts | null)[];
}

export interface NodeCosts {
  syncs: number;
  max: number[];
  average: number[];
  minimum: number[];
  /** Of what is predicted: for each metric the ends of the interval of the maximum. */
  intervals?: [number, number][];
  /** For each critical path two hexadecimal digits: from 0, the most critical, to 255. */
  shades: string;
  /** For each metric where between minimum and maximum each processor is: three digits for two of them; empty if all have the
   * maximum. No strings where the values are the sums of the callees'.
   * None if the page would have become too large, and of what is predicted. */
  values?: string[];
}

export const DIGITS = "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const STEPS = 868;

/** The shade of a node in a run by a critical path; white where the run does not come by. */
export function shade(node: PageNode, run: number, path: number): number {
  const digits = node.runs[run]?.shades.slice(2 * path, 2 * path + 2) ?? "";
  return digits === "" ? 255 : Number.parseInt(digits, 16);
}

/** The value of each processor, if the page has them. */
export function values({ data, graph }: { data: PageData; graph: Graph }, node: number, run: number, metric: number): number[] | null {
  const costs = data.nodes[node]!.runs[run];
  if (!costs?.values) return null;
  const { processors } = data.runs[run]!;
  if (costs.values.length === 0) {
    const callees = graph.callees[node]!.filter((callee) => data.nodes[callee]!.runs[run]);
    const parts = callees.map((callee) => values({ data, graph }, callee, run, metric) ?? []);
    if (parts.some((part) => part.length === 0)) return null;
    return Array.from({ length: processors }, (_, processor) => parts.reduce((sum, part) => sum + (part[processor] ?? 0), 0));
  }
  const [min, max] = [costs.minimum[metric] ?? 0, costs.max[metric] ?? 0];
  const digits = costs.values[metric] ?? "";
  if (digits === "") return Array.from({ length: processors }, () => max);
  return Array.from({ length: processors }, (_, processor) => {
    const at = 3 * Math.floor(processor / 2);
    const both = [...digits.slice(at, at + 3)].reduce((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0);
    const step = processor % 2 === 0 ? Math.floor(both / STEPS) : both % STEPS;
    return min + (step / (STEPS - 1)) * (max - min);
  });
}

/** Callers and callees of each node. */
export class Graph {
  readonly callers: number[][];
  readonly callees: number[][];
  readonly roots: number[];

  constructor(data: PageData) {
    this.callers = data.nodes.map(() => []);
    this.callees = data.nodes.map(() => []);
    for (const [from, to] of data.calls) {
      if (from === to) continue;
      this.callees[from]?.push(to);
      this.callers[to]?.push(from);
    }
    this.roots = data.nodes.flatMap((_, node) => (this.callers[node]!.length === 0 ? [node] : []));
    if (this.roots.length === 0 && data.nodes.length > 0) this.roots.push(0);
  }

  /** What can be reached from the roots without going beyond the folded ones. */
  reached(folded: ReadonlySet<number>): Set<number> {
    const reached = new Set(this.roots);
    const next = [...this.roots];
    while (next.length > 0) {
      const node = next.pop()!;
      if (folded.has(node)) continue;
      for (const callee of this.callees[node]!) {
        if (!reached.has(callee)) {
          reached.add(callee);
          next.push(callee);
        }
      }
    }
    return reached;
  }
}
