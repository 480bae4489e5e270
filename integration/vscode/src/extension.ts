// condlint in VS Code: starts the language server and shows what it says.
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import { ModelEditor, pageOf } from './model';
import { Page, isShown, registerPages, showHtml, showPage } from './pages';
import { findProgram } from './program';

const languages = ['c', 'cpp', 'cuda-cpp'];

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;
let output: vscode.OutputChannel;

function setting<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration('condlint').get<T>(name) ?? otherwise;
}

function options(): object {
  return { lens: setting('lens', true), hints: setting('hints', false), unknown: setting('unknown', false) };
}

function say(text: string, tooltip: string): void {
  status.text = text;
  status.tooltip = tooltip;
  status.show();
}

/** The setting that names the program: it is of the machine on which that runs. */
async function openSetting(): Promise<void> {
  const where = vscode.env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings';
  await vscode.commands.executeCommand(where, { query: '@id:condlint.path' });
}

async function complainOfNone(): Promise<void> {
  say('$(warning) condlint', 'There is no program condlint');
  const choice = await vscode.window.showWarningMessage(
    'There is no program condlint: install it with "pip install condlint", or name it in the setting condlint.path.',
    'Open the setting',
    'First steps',
  );
  if (choice === 'Open the setting') await openSetting();
  else if (choice) await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'condlint.condlint#start');
}

async function start(): Promise<void> {
  const command = findProgram();
  void vscode.commands.executeCommand('setContext', 'condlint.isThere', command !== undefined);
  if (!command) {
    void complainOfNone();
    return;
  }
  const targets = setting<string[]>('targets', []).flatMap((t) => ['--target', t]);
  client = new LanguageClient(
    'condlint',
    'condlint',
    { command, args: ['lsp', ...targets, ...setting<string[]>('arguments', [])], transport: TransportKind.stdio },
    {
      // What is found of a model is shown in the script that it was exported from, and asked about there.
      documentSelector: [...languages, 'python'].map((language) => ({ scheme: 'file', language })),
      outputChannel: output,
      initializationOptions: { ...options(), showsPages: true, status: true, lensCommand: 'condlint.bothBranches' },
      middleware: {
        executeCommand: async (name, words, next) => {
          const page = (await next(name, words)) as Page | null;
          if (page && typeof page === 'object' && (page.html || page.markdown)) await showPage(page);
          return page;
        },
      },
    },
  );
  client.onDidChangeState((change) => {
    if (change.newState === State.Stopped) say('$(circle-slash) condlint', 'The server has ended');
  });
  client.onNotification('condlint/status', (what: { state: string; files: string[] }) =>
    what.state === 'busy'
      ? say('$(sync~spin) condlint', `Analysing ${what.files.join(', ')}`)
      : say('$(check) condlint', `condlint: ${command}`),
  );
  say('$(sync~spin) condlint', `Starting ${command}`);
  try {
    await client.start();
  } catch (problem) {
    say('$(error) condlint', `${command} could not be started: ${problem}`);
  }
}

async function restart(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop().catch(() => undefined);
  await start();
}

async function goToOtherBranch(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) return;
  const found = (await client.sendRequest('textDocument/implementation', {
    textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
    position: client.code2ProtocolConverter.asPosition(editor.selection.active),
  })) as Parameters<typeof client.protocol2CodeConverter.asLocation>[0][] | null;
  const place = client.protocol2CodeConverter.asLocation(found?.[0] ?? null);
  if (!place) {
    void vscode.window.setStatusBarMessage('condlint: no conditional here', 3000);
    return;
  }
  await vscode.window.showTextDocument(place.uri, { selection: place.range });
}

async function explainRule(): Promise<void> {
  const here = vscode.window.activeTextEditor;
  const known = here ? vscode.languages.getDiagnostics(here.document.uri) : [];
  const rules = known.filter((d) => d.source === 'condlint').map((d) => (typeof d.code === 'object' ? d.code.value : d.code));
  const rule = await vscode.window.showInputBox({ prompt: 'The rule', value: rules[0]?.toString() ?? 'output-dtype' });
  if (rule) await vscode.commands.executeCommand('condlint.explain', rule);
}

interface Symbol {
  name: string;
  range: { start: { line: number }; end: { line: number } };
}

