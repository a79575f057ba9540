// All critical paths as small pictures of the one graph: a row for each criterion, a column for each metric, and synchronisations.
import { shade as shadeOf } from "./data";
import { boxOf } from "./graph";
import { element, fill, section, type Page, type View } from "./view";

const WIDTH = 98;
const HEIGHT = 70;

export class Overview implements View {
  mount(page: Page): void {
    const { data, store } = page;
    const place = section("overview", "Critical paths");
    const boxes = data.nodes.map((_, node) => {
      const group = document.querySelector<SVGGElement>(`#n${node}`);
      return group && boxOf(group);
    });
    const right = Math.max(1, ...boxes.map((box) => (box ? box.x + box.width : 0)));
    const bottom = Math.max(1, ...boxes.map((box) => (box ? box.y + box.height : 0)));
    const criteria = [...new Set(data.paths.filter((path) => path.metric !== null).map((path) => path.criterion))];
    const pictures: { canvas: HTMLCanvasElement; button: HTMLButtonElement; path: number }[] = [];
    const picture = (path: number) => {
      if (path < 0) return null;
      const canvas = element("canvas", { width: String(2 * WIDTH), height: String(2 * HEIGHT), "aria-hidden": "true" });
      const name = data.paths[path]!.name;
      const button = element("button", { type: "button", title: name, "aria-label": name, click: () => choose(path) }, canvas);
      pictures.push({ canvas, button, path });
      return button;
    };
    const choose = (path: number) => {
      const metric = data.paths[path]!.metric;
      store.set(metric === null ? { path } : { path, metric });
    };
    const head = element("tr", {}, element("td"), ...data.metrics.map((metric) => element("th", { scope: "col" }, metric.name)));
    const rows = criteria.map((criterion) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, criterion),
        ...data.metrics.map((_, metric) =>
          element("td", {}, picture(data.paths.findIndex((path) => path.metric === metric && path.criterion === criterion))),
        ),
      ),
    );
    const alone = data.paths.findIndex((path) => path.metric === null);
    const last = element("tr", {}, element("th", { scope: "row" }, "synchronisations"), element("td", {}, picture(alone)), element("td", { colspan: "3", class: "chosen-path" }));
    const table = element("table", { class: "pictures" }, element("thead", {}, head), element("tbody", {}, ...rows, last));
    fill(place, place.querySelector("h2")!, table);
    const told = table.querySelector(".chosen-path")!;
    let drawn = -1;
    store.subscribe((state) => {
      fill(told, data.paths[state.path]!.name);
      const run = Math.max(state.run, 0);
      for (const { canvas, button, path } of pictures) {
        button.setAttribute("aria-pressed", String(path === state.path));
        const context = canvas.getContext("2d");
        if (run === drawn || !context) continue;
        const [across, down] = [(2 * WIDTH - 4) / right, (2 * HEIGHT - 4) / bottom];
        context.clearRect(0, 0, canvas.width, canvas.height);
        boxes.forEach((box, node) => {
          if (!box) return;
          const shade = shadeOf(data.nodes[node]!, run, path);
          context.fillStyle = `rgb(255 ${shade} ${shade})`;
          context.strokeStyle = "#808080";
          const sizes = [2 + box.x * across, 2 + box.y * down, Math.max(box.width * across, 3), Math.max(box.height * down, 3)] as const;
          context.fillRect(...sizes);
          context.lineWidth = 0.5;
          context.strokeRect(...sizes);
        });
      }
      drawn = run;
    });
  }
}
