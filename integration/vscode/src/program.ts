// Finds the program `condlint`.
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from 'fs';
import * as path from 'path';
import * as vscode from 'vscode';

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The folder of the Python interpreter that is selected, as far as a setting or the environment tells. */
function pythonFolders(): string[] {
  const folders: string[] = [];
  if (vscode.workspace.isTrusted) {
    const chosen = vscode.workspace.getConfiguration('python').get<string>('defaultInterpreterPath');
    if (chosen && path.isAbsolute(chosen)) folders.push(path.dirname(chosen));
    for (const folder of vscode.workspace.workspaceFolders ?? [])
      for (const name of ['.venv', 'venv']) folders.push(path.join(folder.uri.fsPath, name, 'bin'));
  }
  for (const name of ['VIRTUAL_ENV', 'CONDA_PREFIX']) {
    const prefix = process.env[name];
    if (prefix) folders.push(path.join(prefix, 'bin'));
  }
  return folders;
}

/** The program that the setting names, or else the first that is there; undefined: there is none. */
export function findProgram(): string | undefined {
  const named = vscode.workspace.getConfiguration('condlint').get<string>('path') ?? '';
  if (named) {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = named.replace('${workspaceFolder}', root).replace(/^~(?=\/)/, process.env.HOME ?? '~');
    return isProgram(file) ? file : undefined;
  }
  const folders = [...pythonFolders(), ...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean)];
  const home = process.env.HOME;
  if (home) folders.push(path.join(home, '.local', 'bin'));
  return folders.map((folder) => path.join(folder, 'condlint')).find(isProgram);
}
