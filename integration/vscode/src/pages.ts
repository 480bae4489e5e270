// Pages that commands yield, in a panel beside the editor.
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from 'vscode';

/** What the server answers to a command that has something to show. */
export interface Page {
  title?: string;
  markdown?: string;
  html?: string;
}

/** `markdown` as a document that VS Code renders by itself. */
class MarkdownPages implements vscode.TextDocumentContentProvider {
  private readonly pages = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path) ?? '';
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: 'condlint', path: `/${title.replace(/[^\w.-]+/g, '-')}.md` });
    this.pages.set(uri.path, text);
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
  }
}

const markdown = new MarkdownPages();

export function registerPages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider('condlint', markdown);
}

/** A page that brings its own style and drawing, and runs nothing. */
export function framed(html: string): string {
  const policy =
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:">';
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + policy) : policy + html;
}

/** The page of one conditional that begins with the picture: the panel is narrow, and what else is said stands below. */
function pictureFirst(html: string): string {
  const style =
    '<style>header,section[aria-labelledby=summary]{display:none}main{display:flex;flex-direction:column}' +
    'section[aria-labelledby=conditionals]{order:-1}</style>';
  return html.replace(/<\/head>/i, (end) => style + end);
}

let panel: vscode.WebviewPanel | undefined;

export function isShown(): boolean {
  return panel?.visible ?? false;
}

export function showHtml(title: string, html: string): void {
  if (!panel) {
    panel = vscode.window.createWebviewPanel(
      'condlint.page',
      title,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false },
    );
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.title = title;
  panel.webview.html = framed(pictureFirst(html));
}

export async function showPage(page: Page): Promise<void> {
  if (page.html) showHtml(page.title ?? 'condlint', page.html);
  else if (page.markdown) await markdown.show(page.title ?? 'condlint', page.markdown);
}
