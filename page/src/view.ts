// A view is a module that fills its place and follows the state. Each tab of the page is a list of views.
import type { Graph, PageData } from "./data";
import type { Store } from "./state";

export interface Page {
  data: PageData;
  graph: Graph;
  store: Store;
}

export interface View {
  mount(page: Page): void;
}

type Child = Node | string | null;

/** An element with attributes, children and listeners. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "string") made.setAttribute(key, value);
    else made.addEventListener(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function drawing(name: string, attributes: Record<string, string | number>, ...children: Child[]): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A section of the page that the text has, or a new one behind the others. */
export function section(id: string, title: string): HTMLElement {
  const there = document.getElementById(id);
  if (there) return there;
  const made = element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title));
  document.querySelector("main")!.append(made);
  return made;
}

/** Puts children in place of those that an element has. */
export function fill(place: Element, ...children: Child[]): void {
  place.replaceChildren(...children.filter((child) => child !== null));
}
