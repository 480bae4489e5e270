// What a user of VS Code does, in a browser without a screen: opens a source, sees the finding and the line above the
// conditional, points at it, applies the repair and sees the finding gone; opens a model and sees its page.
//
//   vscode.mjs URL PLAYWRIGHT CHROMIUM PICTURES
import { createRequire } from 'node:module';
import path from 'node:path';

const [url, tools, chromium, pictures] = process.argv.slice(2);
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

// In the explorer: to search for files needs a program that npm does not bring.
async function open(file) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first().dblclick({ timeout: patience });
}

await page.goto(url);
await seen('the workbench', page.waitForSelector('.monaco-workbench .explorer-folders-view', { timeout: patience }));
await open('net.cpp');
await seen('the finding', page.waitForSelector('.squiggly-error', { timeout: patience }));
const lens = page.locator('.codelens-decoration', { hasText: 'then float32[N, 8]' });
await seen('the lens', lens.first().waitFor({ timeout: patience }));
await seen('the status', page.locator('.statusbar-item', { hasText: 'condlint' }).first().waitFor({ timeout: patience }));
const call = page.locator('.view-line span', { hasText: /^cond$/ }).first();
await ((await call.count()) ? call : page.locator('.view-line', { hasText: 'condlint::cond(' }).locator('span span').last()).hover();
const hover = page.locator('.monaco-hover', { hasText: 'conditional' });
await seen('the contract', hover.first().waitFor({ timeout: patience }));
await page.screenshot({ path: path.join(pictures, 'contract.png') });
await page.keyboard.press('Escape');
await page.locator('.squiggly-error').first().waitFor();
await page.keyboard.press('F8');
await page.waitForTimeout(800);
await page.screenshot({ path: path.join(pictures, 'finding.png') });
await page.keyboard.press('Escape');
await page.keyboard.press('Control+.');
const fix = page.locator('.action-widget .monaco-list-row', { hasText: /clone|copy/ });
await seen('the repair', fix.first().waitFor({ timeout: patience }));
await page.screenshot({ path: path.join(pictures, 'repair.png') });
await page.keyboard.press('Enter');
await seen('the finding gone', page.waitForSelector('.squiggly-error', { state: 'detached', timeout: patience }));
await seen('the proof', page.locator('.codelens-decoration', { hasText: /then float32\[N, 8\] · else float32\[N, 8\]/ }).first().waitFor({ timeout: patience }));
await page.screenshot({ path: path.join(pictures, 'repaired.png') });
await open('model.onnx');
const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
await seen('the page of the model', frame.locator('body', { hasText: 'model.onnx' }).first().waitFor({ timeout: patience }));
await page.waitForTimeout(500);
await page.screenshot({ path: path.join(pictures, 'model.png') });
await browser.close();