/** The path of the conditional around the cursor. */
async function conditionalAt(editor: vscode.TextEditor): Promise<string | undefined> {
  if (!client) return undefined;
  const all = (await client.sendRequest('textDocument/documentSymbol', {
    textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
  })) as Symbol[] | null;
  const line = editor.selection.active.line;
  const around = (all ?? []).filter((s) => s.range.start.line <= line && line <= s.range.end.line);
  return around.sort((a, b) => b.range.start.line - a.range.start.line)[0]?.name;
}

let drawn = '';

/** The page that the server draws of the text that is open, saved or not; undefined where it draws none. */
async function drawingOf(uri: vscode.Uri, conditional: string): Promise<string | undefined> {
  if (!client) return undefined;
  try {
    const words = [client.code2ProtocolConverter.asUri(uri), conditional];
    const what = { command: 'condlint.showBoth', arguments: words };
    const answer = (await client.sendRequest('workspace/executeCommand', what)) as { page?: string } | null;
    if (!answer?.page) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.parse(answer.page)));
  } catch {
    return undefined; // the text has changed meanwhile, or there is no cache
  }
}

/** Draws both branches of a conditional beside the editor; the contract in words where the server draws nothing. */
async function bothBranches(uri?: vscode.Uri | string, conditional?: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const file = typeof uri === 'string' ? vscode.Uri.parse(uri) : (uri ?? editor?.document.uri);
  if (!file) return;
  const name = file.path.split('/').pop() ?? '';
  if (/\.(onnx|pt2)$/.test(name)) return showHtml(name, await pageOf(file.fsPath));
  const which = conditional ?? (editor ? await conditionalAt(editor) : undefined);
  const html = which ? await drawingOf(file, which) : undefined;
  if (!which || !html) {
    await vscode.commands.executeCommand('editor.action.showHover');
    return;
  }
  drawn = which;
  showHtml(which, html);
}

let pending: NodeJS.Timeout | undefined;

/** The picture follows the cursor while it is shown. */
function follow(change: vscode.TextEditorSelectionChangeEvent): void {
  if (!isShown() || !languages.includes(change.textEditor.document.languageId)) return;
  clearTimeout(pending);
  pending = setTimeout(async () => {
    const which = await conditionalAt(change.textEditor);
    if (which && which !== drawn && isShown()) await bothBranches(change.textEditor.document.uri, which);
  }, 300);
}

async function runModel(uri?: vscode.Uri): Promise<void> {
  const open = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const file = uri ?? (open instanceof vscode.TabInputCustom ? open.uri : vscode.window.activeTextEditor?.document.uri);
  if (!client || !file) return;
  const running = client;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'condlint: running both branches', cancellable: true },
    async (_progress, token) => {
      try {
        const page = (await running.sendRequest(
          'workspace/executeCommand',
          { command: 'condlint.runBoth', arguments: [file.toString()] },
          token,
        )) as Page;
        await showPage(page);
      } catch (problem) {
        if (!token.isCancellationRequested) void vscode.window.showWarningMessage(`condlint: ${problem}`);
      }
    },
  );
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel('condlint');
  status = vscode.window.createStatusBarItem('condlint', vscode.StatusBarAlignment.Left);
  status.name = 'condlint';
  status.command = 'condlint.output';
  const opened = (uri: vscode.Uri) =>
    void client?.sendRequest('workspace/executeCommand', { command: 'condlint.analyse', arguments: [uri.toString()] });
  const closed = (uri: vscode.Uri) => void client?.sendNotification('textDocument/didClose', { textDocument: { uri: uri.toString() } });
  context.subscriptions.push(
    output,
    status,
    registerPages(),
    vscode.window.registerCustomEditorProvider('condlint.model', new ModelEditor(opened, closed)),
    vscode.commands.registerCommand('condlint.restart', restart),
    vscode.commands.registerCommand('condlint.openSetting', openSetting),
    vscode.commands.registerCommand('condlint.output', () => output.show()),
    vscode.commands.registerCommand('condlint.goToOtherBranch', goToOtherBranch),
    vscode.commands.registerCommand('condlint.explainRule', explainRule),
    vscode.commands.registerCommand('condlint.bothBranches', bothBranches),
    vscode.commands.registerCommand('condlint.runModel', runModel),
    vscode.window.onDidChangeTextEditorSelection(follow),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (['path', 'targets', 'arguments'].some((name) => change.affectsConfiguration(`condlint.${name}`))) await restart();
      else if (change.affectsConfiguration('condlint'))
        await client?.sendNotification('workspace/didChangeConfiguration', { settings: { condlint: options() } });
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
