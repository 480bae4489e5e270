// Bundles the extension with what it needs into dist/extension.js, and the licences of that into dist/LICENSES.txt;
// `build.mjs --size FILE` fails where FILE is larger than it may be.
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';

if (process.argv[2] === '--size') {
  const most = 200 * 1024;
  const size = fs.statSync(process.argv[3]).size;
  console.log(`${process.argv[3]}: ${size} bytes`);
  process.exit(size <= most ? 0 : 1);
}

const result = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  external: ['vscode'],
  legalComments: 'none',
  metafile: true,
});

const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
let text = 'What dist/extension.js holds of others.\n';
for (const folder of [...packages].sort()) {
  const about = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const licence = fs.readdirSync(folder).find((n) => /^licen[cs]e/i.test(n));
  if (!licence) throw new Error(`${folder} has no licence`);
  text += `\n${'-'.repeat(80)}\n${about.name} ${about.version} (${about.license})\n\n`;
  text += fs.readFileSync(path.join(folder, licence), 'utf8');
}
fs.writeFileSync('dist/LICENSES.txt', text);
if (fs.existsSync('../../LICENSE')) fs.copyFileSync('../../LICENSE', 'LICENSE');
