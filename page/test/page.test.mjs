// The pages of `cargo run -p call-report --example profile_page` and that of llac in real browsers: `PAGES=FOLDER LLAC=PROGRAM npm test`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const folder = resolve(process.env.PAGES ?? "pages");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const BROWSERS = [
  { name: "chrome", paths: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"], args: ["--no-sandbox", "--disable-dev-shm-usage"] },
  { name: "firefox", paths: ["/usr/bin/firefox-esr", "/usr/bin/firefox"], args: [] },
];
const address = (name, hash = "") => pathToFileURL(join(folder, `${name}.html`)).href + hash;

/** A source and a trace that try to be more than text. */
const HARM = `</script><img src=x onerror="harm=1"><b>`;
const SOURCE = `double x, a[9];\n#pragma cll f f[0] + f[1]*n /* ${HARM} */\n/* ${"long ".repeat(50_000)} */\nfor (i = 0; i < n; i++) {\n    x += 1.0; /* \u202e ${HARM} */\n    a[i] = x;\n}\n#pragma cll end f\n`;
const statement = (line, more) => ({ line, text: SOURCE.split("\n")[line - 1].trim().slice(0, 60), ...more });
const COUNTS = {
  quality: "exact",
  terms: [
    { basis: "1", growth: {}, statements: [statement(4, {})] },
    {
      basis: "n", growth: { n: [1, 0] },
      statements: [
        statement(5, { operations: { "float-add": 1 } }),
        statement(6, { at_most: true, operations: { store: 1 }, accesses: [{ array: HARM, bytes: 8, loads: 0, stores: 1, stride: "1", footprint: "n" }] }),
      ],
    },
  ],
};
const TRACE = `# call-trace 1\n# program: x\n# source: x.c\n# kind: sequential\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*n\n# variables: n\n# source_counts: ${JSON.stringify(COUNTS).replaceAll("\\", "\\\\")}\n# lines: 2-8\nexperiment processor P n time_s\n${[1, 2, 4, 8, 16].map((n) => `f 0 1 ${n} ${n * 1e-6 + 1e-6}\n`).join("")}# end rows=5\n`;

/** `upsilon f edit` in a folder of its own: where its page is, and how it ends. */
async function editor() {
  const folder = mkdtempSync(join(tmpdir(), "editor-"));
  writeFileSync(join(folder, "x.c"), SOURCE);
  writeFileSync(join(folder, "x.call.0.dat"), TRACE);
  const llac = spawn(process.env.LLAC, ["upsilon", "x.call.0.dat", "f", "--edit"], { cwd: folder });
  let output = "";
  llac.stdout.on("data", (data) => (output += data));
  const ended = new Promise((done) => llac.on("exit", (status) => done({ status, output })));
  const url = await new Promise((found, failed) => {
    let told = "";
    llac.stderr.on("data", (data) => {
      told += data;
      const address = told.match(/http:\S+/);
      if (address) found(address[0]);
    });
    void ended.then(() => failed(new Error(told)));
  });
  return { folder, url, ended };
}

