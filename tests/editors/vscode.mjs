// What a user of VS Code does, in a browser without a screen: opens a source, sees the finding and the line above the
// conditional, points at it, applies the repair and sees the finding gone; opens a model and sees its page.
//
//   vscode.mjs URL PLAYWRIGHT CHROMIUM PICTURES [clangd|restricted|trusted|examples|network|script|without]...
//
// With clangd its extension is installed as well. In a restricted workspace the program is not the
// workspace's choice; in one that is trusted it is, and no more is looked at. The examples are what a new user opens first. A network shows
// which of its layers run when; a script, what is found of the model that was exported from it; without the program, the first steps.
import { createRequire } from 'node:module';
import fs from 'node:fs';
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

/** Ends it: all was seen. */
async function end() {
  await browser.close();
  process.exit(0);
}

/** Points at `word` in the line with `text` until a hover holds `wanted`. */
async function contractAt(text, word, wanted) {
  await seen(`${wanted}, at ${word}`, until(async () => {
    await page.mouse.move(5, 5);
    const box = await lineWith(text).locator('span span', { hasText: word }).first().boundingBox();
    if (!box) return false;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    return page.locator('.monaco-hover', { hasText: wanted }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
  }));
}

/** Layers of a network: when each runs, and all of them in the contract. */
async function network() {
  await open('builder.cpp');
  await seen('a lens', page.locator('.codelens-decoration', { hasText: 'then float32[4, 8]' }).first().waitFor({ timeout: patience }));
  await contractAt('kSIGMOID', 'addActivation', /is lazy for the conditional at line 7/);
  await contractAt('kTANH', 'addActivation', /is eager for the conditional at line 7/);
  await contractAt('kRELU', 'addActivation', /is shared for the conditional at line 7/);
  await picture('shared');
  await contractAt('addIfConditional', 'addIfConditional', /lazy: .*eager: .*shared: /s);
  await page.waitForTimeout(500);
  await picture('network');
  await end();
}

/** What is found of a model that is open, in the script that it was exported from. */
async function script() {
  await open('net.py'); // the workbench learns of editors a moment after it is there
  await seen('the script', lineWith('import torch').waitFor({ timeout: patience }));
  await page.waitForTimeout(5000);
  await open('m.pt2');
  await seen('the page of the model', shown('m.pt2'));
  await open('net.py');
  await page.keyboard.press('Control+Shift+M');
  const row = page.locator('.markers-panel .monaco-tl-row', { hasText: 'output-alias' }).first();
  await seen('the finding in the script', row.waitFor({ timeout: patience }));
  await row.dblclick();
  await seen('the finding at its line', page.locator('.squiggly-error').first().waitFor({ timeout: patience }));
  await seen('the page of its rule', action('Explain output-alias'));
  await picture('script');
  await page.keyboard.press('Escape');
  await seen('the line above it', page.locator('.codelens-decoration', { hasText: 'then ' }).first().waitFor({ timeout: patience }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('import torch');
  await page.keyboard.press('Control+s');
  await seen('nothing in the script that was made shorter', page.locator('.squiggly-error').first().waitFor({ state: 'detached', timeout: patience }));
  await seen('the finding at the model', page.locator('.markers-panel .monaco-tl-row', { hasText: 'm.pt2' }).first().waitFor({ timeout: patience }));
  await page.locator('.tab', { hasText: 'm.pt2' }).first().click({ button: 'middle' });
  await seen('nothing of a model that was closed', page.locator('.markers-panel .monaco-tl-row', { hasText: 'm.pt2' }).first().waitFor({ state: 'detached', timeout: patience }));
  await end();
}

/** What one who has not installed the program is told, and the first steps, one after the other. */
async function without() {
  await open('net.cpp');
  const told = page.locator('.notifications-toasts .notification-list-item', { hasText: 'There is no program condlint' }).first();
  await seen('that there is no program', told.waitFor({ timeout: patience }));
  await picture('without');
  await told.locator('.monaco-button', { hasText: 'First steps' }).click();
  const step = (text) => page.locator('.getting-started-step', { hasText: text }).first();
  await seen('the first step', step('Install the program').waitFor({ timeout: patience }));
  await seen('what to type', page.frameLocator('.getting-started-media iframe, iframe.webview.ready').frameLocator('iframe').locator('body', { hasText: 'pip install condlint' }).waitFor({ timeout: 15000 }).catch(() => shown('pip install condlint')));
  await picture('first-steps');
  await step('Let it know how sources are compiled').click();
  await seen('how sources are compiled', shown('CMAKE_EXPORT_COMPILE_COMMANDS'));
  await page.waitForTimeout(500);
  await picture('first-steps-commands');
  await step('Read the line above').click();
  await seen('the line above a conditional', shown('then float32[N, 8]'));
  await page.waitForTimeout(500);
  await picture('first-steps-lens');
  await step('Install the program').click();
  await page.locator('.getting-started-step a, .getting-started-step .monaco-button', { hasText: 'Open the setting' }).first().click();
  await seen('the setting', page.locator('.settings-editor', { hasText: /Condlint:\s*Path/ }).first().waitFor({ timeout: patience }));
  await picture('first-steps-setting');
  // As it will have been installed.
  fs.symlinkSync(process.env.CONDLINT, process.env.CONDLINT_PLACE);
  await page.locator('.tab', { hasText: 'Walkthrough' }).first().click();
  await page.locator('.getting-started-step a, .getting-started-step .monaco-button', { hasText: 'Look for it again' }).first().click();
  await seen('that it is there', page.locator('.getting-started-step.expanded .codicon-getting-started-step-checked').first().waitFor({ timeout: patience }));
  await picture('first-steps-there');
  await page.locator('.tab', { hasText: 'net.cpp' }).first().click();
  await seen('the lens', lens.first().waitFor({ timeout: patience }));
  await end();
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
  await end();
}
if (circumstances.includes('network')) await network();
if (circumstances.includes('script')) await script();
if (circumstances.includes('without')) await without();
await open('net.cpp');
await seen('the finding', page.waitForSelector('.squiggly-error', { timeout: patience }));
await seen('the lens', lens.first().waitFor({ timeout: patience }));
await seen('the status', page.locator('.statusbar-item', { hasText: 'condlint' }).first().waitFor({ timeout: patience }));
if (circumstances.includes('trusted')) await end();
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
