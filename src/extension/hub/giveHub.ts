import * as vscode from 'vscode';
import { clientSnippet, type HubClient, namesRoots } from '../../domain/hub/clientSnippets.ts';
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
  const sentences = [picked.advice, ...remarks(picked.client)];
  void vscode.window.showInformationMessage(sentences.join(' '));
}

function clientItems(): ClientItem[] {
  const { t } = vscode.l10n;
  return [
    {
      client: 'vscode',
      label: 'VS Code',
      description: '.vscode/mcp.json',
      advice: t(
        'Copied. Paste it into ".vscode/mcp.json" of a folder, or into the file of "MCP: Open User Configuration".',
      ),
    },
    {
      client: 'claude-desktop',
      label: 'Claude Desktop',
      description: 'claude_desktop_config.json',
      advice: t(
        'Copied. In Claude Desktop, "Edit Config" under Settings > Developer leads to the file to paste it into. Restart Claude Desktop then.',
      ),
    },
    {
      client: 'cursor',
      label: 'Cursor',
      description: '.cursor/mcp.json',
      advice: t(
        'Copied. Paste it into ".cursor/mcp.json" of a folder, or of your home for all folders.',
      ),
    },
    {
      client: 'claude-code',
      label: 'Claude Code',
      description: 'claude mcp add …',
      advice: t('Copied: a command to run in a terminal, once.'),
    },
    {
      client: 'other',
      label: t('Other Client'),
      description: 'JSON',
      advice: t('Copied, in the form that most clients take.'),
    },
  ];
}

/** What holds for more than one client. */
function remarks(client: HubClient): string[] {
  const { remoteName } = vscode.env;
  return [
    ...(namesRoots(client)
      ? []
      : [
          vscode.l10n.t(
            '"--root" names the folders that the hub may reach: change them as you like. A client that names roots itself needs none.',
          ),
        ]),
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
