// All nodes: the table that the page has, to be sorted and chosen from, and the calls as a tree.
import type { State } from "./state";
import { amount, percent } from "./words";
import { element, fill, section, type Page, type View } from "./view";

export class Nodes implements View {
  mount(page: Page): void {
    const table = document.querySelector<HTMLTableElement>("#nodes table");
    if (!table?.tBodies[0]) return;
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) {
      const node = Number(row.dataset["node"]);
      const head = row.cells[0]!;
      const choice = element("button", { type: "button", class: "plain", click: () => page.store.set({ node }) }, head.textContent ?? "");
      fill(head, choice);
    }
    this.sortable(page, table, rows);
    page.store.subscribe((state) => {
      for (const row of rows) row.classList.toggle("chosen", Number(row.dataset["node"]) === state.node);
    });
  }

  /** By the numbers of the first run that comes by: columns are syncs and, for each metric, maximum and shares of it. */
  private value(page: Page, row: HTMLTableRowElement, column: number): number {
    const costs = page.data.nodes[Number(row.dataset["node"])]!.runs.find((run) => run !== null)!;
    if (column === 1) return costs.syncs;
    const metric = Math.floor((column - 2) / 3);
    const max = costs.max[metric] ?? 0;
    const parts = [max, ...[costs.average, costs.minimum].map((part) => (max === 0 ? 0 : (part[metric] ?? 0) / max))];
    return parts[(column - 2) % 3]!;
  }

  private sortable(page: Page, table: HTMLTableElement, rows: HTMLTableRowElement[]): void {
    const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
    heads.forEach((head, column) => {
      const text = head.textContent ?? "";
      const sort = () => {
        const isDown = head.getAttribute("aria-sort") !== "descending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const key = (row: HTMLTableRowElement) => (column === 0 ? (row.cells[0]!.textContent ?? "") : this.value(page, row, column));
        const compare = (one: string | number, two: string | number) =>
          typeof one === "number" && typeof two === "number" ? one - two : String(one).localeCompare(String(two));
        rows.sort((one, two) => (isDown ? compare(key(two), key(one)) : compare(key(one), key(two))));
        table.tBodies[0]!.append(...rows);
      };
      fill(head, element("button", { type: "button", class: "plain", title: `sort by ${text}`, click: sort }, text));
    });
  }
}

/** Only what is open is made, as a graph can have more paths than anybody can hold. Items are siblings that know their level. */
export class CallTree implements View {
  private page!: Page;
  private tree!: HTMLElement;
  private readonly paths = new WeakMap<HTMLElement, number[]>();

  mount(page: Page): void {
    this.page = page;
    const place = section("tree", "Calls");
    this.tree = element("div", { role: "tree", "aria-labelledby": "tree-title" });
    place.append(this.tree);
    this.tree.append(...page.graph.roots.map((root) => this.item([root])));
    const first = this.items()[0];
    if (!first) return;
    first.tabIndex = 0;
    this.open(first);
    this.tree.addEventListener("keydown", (event) => this.key(event));
    page.store.subscribe((state) => this.follow(state));
  }

  private items(): HTMLElement[] {
    return [...this.tree.children] as HTMLElement[];
  }

  /** Computation and communication of the slowest processor. */
  private busy(node: number): number {
    const max = this.page.data.nodes[node]!.runs.find((run) => run !== null)?.max ?? [];
    return (max[0] ?? 0) + (max[1] ?? 0);
  }

  private item(path: number[]): HTMLElement {
    const { data, graph } = this.page;
    const node = path.at(-1)!;
    const isCircle = path.indexOf(node) < path.length - 1;
    const whole = this.busy(graph.roots[0]!);
    const item = element(
      "div",
      { role: "treeitem", "aria-level": String(path.length), "aria-selected": "false", click: () => this.click(item) },
      element("span", { class: "share" }, percent(whole === 0 ? 0 : this.busy(node) / whole)),
      ` ${data.nodes[node]!.label}${isCircle ? " (again)" : ""} `,
      element("span", { class: "faint" }, amount(this.busy(node), "s")),
    );
    item.tabIndex = -1;
    item.style.paddingLeft = `${path.length - 1}rem`;
    if (!isCircle && graph.callees[node]!.length > 0) item.setAttribute("aria-expanded", "false");
    this.paths.set(item, path);
    return item;
  }

  private open(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") !== "false") return;
    item.setAttribute("aria-expanded", "true");
    const path = this.paths.get(item)!;
    const callees = [...this.page.graph.callees[path.at(-1)!]!].sort((one, two) => this.busy(two) - this.busy(one));
    item.after(...callees.map((callee) => this.item([...path, callee])));
  }

  private close(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") !== "true") return;
    item.setAttribute("aria-expanded", "false");
    const level = this.level(item);
    while (item.nextElementSibling instanceof HTMLElement && this.level(item.nextElementSibling) > level) {
      item.nextElementSibling.remove();
    }
  }

  private level(item: HTMLElement): number {
    return this.paths.get(item)!.length;
  }

  private click(item: HTMLElement): void {
    if (item.getAttribute("aria-selected") === "true" && item.getAttribute("aria-expanded") === "true") this.close(item);
    else this.open(item);
    this.go(item);
  }

  private go(item: HTMLElement | undefined): void {
    if (!item) return;
    for (const other of this.items()) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
    this.page.store.set({ node: this.paths.get(item)!.at(-1)! });
  }

  private key(event: KeyboardEvent): void {
    const all = this.items();
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
    for (const item of this.items()) {
      item.setAttribute("aria-selected", String(this.paths.get(item)!.at(-1) === state.node));
    }
  }
}
