// Shows a SARIF report in Microsoft's web component, in headless Chromium, and asks whether each rule and file is told.
//
// Usage: node viewer.mjs MODULES CHROMIUM REPORT.sarif [--picture FILE]
//
// MODULES is a node_modules with playwright-core, esbuild, react and @microsoft/sarif-web-component. Exits with 1 where
// something is wrong: an error on the page, a rule with results that the component does not show.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const [modules, program, report, ...rest] = process.argv.slice(2);
const picture = rest[0] === "--picture" ? rest[1] : null;
const require = createRequire(join(resolve(modules), "x.js"));
const { chromium } = require("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "viewer-"));
const log = readFileSync(report, "utf8");
writeFileSync(join(folder, "entry.jsx"), `
  import * as React from "react";
  import * as ReactDOM from "react-dom";
  import { Viewer } from "@microsoft/sarif-web-component";
  ReactDOM.render(<Viewer logs={[window.log]} filterState={{}} showActions={false} />, document.getElementById("root"));
`);
await require("esbuild").build({
  entryPoints: [join(folder, "entry.jsx")], bundle: true, outfile: join(folder, "bundle.js"), nodePaths: [resolve(modules)], logLevel: "error",
  define: { "process.env.NODE_ENV": '"production"', global: "window" },
  loader: { ".woff": "dataurl", ".woff2": "dataurl", ".ttf": "dataurl", ".svg": "dataurl", ".png": "dataurl" },
});
writeFileSync(join(folder, "page.html"),
  `<!DOCTYPE html><meta charset="utf-8"><body style="height: 100vh"><div id="root" style="height: 100%"></div>
<script>window.log = JSON.parse(${JSON.stringify(log).replaceAll("<", "\\u003c")})</script><script src="bundle.js"></script>`);
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"] });
const tab = await (await browser.newContext({ viewport: { width: 1400, height: 2400 } })).newPage();
const problems = [];
tab.on("pageerror", (e) => problems.push(String(e)));
await tab.goto("file://" + join(folder, "page.html"));
await tab.waitForTimeout(4000);
const shown = await tab.evaluate(() => document.body.innerText);
const results = JSON.parse(log).runs.flatMap((run) => run.results ?? []).filter((r) => !r.suppressions?.length);
for (const rule of new Set(results.map((r) => r.ruleId)))
  if (!shown.includes(rule)) problems.push(`nothing is shown of ${rule}`);
if (picture) await tab.screenshot({ path: picture });
await browser.close();
rmSync(folder, { recursive: true });
console.log(problems.length ? problems.slice(0, 5).join("; ") : `${results.length} results, ${new Set(results.map((r) => r.ruleId)).size} rules shown`);
process.exit(problems.length ? 1 : 0);
