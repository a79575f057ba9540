// What a page is about, as `crates/report/src/profile_page/data.rs` writes it.

export interface PageData {
  schema: 1;
  title: string;
  runs: { name: string; processors: number }[];
  metrics: { name: string; unit: string }[];
  paths: { name: string; metric: number | null; criterion: string }[];
  /** The first ones are drawn, node `i` as the group `n{i}`. */
  nodes: PageNode[];
  /** Caller and callee; the call at position `i` is drawn as the path `c{i}` if both are. */
  calls: [number, number][];
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
  /** For each critical path from 0, the most critical, to 255. */
  shades: number[];
  /** For each metric the share of the maximum of each processor: two digits of 6 bits; empty if all are alike. Null if the page
   * would have become too large. */
  values: string[] | null;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LARGEST = 4095;

/** The value of each processor, if the page has them. */
export function values(costs: NodeCosts, metric: number, processors: number): number[] | null {
  if (costs.values === null) return null;
  const max = costs.max[metric] ?? 0;
  const digits = costs.values[metric] ?? "";
  if (digits === "") return Array.from({ length: processors }, () => max);
  const share = (at: number) => (DIGITS.indexOf(digits.charAt(at)) * 64 + DIGITS.indexOf(digits.charAt(at + 1))) / LARGEST;
  return Array.from({ length: processors }, (_, processor) => share(2 * processor) * max);
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
