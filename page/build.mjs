// Bundles the viewer into the crate that writes pages, and the page that moves statements into llac, which serves it.
import { build } from "esbuild";

const target = "../crates/report/src/profile_page";
const editor = "../llac/src/page_server";

await build({
  entryPoints: { viewer: "src/main.ts", waits: "src/waits_bundle.ts" },
  outdir: target,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
});
await build({
  entryPoints: { editor: "src/editor.ts" },
  outdir: editor,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
});
await build({
  entryPoints: { editor: "src/editor.css" },
  outdir: editor,
  bundle: true,
  minify: true,
  target: ["chrome109", "firefox115", "safari16"],
  charset: "utf8",
});
await build({
  entryPoints: { page: "src/page.css" },
  outdir: target,
  minify: true,
  target: ["chrome109", "firefox115", "safari16"],
  charset: "utf8",
});
