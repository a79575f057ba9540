// The page of `upsilon f edit`: the source beside the constants; statements are moved by mouse or keys. llac keeps the sets and counts anew
// after each move. Whatever comes from there is put into the page as text.
import { element, fill } from "./view";
import { counted, number } from "./words";

interface Access {
  array: string;
  bytes: number | null;
  loads: number;
  stores: number;
  stride: string;
  elements: string | null;
}

/** Statements that run as often as a term of the source. */
interface Portion {
  term: string;
  lines: string[];
  /** Whether they run less often, or do less, where data say so. */
  atMost: boolean;
  operations: Record<string, number>;
  accesses: Access[];
}

interface Sets {
  sets: { number: number; given: boolean; portions: Portion[] }[];
  beside: Portion[];
  script: string;
  directive: { clauses?: string; why?: string };
  file: string;
  changes: number;
  saved?: string;
}

interface Page extends Sets {
  experiment: string;
  formula: string;
  constants: { number: number; name: string; term: string; value: string | null }[];
  /** What the counts are worth, and what they leave out. */
  remarks: string[];
  source: { name: string; lines: { line: string; text: string }[]; stale: number[]; unread: string | null };
}

type Answer<T> = T & { error?: string; help?: string | null; ended?: boolean };

/** Statements that are behind no constant. */
const NONE = "none";

let page: Page;
/** The lines that are chosen, and the one that keys start from. */
const chosen = new Set<string>();
let current = "";

const main = document.querySelector("main")!;

