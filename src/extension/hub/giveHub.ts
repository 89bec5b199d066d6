import * as vscode from 'vscode';
import {
  clientSnippet,
  type HubClient,
  hubName,
  snippetDocument,
  tellsRoots,
} from '../../domain/hubConfig/clientSnippets.ts';
import type { HubFiles } from './hubFiles.ts';

interface ClientItem extends vscode.QuickPickItem {
  readonly client: HubClient;
  /** What to do with the text on the clipboard. */
  readonly advice: string;
}

/** Asks for a client, and puts on the clipboard what makes it start the hub. */
export async function giveHub(files: HubFiles): Promise<void> {
  const placeHolder = vscode.l10n.t('Give the hub to which client?');
  const picked = await vscode.window.showQuickPick(clientItems(), { placeHolder });
  if (!picked) {
    return;
  }
  const { launcher, config } = files;
  const { platform } = process;
  const text = clientSnippet(picked.client, { launcher, config, roots: openFolders(), platform });
  await vscode.env.clipboard.writeText(text);
  const show = vscode.l10n.t('Show');
  const sentences = [copied(picked.client), picked.advice];
  if ((await vscode.window.showInformationMessage(sentences.join(' '), show)) === show) {
    await showSnippet(picked, text);
  }
}

/** The advice to check comes first: a message may be cut. */
function copied(client: HubClient): string {
  return tellsRoots(client)
    ? vscode.l10n.t('Copied.')
    : vscode.l10n.t('Copied. "--root" names the folders that the hub may reach: check them.');
}

/** As a document that is nowhere on the disk, where all advice can be read. */
async function showSnippet({ client, advice }: ClientItem, text: string): Promise<void> {
  const all = [...remarks(client), advice];
  const document = await vscode.workspace.openTextDocument(snippetDocument(client, text, all));
  await vscode.window.showTextDocument(document);
}

function clientItems(): ClientItem[] {
  const { t } = vscode.l10n;
  return [
    {
      client: 'vscode',
      label: 'VS Code',
      description: '.vscode/mcp.json',
      advice: t(
        'Paste it into ".vscode/mcp.json" of a folder, or into the file of "MCP: Open User Configuration".',
      ),
    },
    {
      client: 'claude-desktop',
      label: 'Claude Desktop',
      description: 'claude_desktop_config.json',
      advice: t(
        'In Claude Desktop, "Edit Config" under Settings > Developer leads to the file to paste it into. Restart Claude Desktop then.',
      ),
    },
    {
      client: 'cursor',
      label: 'Cursor',
      description: '.cursor/mcp.json',
      advice: t('Paste it into ".cursor/mcp.json" of a folder, or of your home for all folders.'),
    },
    {
      client: 'claude-code',
      label: 'Claude Code',
      description: 'claude mcp add …',
      advice: t('It is a command to run in a terminal, once.'),
    },
    {
      client: 'other',
      label: t('Other Client'),
      description: 'JSON',
      advice: t('It has the form that most clients take.'),
    },
  ];
}

/** Advice for more than one client. */
function remarks(client: HubClient): string[] {
  const { remoteName } = vscode.env;
  return [
    ...(tellsRoots(client)
      ? []
      : [
          vscode.l10n.t(
            '"--root" names the folders that the hub may reach: change them as you like. A client that names roots itself needs none.',
          ),
        ]),
    ...(client === 'claude-code'
      ? []
      : [vscode.l10n.t('Where the file has servers already, add only the entry "{0}".', hubName)]),
    vscode.l10n.t('It needs Node 20 or later.'),
    ...(remoteName === undefined
      ? []
      : [
          vscode.l10n.t('Its paths are those of the machine behind this window ({0}).', remoteName),
        ]),
  ];
}

function openFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
