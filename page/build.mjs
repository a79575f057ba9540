// Bundles the viewer into the crate that writes pages.
import { build } from "esbuild";

const target = "../crates/report/src/profile_page";

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
  entryPoints: { page: "src/page.css" },
  outdir: target,
  minify: true,
  target: ["chrome109", "firefox115", "safari16"],
  charset: "utf8",
});
