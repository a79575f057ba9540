// What holds for all views: run, unit, colours, search, and the keys.
import { legend } from "./graph";
import { element, type Page, type View } from "./view";

const KEYS: [string, string][] = [
  ["/", "search"],
  ["Enter", "in the search: the next node that has the text"],
  ["Arrow keys", "in the graph and in the tree: from node to node"],
  ["F", "the node with its neighbours only"],
  ["Space", "in the graph: fold or unfold what only this node calls"],
  ["+ and -", "nearer and farther; the wheel does it too, once the graph is clicked"],
  ["0", "the whole graph"],
  ["Esc", "leave the search or this help"],
];

export class Toolbar implements View {
  mount(page: Page): void {
    const { data, store } = page;
    const bar = element("div", { id: "tools", class: "tools", role: "toolbar", "aria-label": "page" });
    document.querySelector("header")!.append(bar);
    if (data.runs.length > 1) bar.append(this.runs(page));
    const unit = element("button", {
      type: "button",
      title: "seconds, or shares of the whole program",
      click: () => store.set({ unit: store.state.unit === "time" ? "share" : "time" }),
    });
    store.subscribe((state) => (unit.textContent = state.unit === "time" ? "as shares" : "as amounts"));
    const theme = element("button", { type: "button", click: () => document.documentElement.classList.toggle("other-theme") }, "light | dark");
    const shades = element("span", { class: "legend" });
    legend(shades);
    const ofProfile = element("span", { class: "of-profile tools" }, unit, this.search(page), shades);
    bar.append(ofProfile, theme, this.help());
  }

  private runs(page: Page): HTMLElement {
    const { data, store } = page;
    const names = [...data.runs.map((run, number) => [String(number), run.name] as const), ["-1", "change"] as const];
    const choice = element(
      "select",
      { "aria-label": "run", change: () => store.set({ run: Number(choice.value) }) },
      ...names.map(([value, name]) => element("option", { value }, name)),
    );
    store.subscribe((state) => (choice.value = String(state.run)));
    return choice;
  }

  private search(page: Page): HTMLElement {
    const { data, store } = page;
    const told = element("span", { role: "status", class: "faint" });
    const input = element("input", { type: "search", placeholder: "search (/)", "aria-label": "search for a node" });
    const found = () => {
      const text = input.value.trim().toLowerCase();
      return text === "" ? [] : data.nodes.flatMap((node, number) => (node.label.toLowerCase().includes(text) ? [number] : []));
    };
    input.addEventListener("input", () => {
      const nodes = found();
      const set = new Set(nodes);
      data.nodes.forEach((_, number) => document.getElementById(`n${number}`)?.classList.toggle("found", set.has(number)));
      told.textContent = input.value.trim() === "" ? "" : `${nodes.length} found`;
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        const nodes = found();
        const next = nodes.find((node) => node > store.state.node) ?? nodes[0];
        if (next !== undefined) store.set({ node: next, focused: false });
      } else if (event.key === "Escape") {
        input.value = "";
        input.dispatchEvent(new Event("input"));
        input.blur();
      }
    });
    document.addEventListener("keydown", (event) => {
      const isSearch = event.key === "/" || (event.key === "f" && (event.ctrlKey || event.metaKey));
      if (!isSearch || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      input.focus();
    });
    return element("span", {}, input, told);
  }

  private help(): HTMLElement {
    const list = element("dl", {}, ...KEYS.flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)]));
    const close = element("button", { type: "button", click: () => dialog.close() }, "close");
    const dialog = element("dialog", { "aria-labelledby": "help-title" }, element("h2", { id: "help-title" }, "Keys"), list, close);
    document.body.append(dialog);
    return element("button", { type: "button", click: () => dialog.showModal() }, "help");
  }
}
