// The editor of models: the page of `condlint show`, and the findings in a table where there is none.
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { execFile } from 'child_process';
import * as vscode from 'vscode';
import { framed } from './pages';
import { findProgram } from './program';

const longest = 64 * 1024 * 1024;

function run(program: string, words: string[]): Promise<{ out: string; error: string; code: number }> {
  return new Promise((resolve) =>
    execFile(program, words, { maxBuffer: longest }, (failure, out, error) =>
      resolve({ out, error, code: typeof failure?.code === 'number' ? failure.code : failure ? 4 : 0 }),
    ),
  );
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);
}

/** Where the program draws nothing: what it finds, in its own words. */
function plain(title: string, text: string): string {
  return `<!DOCTYPE html><html><head><style>body{padding:1em}pre{font-family:var(--vscode-editor-font-family);
white-space:pre-wrap}</style></head><body><h2>${escape(title)}</h2><pre>${escape(text)}</pre></body></html>`;
}

/** The page of a model, by the program. */
export async function pageOf(file: string): Promise<string> {
  const program = findProgram();
  if (!program) return plain(file, 'There is no program condlint: pip install condlint, or the setting condlint.path.');
  const drawn = await run(program, ['show', '--save', '-', file]);
  if (drawn.code === 0 && drawn.out.includes('<html')) return drawn.out;
  const found = await run(program, ['check', '--color', 'never', file]);
  return plain(file, found.out || found.error);
}

class ModelDocument implements vscode.CustomDocument {
  constructor(
    readonly uri: vscode.Uri,
    readonly dispose: () => void,
  ) {}
}

export class ModelEditor implements vscode.CustomReadonlyEditorProvider<ModelDocument> {
  /** `opened` is told of each model that is shown, `closed` of each that is no more. */
  constructor(
    private readonly opened: (uri: vscode.Uri) => void,
    private readonly closed: (uri: vscode.Uri) => void,
  ) {}

  openCustomDocument(uri: vscode.Uri): ModelDocument {
    return new ModelDocument(uri, () => this.closed(uri));
  }

  async resolveCustomEditor(document: ModelDocument, panel: vscode.WebviewPanel): Promise<void> {
    this.opened(document.uri);
    const show = async () => {
      panel.webview.html = framed(await pageOf(document.uri.fsPath));
    };
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, '..'), document.uri.path.split('/').pop()!);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidChange(show);
    panel.onDidDispose(() => watcher.dispose());
    await show();
  }
}
