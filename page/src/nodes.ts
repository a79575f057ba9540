// All nodes: the tables that the page has, one for each run, to be sorted and chosen from, and the calls as a tree.
import type { State } from "./state";
import { amount, percent } from "./words";
import { element, fill, section, type Page, type View } from "./view";

/** Beyond so many levels paths are indented no more. */
const DEEPEST = 30;

export class Nodes implements View {
  mount(page: Page): void {
    for (const table of document.querySelectorAll<HTMLTableElement>("#nodes table")) this.table(page, table, Number(table.dataset["run"]));
  }

  private table(page: Page, table: HTMLTableElement, run: number): void {
    if (!table.tBodies[0]) return;
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) {
      const node = Number(row.dataset["node"]);
      const head = row.cells[0]!;
      const choice = element("button", { type: "button", class: "plain", click: () => page.store.set({ node }) }, head.textContent ?? "");
      fill(head, choice);
    }
    this.sortable(page, table, run, rows);
    page.store.subscribe((state) => {
      table.hidden = state.run !== -1 && state.run !== run;
      for (const row of rows) row.classList.toggle("chosen", Number(row.dataset["node"]) === state.node);
    });
  }

  /** Columns are syncs and, for each metric, maximum and shares of it. */
  private value(page: Page, run: number, row: HTMLTableRowElement, column: number): number {
    const costs = page.data.nodes[Number(row.dataset["node"])]!.runs[run]!;
    if (column === 1) return costs.syncs;
    const metric = Math.floor((column - 2) / 3);
    const max = costs.max[metric] ?? 0;
    const parts = [max, ...[costs.average, costs.minimum].map((part) => (max === 0 ? 0 : (part[metric] ?? 0) / max))];
    return parts[(column - 2) % 3]!;
  }

  private sortable(page: Page, table: HTMLTableElement, run: number, rows: HTMLTableRowElement[]): void {
    const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
    heads.forEach((head, column) => {
      const text = head.textContent ?? "";
      const sort = () => {
        const isDown = head.getAttribute("aria-sort") !== "descending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const key = (row: HTMLTableRowElement) => (column === 0 ? (row.cells[0]!.textContent ?? "") : this.value(page, run, row, column));
        const compare = (one: string | number, two: string | number) =>
          typeof one === "number" && typeof two === "number" ? one - two : String(one).localeCompare(String(two));
        rows.sort((one, two) => (isDown ? compare(key(two), key(one)) : compare(key(one), key(two))));
        table.tBodies[0]!.append(...rows);
      };
      fill(head, element("button", { type: "button", class: "plain", title: `sort by ${text}`, click: sort }, text));
    });
  }
}

/** The call paths, each with what is spent there; of a shared procedure that is what this caller of it pays. Only what is open is made.
 * Items are siblings that know their level. */
export class CallTree implements View {
  private page!: Page;
  private tree!: HTMLElement;
  private run = 0;
  private readonly below: number[][] = [];
  private readonly roots: number[] = [];
  private readonly items = new Map<HTMLElement, { path: number; level: number }>();

  mount(page: Page): void {
    const { callPaths } = page.data;
    if (callPaths.length === 0) return;
    this.page = page;
    callPaths.forEach(([, above], path) => {
      this.below.push([]);
      (above === null ? this.roots : this.below[above]!).push(path);
    });
    const place = section("tree", "Calls");
    this.tree = element("div", { role: "tree", "aria-labelledby": "tree-title" });
    place.append(this.tree);
    this.tree.append(...this.sorted(this.roots).map((root) => this.item(root, 1)));
    const first = this.shown()[0]!;
    first.tabIndex = 0;
    this.open(first);
    this.tree.addEventListener("keydown", (event) => this.key(event));
    page.store.subscribe((state) => this.follow(state));
  }

  private shown(): HTMLElement[] {
    return [...this.tree.children] as HTMLElement[];
  }

  private node(item: HTMLElement): number {
    return this.page.data.callPaths[this.items.get(item)!.path]![0];
  }

  /** Computation and communication of the slowest processors; nothing where the run does not come by. */
  private time(path: number): number | null {
    return (this.page.data.callPaths[path]![2 + this.run] as number | null | undefined) ?? null;
  }

  private sorted(paths: number[]): number[] {
    return [...paths].sort((one, two) => (this.time(two) ?? 0) - (this.time(one) ?? 0));
  }

  private item(path: number, level: number): HTMLElement {
    const item = element("div", { role: "treeitem", "aria-level": String(level), "aria-selected": "false", click: () => this.click(item) });
    item.tabIndex = -1;
    item.style.paddingLeft = `${Math.min(level - 1, DEEPEST)}rem`;
    if (this.below[path]!.length > 0) item.setAttribute("aria-expanded", "false");
    this.items.set(item, { path, level });
    this.tell(item);
    return item;
  }

  private tell(item: HTMLElement): void {
    const time = this.time(this.items.get(item)!.path);
    const whole = this.roots.reduce((sum, root) => sum + (this.time(root) ?? 0), 0);
    fill(
      item,
      element("span", { class: "share" }, time === null ? "–" : percent(whole === 0 ? 0 : time / whole)),
      element("span", {}, ` ${this.page.data.nodes[this.node(item)]!.label} `),
      element("span", { class: "faint" }, time === null ? "not in this run" : amount(time, "s")),
    );
  }

  private open(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") !== "false") return;
    item.setAttribute("aria-expanded", "true");
    const { path, level } = this.items.get(item)!;
    item.after(...this.sorted(this.below[path]!).map((callee) => this.item(callee, level + 1)));
  }

  private close(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") !== "true") return;
    item.setAttribute("aria-expanded", "false");
    const level = this.level(item);
    while (item.nextElementSibling instanceof HTMLElement && this.level(item.nextElementSibling) > level) {
      this.items.delete(item.nextElementSibling);
      item.nextElementSibling.remove();
    }
  }

  private level(item: HTMLElement): number {
    return this.items.get(item)!.level;
  }

  private click(item: HTMLElement): void {
    if (item.getAttribute("aria-selected") === "true" && item.getAttribute("aria-expanded") === "true") this.close(item);
    else this.open(item);
    this.go(item);
  }

  private go(item: HTMLElement | undefined): void {
    if (!item) return;
    for (const other of this.shown()) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
    this.page.store.set({ node: this.node(item) });
  }

  private key(event: KeyboardEvent): void {
    const all = this.shown();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const item = all[at];
    if (!item) return;
    const expanded = item.getAttribute("aria-expanded");
    const caller = all.slice(0, at).findLast((other) => this.level(other) < this.level(item));
    if (event.key === "ArrowDown") this.go(all[at + 1]);
    else if (event.key === "ArrowUp") this.go(all[at - 1]);
    else if (event.key === "Home") this.go(all[0]);
    else if (event.key === "End") this.go(all.at(-1));
    else if (event.key === "ArrowRight" && expanded === "false") this.open(item);
    else if (event.key === "ArrowRight" && expanded === "true") this.go(all[at + 1]);
    else if (event.key === "ArrowLeft" && expanded === "true") this.close(item);
    else if (event.key === "ArrowLeft") this.go(caller);
    else if (event.key === "Enter") this.go(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private follow(state: State): void {
    const run = Math.max(state.run, 0);
    const isOther = run !== this.run;
    this.run = run;
    for (const item of this.shown()) {
      if (isOther) this.tell(item);
      item.setAttribute("aria-selected", String(this.node(item) === state.node));
    }
  }
}