async function ask<T>(request: object): Promise<Answer<T> | undefined> {
  try {
    const response = await fetch("do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
    if (!response.ok) throw new Error(`llac answers ${response.status}`);
    const answer = (await response.json()) as Answer<T>;
    if (answer.error === undefined) return answer;
    say([answer.error, answer.help].filter(Boolean).join(": "), true);
  } catch (error) {
    say(`llac cannot be reached: ${error instanceof Error ? error.message : error}. Has its command ended?`, true);
  }
  return undefined;
}

function say(text: string, isError = false): void {
  const place = document.getElementById("said")!;
  place.textContent = text;
  place.className = isError ? "error" : "";
}

/** For each line the constants that its statements are behind, by number. */
function owners(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (owner: string, portions: Portion[]) => {
    for (const line of portions.flatMap((portion) => portion.lines)) {
      const its = found.get(line) ?? [];
      if (!its.includes(owner)) found.set(line, [...its, owner]);
    }
  };
  for (const set of page.sets) add(String(set.number), set.portions);
  add(NONE, page.beside);
  return found;
}

const nameOf = (owner: string) => page.constants.find((constant) => String(constant.number) === owner)?.name ?? NONE;

const isStatement = (line: string) => owners().has(line);

async function change(request: object, said: string): Promise<void> {
  const sets = await ask<Sets>(request);
  if (!sets) return;
  page = { ...page, ...sets };
  chosen.clear();
  say(said);
  show();
}

function move(lines: string[], to: string): Promise<void> {
  if (lines.length === 0) return Promise.resolve(say("Choose statements first."));
  const request = { do: "move", lines, to: to === NONE ? null : Number(to) };
  return change(request, `${lines.length === 1 ? `Line ${lines[0]} is` : `${counted(lines.length, "line")} are`} behind ${nameOf(to)}.`);
}

/** What is moved from a line: all that is chosen if it is. */
const moved = (line: string) => (chosen.has(line) ? [...chosen] : [line]);

function choose(line: string, event: MouseEvent | KeyboardEvent): void {
  const lines = page.source.lines.map((its) => its.line).filter(isStatement);
  if (event.shiftKey && lines.includes(current)) {
    const ends = [lines.indexOf(current), lines.indexOf(line)].sort((one, other) => one - other);
    for (const its of lines.slice(ends[0], ends[1]! + 1)) chosen.add(its);
  } else if (chosen.has(line)) chosen.delete(line);
  else chosen.add(line);
  current = line;
  show();
}

/** Numbers move what is chosen, `n` to no constant; arrows go from statement to statement. */
function onKey(line: string, event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const lines = page.source.lines.map((its) => its.line).filter(isStatement);
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (event.key === " " || event.key === "Enter") choose(line, event);
  else if (step !== 0) focus(lines[lines.indexOf(line) + step] ?? line);
  else if (event.key === "n") void move(moved(line), NONE);
  else if (page.constants.some((constant) => String(constant.number) === event.key)) void move(moved(line), event.key);
  else return;
  event.preventDefault();
}

const buttonOf = (line: string) => [...document.querySelectorAll<HTMLButtonElement>("#source button.line")].find((its) => its.dataset.line === line);

function focus(line: string): void {
  current = line;
  buttonOf(line)?.focus();
}

function source(found: Map<string, string[]>): HTMLElement {
  const rows = page.source.lines.map(({ line, text }, index) => {
    const before = page.source.lines[index - 1]?.line;
    const isGap = before !== undefined && Number(before) + 1 !== Number(line);
    const its = found.get(line);
    const code = element("code", {}, text);
    if (!its) return element("tr", isGap ? { class: "gap" } : {}, element("th", { scope: "row" }, line), element("td", {}, code), element("td"));
    const button = element(
      "button",
      {
        class: "line", type: "button", draggable: "true", "data-line": line, "aria-pressed": String(chosen.has(line)),
        "aria-label": `line ${line}, behind ${its.map(nameOf).join(" and ")}: ${text}`,
        click: (event) => choose(line, event as MouseEvent),
        keydown: (event) => onKey(line, event as KeyboardEvent),
        dragstart: (event) => (event as DragEvent).dataTransfer?.setData("text/plain", moved(line).join("\n")),
      },
      code,
    );
    const isOne = its.length === 1;
    const options = [...page.constants.map((constant) => [String(constant.number), constant.name] as const), [NONE, NONE] as const];
    const select = element(
      "select",
      { "aria-label": `constant of line ${line}`, change: (event) => void move(moved(line), (event.target as HTMLSelectElement).value) },
      isOne ? null : element("option", { value: "", selected: "" }, its.map(nameOf).join(" and ")),
      ...options.map(([value, name]) => element("option", isOne && its[0] === value ? { value, selected: "" } : { value }, name)),
    );
    const classes = [isGap ? "gap" : "", its.includes(NONE) ? "free" : "", chosen.has(line) ? "chosen" : ""].join(" ");
    return element("tr", { class: classes }, element("th", { scope: "row" }, line), element("td", {}, button), element("td", {}, select));
  });
  const caption = element("caption", {}, page.source.name);
  return element("table", {}, caption, element("tbody", {}, ...rows));
}

function work(portions: Portion[]): Node[] {
  return portions.map((portion) => {
    const rows = Object.entries(portion.operations).map(([name, times]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, number(times))),
    );
    const arrays = portion.accesses.map((access) =>
      element(
        "li", {}, element("code", {}, access.array),
        `: loads ${number(access.loads)}, stores ${number(access.stores)}, stride ${access.stride}, ${access.elements ?? "unknown"} elements of ${access.bytes ?? "unknown"} bytes`,
      ),
    );
    const lines = `${counted(portion.lines.length, "line")}: ${portion.lines.join(", ")}`;
    return element(
      "div", { class: "portion" },
      element("p", {}, "times ", element("code", {}, portion.term), `${portion.atMost ? " at most" : ""}, ${lines}`),
      rows.length === 0 ? null : element("table", {}, element("tbody", {}, ...rows)),
      arrays.length === 0 ? null : element("ul", {}, ...arrays),
    );
  });
}

/** A place that statements can be dropped on. */
function card(owner: string, title: Node[], portions: Portion[], isGiven: boolean): HTMLElement {
  const drop = (event: Event) => {
    event.preventDefault();
    const lines = (event as DragEvent).dataTransfer?.getData("text/plain").split("\n").filter(isStatement) ?? [];
    void move(lines, owner);
  };
  const over = (event: Event) => event.preventDefault();
  const back = () => change({ do: "auto", constant: Number(owner) }, `${nameOf(owner)} has the statements that the source says.`);
  return element(
    "article", { "data-owner": owner, "aria-label": nameOf(owner), dragover: over, drop },
    element("h3", {}, ...title),
    element(
      "div", { class: "tools" },
      element("button", { type: "button", click: () => void move([...chosen], owner) }, owner === NONE ? "Move here: no constant (n)" : `Move here (${owner})`),
      isGiven ? element("button", { type: "button", click: () => void back() }, "As the source says") : null,
    ),
    ...(portions.length === 0 ? [element("p", { class: "faint" }, "no statements")] : work(portions)),
  );
}

