// Tabs: each shows its sections of the page.
import { tabs } from "./data";
import { element, type Page, type View } from "./view";

/** A button for each tab, where there are several. */
export class Tabs implements View {
  mount({ data, store }: Page): void {
    const main = document.querySelector("main")!;
    const all = tabs(data);
    const buttons = all.map((tab) => element("button", { type: "button", click: () => store.set({ tab }) }, tab));
    if (all.length > 1) document.querySelector("header")!.append(element("nav", { class: "tools", "aria-label": "tabs" }, ...buttons));
    store.subscribe((state) => {
      main.dataset["tab"] = state.tab;
      buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(all[at] === state.tab)));
    });
  }
}
