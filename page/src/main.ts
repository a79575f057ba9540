// The page works without this: tables and picture are in its text. What is added here is linking, sorting and looking closer.
import { Graph, type PageData } from "./data";
import { Detail } from "./detail";
import { GraphView } from "./graph";
import { Histories } from "./history";
import { CallTree, Nodes } from "./nodes";
import { Overview } from "./overview";
import { Store } from "./state";
import { Tabs } from "./tabs";
import { Toolbar } from "./toolbar";
import type { Page, View } from "./view";

const PROFILE: (new () => View)[] = [Toolbar, Overview, Detail, GraphView, Nodes, CallTree];

const text = document.getElementById("data")?.textContent;
if (text) {
  const data = JSON.parse(text) as PageData;
  const graph = new Graph(data);
  const page: Page = { data, graph, store: new Store(data, graph.roots[0] ?? 0) };
  document.documentElement.classList.add("live");
  // A page has a profile, waits, histories, or several of them.
  for (const view of [...(data.nodes.length > 0 ? PROFILE : []), Tabs, ...(globalThis.waitsViews ?? []), Histories]) new view().mount(page);
}