function constants(): HTMLElement[] {
  const cards = page.constants.map((constant) => {
    const set = page.sets.find((its) => its.number === constant.number);
    const facts = [set?.given ? "named by you" : "by the source", ...(constant.value === null ? [] : [constant.value])].join(", ");
    const title = [`${constant.name} · `, element("code", {}, constant.term), element("small", {}, ` ${facts}`)];
    return card(String(constant.number), title.map((its) => (typeof its === "string" ? document.createTextNode(its) : its)), set?.portions ?? [], set?.given ?? false);
  });
  return [...cards, card(NONE, [document.createTextNode("behind no constant")], page.beside, false)];
}

const remarks = () => page.remarks.map((remark) => element("p", { class: "faint" }, `${remark}.`));

/** What is shown to be copied. */
function text(label: string, id: string, value: string): HTMLElement {
  const area = element("textarea", { id, readonly: "", rows: "3", spellcheck: "false" }, value);
  const copy = () => {
    area.select();
    void navigator.clipboard?.writeText(value).then(() => say("Copied."), () => say("Select the text and copy it."));
  };
  return element("div", {}, element("label", { for: id }, label), area, element("button", { type: "button", click: copy }, "Copy"));
}

async function save(): Promise<void> {
  const sets = await ask<Sets>({ do: "save" });
  if (sets) say(`Saved as ${sets.saved}: \`run\` it behind \`load\`.`);
}

async function end(): Promise<void> {
  const answer = await ask<object>({ do: "end" });
  if (!answer?.ended) return;
  fill(main);
  say("llac has the sets. This page has ended and can be closed.");
}

function show(): void {
  const scroll = document.querySelector("#source .wide")?.scrollTop ?? 0;
  const focused = (document.activeElement as HTMLElement | null)?.dataset?.line;
  const { directive } = page;
  fill(
    main,
    element("section", { id: "source", "aria-labelledby": "source-title" },
      element("h2", { id: "source-title" }, "Source"),
      element("p", { class: "faint" }, "Click statements, or go with the arrow keys and choose with space; then press the number of a constant, n for none, use a list, or drag."),
      element("div", { class: "wide" }, source(owners()))),
    element("section", { id: "constants", "aria-labelledby": "constants-title" }, element("h2", { id: "constants-title" }, "Constants"), ...remarks(), ...constants()),
    element("section", { id: "result", "aria-labelledby": "result-title" },
      element("h2", { id: "result-title" }, "Result"),
      text("For llac, or as a script", "script", page.script),
      directive.clauses === undefined
        ? element("p", { class: "faint" }, `No clauses for the directive: ${directive.why}.`)
        : text("For the directive, behind its formula", "directive", directive.clauses),
      element("div", { class: "tools" },
        element("button", { type: "button", id: "undo", click: () => void change({ do: "undo" }, "Taken back.") }, "Undo"),
        element("button", { type: "button", id: "save", click: () => void save() }, `Save as ${page.file}`),
        element("button", { type: "button", id: "done", click: () => void end() }, "Done"))),
  );
  document.querySelector<HTMLButtonElement>("#undo")!.disabled = page.changes === 0;
  document.querySelector("#source .wide")!.scrollTop = scroll;
  if (focused !== undefined) buttonOf(focused)?.focus();
}

async function start(): Promise<void> {
  const answer = await ask<Page>({ do: "page" });
  if (!answer) return;
  page = answer;
  document.title = `Statements of ${page.experiment}`;
  document.getElementById("title")!.textContent = `Statements behind the constants of ${page.experiment}`;
  document.getElementById("formula")!.textContent = `${page.experiment} = ${page.formula}`;
  const { stale, unread } = page.source;
  const facts = [
    unread === null ? "" : `The source is not shown: ${unread}.`,
    stale.length > 0 && unread === null ? `The source has changed since it was translated: ${counted(stale.length, "line")} of statements read otherwise (${stale.slice(0, 9).join(", ")}). Translate and run it again.` : "",
  ];
  document.getElementById("about")!.textContent = facts.join(" ").trim();
  show();
}

void start();
