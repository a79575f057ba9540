// The tab of histories: the list says whose constants are shown.
import { element, fill, type Page, type View } from "./view";

export class Histories implements View {
  mount({ data, store }: Page): void {
    if (!data.history) return;
    const rows = [...document.querySelectorAll<HTMLElement>("#history [data-history]")];
    const articles = [...document.querySelectorAll<HTMLElement>("#constants [data-history]")];
    rows.forEach((row, history) => {
      const name = row.querySelector("th")!;
      fill(name, element("button", { type: "button", class: "plain", click: () => store.set({ history }) }, name.textContent));
    });
    store.subscribe((state) => {
      rows.forEach((row, at) => row.classList.toggle("chosen", at === state.history));
      articles.forEach((article, at) => (article.hidden = at !== state.history));
    });
  }
}
