// Opens pages in headless Chromium, light and dark, with and without script, and asks axe-core about them.
//
// Usage: node page.mjs MODULES CHROMIUM PAGE... [--pictures FOLDER]
//
// MODULES is a node_modules with playwright-core and axe-core. Exits with 1 where something is wrong: what axe-core
// objects to, an error on the console, words outside of their box or over others, a filter that filters nothing, something
// to use that the keyboard does not reach.
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { readFileSync } from "node:fs";

const [modules, program, ...rest] = process.argv.slice(2);
const at = rest.indexOf("--pictures");
const folder = at < 0 ? null : rest.splice(at, 2)[1];
const require = createRequire(join(resolve(modules), "x.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// Words of pictures: each inside of a box, none over another.
function badWords() {
  const problems = [];
  for (const svg of document.querySelectorAll("svg.graph")) {
    if (!svg.checkVisibility()) continue;
    const boxes = [...svg.querySelectorAll("rect")].map((r) => r.getBBox());
    const words = [...svg.querySelectorAll("text")].map((t) => [t.getBBox(), t.textContent]);
    if (words.length > 3000) continue;
    for (const [w, text] of words)
      if (!boxes.some((b) => w.x >= b.x - 1 && w.x + w.width <= b.x + b.width + 1 && w.y >= b.y - 3 && w.y + w.height <= b.y + b.height + 3))
        problems.push(`'${text}' is not inside of its box`);
    for (let i = 0; i < boxes.length; i++)
      for (let k = 0; k < i; k++)
        if (boxes[i].x < boxes[k].x + boxes[k].width && boxes[k].x < boxes[i].x + boxes[i].width &&
            boxes[i].y < boxes[k].y + boxes[k].height && boxes[k].y < boxes[i].y + boxes[i].height)
          problems.push(`boxes ${k} and ${i} overlap`);
  }
  return problems.slice(0, 5);
}

// By keyboard alone: Tab comes to whatever can be used, in the order of the page, and one sees where it is; Enter opens.
const STOPS = 80; // Of thousands of rows alike the first show it.
async function keyboardProblems(tab) {
  const problems = [];
  const usable = await tab.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], summary, button, input, select, textarea, [tabindex='0']")].filter((e) => e.checkVisibility());
    all.forEach((e, i) => (e.dataset.stop = i));
    return all.length;
  });
  const focused = () => tab.evaluate(() => {
    const e = document.activeElement, style = getComputedStyle(e);
    return { stop: e.dataset.stop, html: e.outerHTML.slice(0, 80), isSeen: style.outlineStyle !== "none" || style.boxShadow !== "none" };
  });
  let reached = 0;
  // What scrolls takes a Tab of its own in Chromium.
  for (let press = 0; press < 3 * STOPS && reached < Math.min(usable, STOPS); press++) {
    await tab.keyboard.press("Tab");
    const at = await focused();
    if (at.stop === undefined) continue;
    if (Number(at.stop) !== reached) return [`Tab comes to ${at.html}, which is not the next that can be used`];
    if (!at.isSeen) problems.push(`one does not see that the keyboard is at ${at.html}`);
    reached++;
  }
  if (reached < Math.min(usable, STOPS)) problems.push(`Tab comes to ${reached} of ${usable} that can be used`);
  const closed = tab.locator("details:not([open]) > summary").first();
  if (await closed.count()) {
    const details = await closed.evaluateHandle((e) => (e.focus(), e.parentElement));
    await tab.keyboard.press("Enter");
    if (!(await details.evaluate((e) => e.open))) problems.push("Enter does not open what is closed");
  }
  return problems;
}

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu"] });
let failed = 0;
const say = (what, problems) => {
  failed += problems.length ? 1 : 0;
  console.log(`${problems.length ? "FAILED" : "ok"}: ${what}${problems.length ? ": " + problems.join("; ") : ""}`);
};
for (const page of rest) {
  const url = "file://" + resolve(page);
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1400, height: 1000 }, bypassCSP: true });
    const tab = await context.newPage();
    const problems = [], requests = [];
    tab.on("console", (m) => m.type() === "error" && problems.push(m.text()));
    tab.on("pageerror", (e) => problems.push(String(e)));
    tab.on("request", (r) => r.url() !== url && requests.push(r.url()));
    const begin = Date.now();
    await tab.goto(url);
    const took = Date.now() - begin;
    await tab.evaluate(() => document.querySelectorAll("details:not(.whole)").forEach((d) => (d.open = true)));
    problems.push(...(await tab.evaluate(badWords)));
    // Of thousands of rows alike it would take minutes.
    const isAsked = (await tab.locator("#table tbody tr").count()) <= 1000;
    if (isAsked) {
      await tab.evaluate(axe);
      const found = await tab.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
      for (const v of found.violations) problems.push(`${v.id} (${v.nodes.length}): ${v.nodes[0].html.slice(0, 120)}`);
    }
    problems.push(...requests.map((r) => "it loads " + r));
    if (folder) {
      await tab.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = false)));
      await tab.screenshot({ path: join(folder, `${basename(page)}.${colorScheme}.png`), fullPage: true, clip: undefined }).catch(() => tab.screenshot({ path: join(folder, `${basename(page)}.${colorScheme}.png`) }));
    }
    say(`${basename(page)}, ${colorScheme}, opened in ${took} ms${isAsked ? "" : ", axe-core was not asked"}`, problems);
    await context.close();
  }
  // With its own policy in force: the script runs, and filters.
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(url);
  const problems = await keyboardProblems(tab);
  if (await tab.locator("#table").count()) {
    if (!(await tab.locator("#filters").isVisible())) problems.push("the filters are not there");
    await tab.locator("#filters input").fill("no such place anywhere");
    if ((await tab.locator("#table tbody tr:visible").count()) !== 0) problems.push("a filter filters nothing");
  }
  await context.close();
  // Without any script all is there but the filters.
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(url);
  if (await still.locator("#filters").isVisible()) problems.push("filters without a script");
  if (!(await still.locator("h1").isVisible())) problems.push("nothing is shown without a script");
  await plain.close();
  say(`${basename(page)}, by keyboard, its script, and without any`, problems);
}
await browser.close();
process.exit(failed ? 1 : 0);