for (const { name, paths, args } of BROWSERS) {
  const executablePath = paths.find(existsSync);
  if (!executablePath && !process.env.CI) {
    console.log(`${name} is not installed: its tests are left out`);
    continue;
  }
  describe(name, () => {
    let browser;
    before(async () => {
      assert.ok(executablePath, `${name} is not installed`);
      browser = await puppeteer.launch({ browser: name, executablePath, args, timeout: 120_000 });
    });
    after(() => browser?.close());

    async function open(url) {
      const page = await browser.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.setViewport({ width: 1400, height: 1000 });
      await page.goto(url);
      return { page, errors };
    }

    /** What each view takes for the chosen node. */
    const chosen = (page) =>
      page.evaluate(() => ({
        graph: document.querySelector("svg.graph g.chosen")?.id,
        detail: document.querySelector("#detail h2")?.textContent,
        row: document.querySelector("#nodes tr.chosen th")?.textContent,
        tree: document.querySelector("[role=treeitem][aria-selected=true]")?.textContent?.trim(),
        hash: new URLSearchParams(location.hash.slice(1)).get("node"),
      }));

    test("one selection links all views, by keyboard alone", async () => {
      const { page, errors } = await open(address("plain"));
      await page.evaluate(() => document.querySelector("svg.graph g[tabindex='0']").focus());
      await page.keyboard.press("ArrowRight");
      const { graph, detail, row, tree, hash } = await chosen(page);
      assert.notEqual(graph, "n0");
      assert.equal(`n${hash}`, graph);
      assert.equal(row, detail);
      assert.ok(tree.includes(detail), `${tree} and ${detail}`);
      await page.keyboard.press("ArrowLeft");
      assert.equal((await chosen(page)).graph, "n0");
      await page.evaluate(() => document.querySelector("[role=treeitem][tabindex='0']").focus());
      await page.keyboard.press("ArrowDown");
      const walked = await chosen(page);
      assert.notEqual(walked.graph, "n0");
      assert.equal(walked.row, walked.detail);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.notEqual((await chosen(page)).graph, walked.graph);
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      assert.equal((await chosen(page)).graph, walked.graph);
      await page.keyboard.press("/");
      await page.keyboard.type("solve.c line 2");
      await page.keyboard.press("Enter");
      assert.match((await chosen(page)).detail, /^solve\.c line 2/);
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("the address keeps the view", async () => {
      const { page, errors } = await open(address("plain", "#node=5&path=9&metric=2&unit=share&focus=1"));
      assert.equal((await chosen(page)).graph, "n5");
      const state = await page.evaluate(() => ({
        path: document.querySelector(".chosen-path").textContent,
        metric: document.querySelector("#detail button[aria-pressed=true]").textContent,
        shown: document.querySelectorAll("svg.graph g[role]:not(.hidden)").length,
      }));
      assert.equal(state.path, "idle, absolute");
      assert.equal(state.metric, "idle");
      assert.ok(state.shown < 20, `${state.shown} nodes`);
      await page.goto(address("plain", "#node=999999&path=-3&run=7&unit=furlongs&fold=a,1e9"));
      await page.reload();
      assert.equal((await chosen(page)).graph, "n0");
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("folding hides what only the node calls", async () => {
      const { page } = await open(address("plain"));
      const shown = () => page.evaluate(() => document.querySelectorAll("svg.graph g[role]:not(.hidden)").length);
      const all = await shown();
      await page.evaluate(() => document.querySelector("#n0").focus());
      await page.keyboard.press(" ");
      assert.equal(await shown(), 1);
      assert.equal(await page.evaluate(() => document.querySelector(".mark").textContent), `+${all - 1}`);
      await page.keyboard.press(" ");
      assert.equal(await shown(), all);
      await page.close();
    });

    test("two runs are compared", async () => {
      const { page, errors } = await open(address("compared", "#node=1&run=-1"));
      const gains = await page.evaluate(() =>
        [...document.querySelectorAll("#detail tbody tr")].map((row) => row.lastElementChild.textContent),
      );
      assert.deepEqual(gains, ["50 %", "50 %", "50 %", "50 %"]);
      await page.goto(address("compared", "#node=3&run=1"));
      await page.reload();
      assert.match(await page.evaluate(() => document.querySelector("#detail p").textContent), /does not come by/);
      // The tables are those of the chosen run, or of both.
      const shown = () => page.evaluate(() => [...document.querySelectorAll("#nodes table")].filter((table) => table.checkVisibility()).map((table) => table.caption.textContent));
      assert.deepEqual(await shown(), ["after"]);
      await page.evaluate(() => document.querySelectorAll("#nodes table")[1].querySelectorAll("thead tr:last-child th")[2].querySelector("button").click());
      const largest = await page.evaluate(() => document.querySelectorAll("#nodes table")[1].tBodies[0].rows[0].cells[2].textContent);
      assert.equal(largest, "500 ms");
      const texts = () => page.evaluate(() => ({
        graph: [...document.querySelectorAll("#n1 text")].slice(2, 3).map((text) => text.textContent.replace(/ \(.*/, ""))[0],
        tree: document.querySelector("[role=treeitem] .faint").textContent,
      }));
      assert.deepEqual(await texts(), { graph: "computation 353.6 ms", tree: "500 ms" });
      await page.evaluate(() => (location.hash = "#run=-1"));
      await page.waitForFunction(() => !document.querySelector("#nodes table").hidden);
      assert.deepEqual(await shown(), ["run", "after"]);
      assert.deepEqual(await texts(), { graph: "computation 707.1 ms → 353.6 ms", tree: "1 s" });
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("bars have the values of processors, also where they are sums", async () => {
      const { page, errors } = await open(address("sums"));
      const labels = [];
      for (const node of [0, 1, 2]) {
        await page.goto(address("sums", `#node=${node}`));
        await page.reload();
        labels.push(await page.evaluate(() => document.querySelector(".bars").getAttribute("aria-label")));
      }
      assert.deepEqual(labels, ["P2 has most, 6 s; P0 least, 3.5 s", "P2 has most, 3 s; P0 least, 1 s", "P2 has most, 3 s; P1 least, 2 s"].map((text) => `bars: ${text}`));
      const sums = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).nodes.map(({ runs }) => runs[0].values.length));
      assert.deepEqual(sums, [0, 4, 4]);
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("what is predicted has intervals, and no bars", async () => {
      const { page, errors } = await open(address("predicted", "#node=0"));
      const detail = await page.evaluate(() => ({
        heads: [...document.querySelectorAll("#detail thead th")].map((head) => head.textContent),
        cells: [...document.querySelectorAll("#detail tbody tr:first-child td")].map((cell) => cell.textContent),
        text: document.querySelector("#detail").textContent,
      }));
      // The page says which interval it is.
      assert.equal(detail.heads[0], "maximum, 80 % interval");
      assert.equal(detail.cells[0], "1 s 900 ms – 1.25 s");
      // A count is not rounded.
      assert.match(detail.text, /\b123457 synchronisations/);
      assert.match(detail.text, /What single processors need is not predicted/);
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("waits and profile are one click apart, and the address keeps both", async () => {
      const { page, errors } = await open(address("waits", "#node=0"));
      const seen = () => page.evaluate(() => ({
        shown: ["graph", "waits", "timeline", "nodes"].filter((id) => document.getElementById(id).checkVisibility()),
        site: document.querySelector("#waits li.chosen")?.dataset.site,
        row: document.querySelector("#causes tr.chosen")?.dataset.site,
        chain: document.querySelectorAll(".chain path").length,
        told: document.querySelector("#timeline [aria-live]").textContent,
        node: document.querySelector("#detail h2").textContent,
      }));
      const press = (text) => page.evaluate((wanted) => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === wanted).click(), text);
      assert.deepEqual((await seen()).shown, ["graph", "nodes"]);
      await press("waits");
      const first = await seen();
      assert.deepEqual([first.shown, first.site, first.row, first.chain], [["waits", "timeline"], "0", "0", 3]);
      await press("bsp_sync solve.c:440 in step < main");
      const second = await seen();
      // Two waits for each other of three processors: a wait, two links, two releases.
      assert.deepEqual([second.site, second.row, second.chain, second.told], ["1", "1", 5, "a wait in solve.c"]);
      await page.reload();
      assert.deepEqual(await seen(), second);
      await press("its superstep");
      const profile = await seen();
      assert.deepEqual([profile.shown, profile.node, profile.site], [["graph", "nodes"], "solve.c line 450", "0"]);
      await press("waits of 5 s");
      assert.deepEqual((await seen()).shown, ["waits", "timeline"]);
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("a graph that was behind another tab is there", async () => {
      const { page, errors } = await open(address("waits", "#tab=waits"));
      const width = () => page.evaluate(() => document.querySelector("svg.graph").viewBox.baseVal.width);
      await page.evaluate(() => document.querySelector("nav button").click());
      await page.waitForFunction(() => document.querySelector("svg.graph").getBoundingClientRect().width > 0);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      assert.ok((await width()) > 0);
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("a page of waits alone has no tabs", async () => {
      const { page, errors } = await open(address("waits_alone"));
      const seen = await page.evaluate(() => ({
        sections: [...document.querySelectorAll("section")].filter((one) => one.checkVisibility()).map(({ id }) => id),
        tabs: document.querySelectorAll("nav").length,
        rects: document.querySelectorAll(".timeline rect").length,
        timelines: document.querySelectorAll(".timeline").length,
      }));
      assert.deepEqual(seen, { sections: ["timeline", "efficiency", "waits", "causes", "processors"], tabs: 0, rects: 30, timelines: 1 });
      // On a telephone it is scrolled in its own box, and the page is not.
      await page.setViewport({ width: 390, height: 800 });
      const narrow = await page.evaluate(() => {
        const box = document.querySelector("#timeline .wide");
        box.scrollLeft = 10_000;
        const root = document.documentElement;
        return { reached: box.scrollLeft + box.clientWidth >= box.scrollWidth - 1 && box.scrollLeft > 0, fits: root.scrollWidth <= root.clientWidth };
      });
      assert.deepEqual(narrow, { reached: true, fits: true });
      await page.evaluate(() => (location.hash = "#tab=profile&site=7"));
      assert.equal(await page.evaluate(() => document.querySelector("#waits li.chosen").dataset.site), "0");
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("a history is that of the chosen experiment", async () => {
      const { page, errors } = await open(address("history_alone"));
      const seen = () => page.evaluate(() => ({
        sections: [...document.querySelectorAll("section")].filter((one) => one.checkVisibility()).map(({ id }) => id),
        articles: [...document.querySelectorAll("article")].filter((one) => one.checkVisibility()).map((one) => one.querySelector("h3").textContent),
        row: document.querySelector("#history tr.chosen th").textContent,
        tabs: [...document.querySelectorAll("nav button")].map((one) => one.textContent),
      }));
      assert.deepEqual(await seen(), { sections: ["history", "constants"], articles: ["solve"], row: "solve", tabs: [] });
      await page.evaluate(() => document.querySelector("#history tbody tr:nth-child(2) button").focus());
      await page.keyboard.press("Enter");
      assert.deepEqual((await seen()).articles, ["halo"]);
      await page.reload();
      assert.deepEqual((await seen()).row, "halo");
      await page.goto(address("all", "#tab=history&history=1"));
      await page.reload();
      assert.deepEqual(await seen(), { sections: ["history", "constants"], articles: ["halo"], row: "halo", tabs: ["profile", "waits", "history"] });
      await page.evaluate(() => document.querySelector("nav button").click());
      assert.ok((await seen()).sections.includes("graph"));
      await page.evaluate(() => (location.hash = "#tab=elsewhere&history=9"));
      assert.ok((await seen()).sections.includes("graph"));
      assert.deepEqual(errors, []);
      await page.close();
    });

    test("names do no harm", async () => {
      const { page, errors } = await open(address("hostile"));
      assert.equal(await page.evaluate(() => typeof harm), "undefined");
      assert.ok(await page.evaluate(() => document.documentElement.classList.contains("live")));
      for (let node = 0; node < 9; node++) await page.evaluate((number) => (location.hash = `#node=${number}`), node);
      assert.equal(await page.evaluate(() => typeof harm), "undefined");
      assert.deepEqual(errors, []);
      await page.close();
    });

    const show = (page, theme) =>
      page.evaluate((wanted) => {
        const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
        document.documentElement.classList.toggle("other-theme", isDark !== (wanted === "dark"));
      }, theme);

    /** What axe looks at is the same in each browser, and takes long. */
    async function lookForBarriers(page) {
      if (name !== BROWSERS[0].name) return;
      await page.evaluate(axe);
      const result = await page.evaluate(() => axe.run());
      const serious = result.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map((node) => node.html)}`), []);
    }

    for (const [file, hash] of [["plain", "#node=2"], ["waits", "#tab=waits"], ["all", "#tab=history"]]) {
      test(`nothing serious keeps anybody from reading ${file}, in either theme`, async () => {
        const { page, errors } = await open(address(file, hash));
        for (const theme of ["light", "dark"]) {
          await show(page, theme);
          await lookForBarriers(page);
        }
        assert.deepEqual(errors, []);
        await page.close();
      });
    }

    test("statements are moved between constants", async () => {
      const { folder, url, ended } = await editor();
      const { page, errors } = await open(url);
      await page.waitForSelector("button.line");
      const owned = (owner) => page.evaluate((owner) => document.querySelector(`article[data-owner="${owner}"]`).textContent, owner);
      const said = async (text) => page.waitForFunction((text) => document.getElementById("said").textContent.includes(text), {}, text);
      assert.match(await owned(1), /times n at most, 2 lines: 5, 6/);
      assert.match(await page.evaluate(() => document.querySelector("#constants").textContent), /done in line 6 is so much at most/);
      // By keys alone: down to line 5, and to constant 0; its counts go along.
      await page.evaluate(() => document.querySelector("button.line").focus());
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("0");
      await said("Line 5 is behind f[0]");
      assert.match(await owned(0), /float-add/);
      assert.doesNotMatch(await owned(1), /float-add/);
      assert.equal(await page.evaluate(() => document.activeElement.dataset.line), "5");
      await page.keyboard.press("n");
      await said("Line 5 is behind none");
      await page.select("select[aria-label='constant of line 6']", "0");
      await said("Line 6 is behind f[0]");
      // Chosen ones together, by the button; then one is dragged.
      await page.click("button[data-line='4']");
      await page.click("button[data-line='5']");
      await page.click("article[data-owner='1'] button");
      await said("2 lines are behind f[1]");
      await page.evaluate(() => {
        const data = new DataTransfer();
        document.querySelector("button[data-line='6']").dispatchEvent(new DragEvent("dragstart", { dataTransfer: data, bubbles: true }));
        document.querySelector("article[data-owner='none']").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      });
      await said("Line 6 is behind none");
      await page.click("#undo");
      await said("Taken back");
      assert.equal(await page.evaluate(() => document.getElementById("script").value.split("\n").slice(1).join("|")), "upsilon f[0] = 6|upsilon f[1] = 4-5|");
      assert.equal(await page.evaluate(() => document.getElementById("directive").value), "upsilon f[0] = +4 upsilon f[1] = +2-3");
      // What the source says is text.
      const harmed = await page.evaluate(() => [typeof harm, document.querySelectorAll("img, b, script:not([src])").length, document.body.textContent.includes("\u202e")]);
      assert.deepEqual(harmed, ["undefined", 0, false]);
      for (const theme of ["light", "dark"]) {
        await show(page, theme);
        if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `editor-${name}-${theme}.png`), fullPage: true });
        await lookForBarriers(page);
      }
      await page.click("#save");
      await said("Saved as x.c.f.llac");
      await page.click("#done");
      await said("This page has ended");
      const { status, output } = await ended;
      assert.equal(status, 0, output);
      assert.match(output, /upsilon f\[1\] = 4-5/);
      assert.match(readFileSync(join(folder, "x.c.f.llac"), "utf8"), /^# The statements .*\nupsilon f\[0\] = 6\nupsilon f\[1\] = 4-5\n$/);
      // Firefox asks for a picture that the page does not have and may not show.
      assert.deepEqual(errors.filter((error) => !error.includes("favicon.ico")), []);
      await page.close();
      rmSync(folder, { recursive: true });
    });

    test("it is readable where scripts are forbidden, and asks nobody for anything", async () => {
      const asked = [];
      const server = createServer((request, response) => {
        asked.push(request.url);
        const file = join(folder, request.url.slice(1));
        if (!existsSync(file)) return response.writeHead(404).end();
        const type = file.endsWith(".css") ? "text/css" : "text/html; charset=utf-8";
        const policy = "sandbox; default-src 'none'; style-src 'self'; img-src 'self'";
        response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(readFileSync(file));
      });
      await new Promise((done) => server.listen(0, "127.0.0.1", done));
      const page = await browser.newPage();
      await page.setJavaScriptEnabled(false).catch(() => undefined);
      await page.goto(`http://127.0.0.1:${server.address().port}/beside.html`);
      const seen = await page.screenshot({ fullPage: true });
      assert.ok(seen.length > 20_000, `${seen.length} bytes`);
      assert.deepEqual(asked.filter((url) => url !== "/favicon.ico"), ["/beside.html", "/page.css"]);
      // The timeline and the legend of the text, in their colours.
      await page.goto(pathToFileURL(join(folder, "waits_alone.html")).href);
      const timeline = await page.$(".timeline");
      assert.ok((await timeline.screenshot()).length > 2_000);
      await page.close();
      server.close();
    });
  });
}
