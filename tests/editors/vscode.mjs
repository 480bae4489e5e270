// What a user of VS Code does, in a browser without a screen: opens a source, sees the finding and the line above the
// conditional, points at it, applies the repair and sees the finding gone; opens a model and sees its page.
//
//   vscode.mjs URL PLAYWRIGHT CHROMIUM PICTURES [clangd|restricted|trusted|examples]...
//
// With clangd its extension is installed as well. In a restricted workspace the program is not the
// workspace's choice; in one that is trusted it is, and no more is looked at. The examples are what a new user opens first.
import { createRequire } from 'node:module';
import path from 'node:path';

const [url, tools, chromium, pictures, ...circumstances] = process.argv.slice(2);
const isRestricted = circumstances.includes('restricted');
const { chromium: browsers } = createRequire(path.join(tools, 'package.json'))('playwright-core');
const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1100, height: 640 } });
const patience = 90000;

async function seen(what, wait) {
  try {
    await wait;
    console.log(`seen: ${what}`);
  } catch (problem) {
    await page.screenshot({ path: path.join(pictures, 'failed.png') });
    console.log(`FAILED: ${what}: ${problem}`);
    await browser.close();
    process.exit(1);
  }
}

function picture(name) {
  return page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

// In the explorer: to search for files needs a program that npm does not bring.
async function open(file) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first().dblclick({ timeout: patience });
}

/** Until `condition` yields something. */
async function until(condition) {
  for (const end = Date.now() + patience; Date.now() < end; await page.waitForTimeout(200)) {
    const found = await condition();
    if (found) return found;
  }
  throw new Error('it did not happen');
}

/** A page of the extension, in a frame of its own, that holds `text`. */
function shown(text) {
  return until(async () => {
    for (const frame of page.frames())
      if (frame !== page.mainFrame() && (await frame.evaluate((wanted) => document.body?.innerText.includes(wanted), text).catch(() => false))) return true;
    return false;
  });
}

/** What the panel of problems lists, each in one text. */
function problems() {
  return page.locator('.markers-panel .monaco-tl-row').allInnerTexts();
}

function lineWith(text) {
  return page.locator('.view-line', { hasText: text }).first();
}

/** An action at the cursor. The editor gives up asking where something else moves meanwhile. */
function action(text) {
  const row = page.locator('.action-widget .monaco-list-row', { hasText: text }).first();
  return until(async () => {
    await page.keyboard.press('Control+.');
    if (await row.waitFor({ timeout: 15000 }).then(() => true, () => false)) return row;
    await page.keyboard.press('Escape');
    return undefined;
  });
}

const lens = page.locator('.codelens-decoration', { hasText: 'then float32[N, 8]' });

/**
 * A compiler's error in the last line: clangd tells of it there, condlint of its own findings, and nobody twice. What condlint
 * could not read for it, it says of the whole source, with the error: there may be no clangd, or one with other flags.
 */
async function besideClangd() {
  await lineWith('using torch::Tensor;').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('int broken = nothing;\n');
  await page.keyboard.press('Control+Shift+M');
  let rows = [];
  await seen('the findings of both', until(async () => {
    rows = (await problems()).map((row) => row.replace(/\s+/g, ' ').trim()).filter((row) => /\[Ln/.test(row));
    return ['undeclared_var_use', 'analysed a part', 'output-alias'].every((word) => rows.some((row) => row.includes(word)));
  }));
  await picture('beside-clangd');
  const of = (word) => rows.filter((row) => row.includes(word));
  if (new Set(rows).size !== rows.length || of('[Ln 18,').length !== 1 || of('analysed a part').length !== 1 || of('output-alias').length !== 1)
    await seen('each problem once', Promise.reject(new Error(rows.join('\n'))));
  await seen('each problem once', undefined);
  await page.keyboard.press('Control+Shift+M');
  await lineWith('broken').click();
  // A word at a time.
  await seen('the error gone', until(async () => page.keyboard.press('Control+z').then(async () => !(await lineWith(/^int/).count()))));
}

/** The pictures of both branches: by the code action, and as the cursor goes on. */
async function bothBranches() {
  await lineWith('return condlint::cond(').click();
  const show = action('Show both branches');
  await seen('the action that draws', show);
  // What is behind the list takes the clicks.
  const chosen = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Show both branches' });
  for (let k = 0; k < 9 && !(await chosen.count()); ++k) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await seen('the picture', shown('relu'));
  await page.locator('.view-line', { hasText: 'torch::tanh' }).first().click();
  await seen('the picture that follows the cursor', shown('sigmoid'));
  await page.waitForTimeout(500);
  await picture('both-branches');
  await page.locator('.tab', { hasText: 'cond@' }).first().click({ button: 'middle' });
  await lineWith('torch::tanh').click();
  await page.keyboard.press('Control+Home');
}

await page.goto(url);
await seen('the workbench', page.waitForSelector('.monaco-workbench .explorer-folders-view', { timeout: patience }));
if (isRestricted)
  await seen('that it is restricted', page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).first().waitFor({ timeout: patience }));
if (circumstances.includes('examples')) {
  await open('gate.cpp');
  await seen('a lens', page.locator('.codelens-decoration', { hasText: 'proved' }).first().waitFor({ timeout: patience }));
  await page.keyboard.press('Control+Shift+M');
  const rules = ['output-dtype', 'input-mutation', 'closure-capture'];
  const count = page.locator('.markers-panel .monaco-count-badge').first();
  await seen('three findings', until(async () => (await count.count()) && (await count.innerText()).trim() === '3'));
  await picture('examples');
  const found = new Set(); // the list holds the rows that are in sight
  await seen('their rules', until(async () => {
    for (const row of await problems()) for (const rule of rules) if (row.includes(rule)) found.add(rule);
    await page.keyboard.press('ArrowDown');
    return found.size === rules.length;
  }));
  await browser.close();
  process.exit(0);
}
await open('net.cpp');
await seen('the finding', page.waitForSelector('.squiggly-error', { timeout: patience }));
await seen('the lens', lens.first().waitFor({ timeout: patience }));
await seen('the status', page.locator('.statusbar-item', { hasText: 'condlint' }).first().waitFor({ timeout: patience }));
if (circumstances.includes('trusted')) {
  await browser.close();
  process.exit(0);
}
const call = page.locator('.view-line span', { hasText: /^cond$/ }).first();
await ((await call.count()) ? call : lineWith('condlint::cond(').locator('span span').last()).hover();
const hover = page.locator('.monaco-hover', { hasText: 'conditional' });
await seen('the contract', hover.first().waitFor({ timeout: patience }));
await picture(isRestricted ? 'restricted' : 'contract');
await page.keyboard.press('Escape');
if (circumstances.includes('clangd')) await besideClangd();
if (!isRestricted) await bothBranches();
await page.locator('.squiggly-error').first().waitFor();
await lineWith('torch::Tensor;').click();
await page.keyboard.press('F8');
await page.waitForTimeout(800);
await picture('finding');
await page.keyboard.press('Escape');
await seen('the repair', action(/clone|copy/));
await picture('repair');
await page.keyboard.press('Enter');
await seen('the finding gone', page.waitForSelector('.squiggly-error', { state: 'detached', timeout: patience }));
await seen('the proof', page.locator('.codelens-decoration', { hasText: /then float32\[N, 8\] · else float32\[N, 8\]/ }).first().waitFor({ timeout: patience }));
await picture('repaired');
await open('model.onnx');
await seen('the page of the model', shown('model.onnx'));
await page.waitForTimeout(500);
await picture('model');
await browser.close();
