// The tab of waits: the list, the matrix and the timeline show one chosen site.
import { DIGITS, type WaitsData } from "./data";
import { amount } from "./words";
import { drawing, element, fill, section, type Page, type View } from "./view";

/** Sites are chosen in the list and in the matrix; a site leads to its node of the profile, and a node to its site. */
export class Sites implements View {
  mount({ data, store }: Page): void {
    const { waits } = data;
    if (!waits) return;
    const places = [...document.querySelectorAll<HTMLElement>("#waits [data-site], #causes [data-site]")];
    for (const place of places) {
      const site = Number(place.dataset["site"]);
      const name = place.querySelector("code, th")!;
      fill(name, element("button", { type: "button", class: "plain", click: () => store.set({ site }) }, name.textContent));
      const node = waits.sites[site]?.node ?? null;
      if (place.tagName === "LI" && node !== null)
        place.querySelector("p")!.append(" ", element("button", { type: "button", click: () => store.set({ tab: "profile", node, site }) }, "its superstep"));
    }
    this.shade();
    store.subscribe((state) => {
      for (const place of places) place.classList.toggle("chosen", Number(place.dataset["site"]) === state.site);
    });
    const detail = document.querySelector("#detail");
    if (!detail) return;
    store.subscribe((state) => {
      const site = waits.sites.findIndex(({ node }) => node === state.node);
      if (site < 0) return;
      const text = `waits of ${amount(waits.sites[site]!.waiting, "s")}`;
      detail.append(element("p", {}, element("button", { type: "button", click: () => store.set({ tab: "waits", site }) }, text)));
    });
  }

  /** What makes waits longer is red, what makes them shorter is blue, by its share of the largest. */
  private shade(): void {
    const cells = [...document.querySelectorAll<HTMLTableCellElement>("#causes td")];
    const size = (cell: HTMLTableCellElement) => Math.abs(Number(cell.dataset["seconds"] ?? 0));
    const largest = Math.max(...cells.map(size), Number.MIN_VALUE);
    for (const cell of cells) {
      const share = Math.round((55 * size(cell)) / largest);
      if (share > 0) cell.style.backgroundColor = `color-mix(in srgb, ${Number(cell.dataset["seconds"]) > 0 ? "#d55e00" : "#0072b2"} ${share}%, transparent)`;
    }
  }
}

const LEFT = 90;
const WIDTH = 900;
const BOTTOM = 22;
const NAME = 16;

/** What each processor does when, finer than the picture that the text has, and the chain of the chosen site's longest wait. */
export class Timeline implements View {
  mount({ data, store }: Page): void {
    const { waits } = data;
    const place = section("timeline", "Timeline");
    const box = place.querySelector(".wide");
    if (!waits || !box) return;
    const height = Math.max(6, Math.min(26, Math.floor(420 / waits.rows.length)));
    const rows = waits.rows.flatMap((_, at) => this.row(waits, at, height));
    const down = waits.rows.length * height;
    const ticks = Array.from({ length: 6 }, (_, at) => at / 5).map((share) =>
      drawing("text", { x: LEFT + share * WIDTH, y: down + 16, "text-anchor": share === 1 ? "end" : share === 0 ? "start" : "middle" }, amount(share * waits.runTime, "s", 3)),
    );
    const chain = drawing("g", { class: "chain" });
    const label = `what ${waits.rows.length} rows of processors do in ${amount(waits.runTime, "s", 3)}`;
    const size = { viewBox: `0 0 ${LEFT + WIDTH + 10} ${down + BOTTOM}`, role: "img", "aria-label": label };
    const picture = drawing("svg", { class: "timeline", ...size }, ...rows, ...ticks, chain);
    const lines = element("ol", { class: "links" });
    const told = element("p", { "aria-live": "polite" });
    fill(box, picture);
    place.append(told, lines);
    store.subscribe((state) => {
      const site = waits.sites[state.site];
      const [first = "", ...others] = site?.chain?.lines ?? [];
      fill(told, first);
      fill(lines, ...others.map((line) => element("li", { style: `margin-left: ${line.length - line.trimStart().length}ch` }, line.trim())));
      fill(chain, ...this.chain(waits, state.site, height));
    });
  }

  /** Neighbouring parts with the same shares are one rectangle of each state. */
  private row({ rows }: WaitsData, at: number, height: number): SVGElement[] {
    const { name, shares } = rows[at]!;
    const count = shares.length / 3;
    const part = (number: number) => shares.slice(3 * number, 3 * number + 3);
    const made: SVGElement[] = [];
    // Names of low rows would cover each other.
    if (at % Math.ceil(NAME / height) === 0) made.push(drawing("text", { x: LEFT - 6, y: at * height + height / 2 + 4, "text-anchor": "end" }, name));
    for (let from = 0, to = 0; from < count; from = to) {
      for (to = from + 1; to < count && part(to) === part(from); ) to++;
      const [computing = 0, waiting = 0, communicating = 0] = [...part(from)].map((digit) => DIGITS.indexOf(digit) / (DIGITS.length - 1));
      let top = at * height + 1;
      for (const [state, share] of [["waiting", waiting], ["communicating", communicating], ["computing", computing]] as const) {
        if (share === 0) continue;
        const size = share * (height - 2);
        made.push(drawing("rect", { class: state, x: LEFT + (from / count) * WIDTH, y: top, width: ((to - from) / count) * WIDTH, height: size }));
        top += size;
      }
    }
    return made;
  }

  /** The wait, and each link that goes on when the next one has ended. */
  private chain({ sites, runTime }: WaitsData, chosen: number, height: number): SVGElement[] {
    const links = sites[chosen]?.chain?.links ?? [];
    const x = (time: number) => LEFT + (time / runTime) * WIDTH;
    const y = (row: number) => row * height + height / 2;
    return links.flatMap(([row, from, to], at) => {
      const line = drawing("path", { class: at === 0 ? "wait" : "link", d: `M${x(from)} ${y(row)}H${x(to)}` });
      const before = links[at + 1];
      if (!before || before[0] === row) return [line];
      // From where the other one ends to where this one goes on, or stops waiting.
      const end = at === 0 ? to : from;
      const tip = y(row) > y(before[0]) ? -5 : 5;
      const arrow = `M${x(before[2])} ${y(before[0])}L${x(end)} ${y(row)}m-3 ${tip}l3 ${-tip}l3 ${tip}`;
      return [line, drawing("path", { class: "release", d: arrow })];
    });
  }
}
