import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { LensWindow } from '../../../src/extension/definitionFiles/serverLenses.ts';
import { eventually } from '../../ui/support/eventually.ts';

/** A window with these servers, without questions and clients. */
export function windowWith(withId: LensWindow['servers']['withId']): LensWindow {
  const launchers = {
    hub: { path: '/x/hub/mcp-roots.cjs' },
    connector: { path: '/x/hub/connect.cjs' },
  };
  const servers = { withId, all: [], leftOut: [] };
  return { servers, questions: { of: () => [] }, clients: { of: () => [] }, launchers };
}

/** Writes a file and opens it in an editor. */
export async function openFile(path: string, content: unknown): Promise<vscode.TextDocument> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return shown(vscode.Uri.file(path));
}

/** Opens a file that is there in an editor. */
export async function shown(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The lines of MCP Roots in a document, without the editor's lines. */
async function lensesIn(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    1000,
  );
  return lenses.filter(({ command }) => command && !/^(?:mcp|workbench)\./.test(command.command));
}

/** The lenses above the servers of a document, by server. */
export async function linesIn(
  document: vscode.TextDocument,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const lines: Record<string, string[]> = {};
  for (const { range, command } of await lensesIn(document)) {
    const name = JSON.parse(document.getText(range));
    lines[name] = [...(lines[name] ?? []), command?.title ?? ''];
  }
  return lines;
}

/** Settles when the lines above the servers of a document are these. */
export async function showsLines(
  document: vscode.TextDocument,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await eventually(async () => assert.deepEqual(await linesIn(document), expected));
}

/** Clicks the lens above a server. */
export async function click(
  document: vscode.TextDocument,
  server: string,
  title: string,
): Promise<void> {
  const found = await eventually(async () => {
    const lenses = await lensesIn(document);
    const lens = lenses.find(
      ({ range, command }) =>
        command?.title === title && JSON.parse(document.getText(range)) === server,
    );
    assert.ok(lens?.command, `${title} above ${server}`);
    return lens.command;
  });
  await vscode.commands.executeCommand(found.command, ...(found.arguments ?? []));
}

/** The marks in a document, each with the first line of the marked text. */
function marksIn(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .map(({ range, severity }) => {
      const kind = vscode.DiagnosticSeverity[severity].toLowerCase();
      const [first] = document.getText(range).split('\n');
      return `${kind} ${first}`;
    })
    .sort();
}

/** Settles when these are all the marks in a document. */
export async function showsMarks(
  document: vscode.TextDocument,
  ...expected: readonly string[]
): Promise<void> {
  await eventually(() => assert.deepEqual(marksIn(document), [...expected].sort()));
}
