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
    this.sortable(table, rows);
    page.store.subscribe((state) => {
      for (const row of rows) row.classList.toggle("chosen", Number(row.dataset["node"]) === state.node);
    });
  }

  private sortable(table: HTMLTableElement, rows: HTMLTableRowElement[]): void {
    const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
    heads.forEach((head, column) => {
      const text = head.textContent ?? "";
      const sort = () => {
        const isDown = head.getAttribute("aria-sort") !== "descending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const key = (row: HTMLTableRowElement) => {
          const cell = row.cells[column]!;
          return cell.dataset["value"] === undefined ? (cell.textContent ?? "") : Number(cell.dataset["value"]);
        };
        const compare = (one: string | number, two: string | number) =>
          typeof one === "number" && typeof two === "number" ? one - two : String(one).localeCompare(String(two));
        rows.sort((one, two) => (isDown ? compare(key(two), key(one)) : compare(key(one), key(two))));
        table.tBodies[0]!.append(...rows);
      };
      fill(head, element("button", { type: "button", class: "plain", title: `sort by ${text}`, click: sort }, text));
    });
  }
}

/** Only what is open is made, as a graph can have more paths than anybody can hold. */
export class CallTree implements View {
  private page!: Page;
  private tree!: HTMLElement;
  private made = 0;

  mount(page: Page): void {
    this.page = page;
    const place = section("tree", "Calls");
    this.tree = element("ul", { role: "tree", "aria-labelledby": "tree-title" });
    place.append(this.tree);
    for (const root of page.graph.roots) this.tree.append(this.item(root, []));
    const first = this.tree.querySelector<HTMLElement>("[role=treeitem]");
    if (!first) return;
    first.tabIndex = 0;
    this.open(first);
    this.tree.addEventListener("keydown", (event) => this.key(event));
    page.store.subscribe((state) => this.follow(state));
  }

  private item(node: number, above: number[]): HTMLElement {
    const { data, graph } = this.page;
    const isCircle = above.includes(node);
    const costs = data.nodes[node]!.runs.find((run) => run !== null);
    const whole = data.nodes[graph.roots[0]!]!.runs.find((run) => run !== null);
    const busy = (max: number[] | undefined) => (max ? (max[0] ?? 0) + (max[1] ?? 0) : 0);
    const share = busy(whole?.max) === 0 ? 0 : busy(costs?.max) / busy(whole?.max);
    const name = `tree-item-${this.made++}`;
    const label = element(
      "span",
      { id: name, click: (event) => this.click(event) },
      element("span", { class: "share" }, percent(share)),
      ` ${data.nodes[node]!.label}${isCircle ? " (again)" : ""} `,
      element("span", { class: "faint" }, amount(busy(costs?.max), "s")),
    );
    const item = element("li", { role: "treeitem", "aria-labelledby": name, "aria-selected": "false", "data-node": String(node) }, label);
    item.tabIndex = -1;
    item.dataset["above"] = [...above, node].join(" ");
    if (!isCircle && graph.callees[node]!.length > 0) item.setAttribute("aria-expanded", "false");
    return item;
  }

  private open(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") !== "false") return;
    item.setAttribute("aria-expanded", "true");
    const above = item.dataset["above"]!.split(" ").map(Number);
    const busy = (node: number) => {
      const max = this.page.data.nodes[node]!.runs.find((run) => run !== null)?.max ?? [];
      return (max[0] ?? 0) + (max[1] ?? 0);
    };
    const callees = [...this.page.graph.callees[above.at(-1)!]!].sort((one, two) => busy(two) - busy(one));
    item.append(element("ul", { role: "group" }, ...callees.map((callee) => this.item(callee, above))));
  }

  private close(item: HTMLElement): void {
    if (item.getAttribute("aria-expanded") !== "true") return;
    item.setAttribute("aria-expanded", "false");
    item.querySelector("ul")?.remove();
  }

  private click(event: Event): void {
    const item = (event.target as Element).closest<HTMLElement>("[role=treeitem]")!;
    if (item.getAttribute("aria-selected") === "true" && item.getAttribute("aria-expanded") === "true") this.close(item);
    else this.open(item);
    this.go(item);
  }

  private go(item: HTMLElement | null | undefined): void {
    if (!item) return;
    for (const other of this.tree.querySelectorAll<HTMLElement>("[role=treeitem]")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
    this.page.store.set({ node: Number(item.dataset["node"]) });
  }

  private key(event: KeyboardEvent): void {
    const item = document.activeElement?.closest<HTMLElement>("[role=treeitem]");
    if (!item || !this.tree.contains(item)) return;
    const all = [...this.tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = all.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    if (event.key === "ArrowDown") this.go(all[at + 1]);
    else if (event.key === "ArrowUp") this.go(all[at - 1]);
    else if (event.key === "Home") this.go(all[0]);
    else if (event.key === "End") this.go(all.at(-1));
    else if (event.key === "ArrowRight" && expanded === "false") this.open(item);
    else if (event.key === "ArrowRight") this.go(item.querySelector<HTMLElement>("[role=treeitem]"));
    else if (event.key === "ArrowLeft" && expanded === "true") this.close(item);
    else if (event.key === "ArrowLeft") this.go(item.parentElement?.closest<HTMLElement>("[role=treeitem]"));
    else if (event.key === "Enter") this.go(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private follow(state: State): void {
    for (const item of this.tree.querySelectorAll<HTMLElement>("[role=treeitem]")) {
      item.setAttribute("aria-selected", String(Number(item.dataset["node"]) === state.node));
    }
  }
}
