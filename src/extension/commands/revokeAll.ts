import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import type { CommandContext } from './commandContext.ts';

/** `revokeAll`: withdraws everything that was allowed, for one server's row or for all servers. */
export function registerRevokeAll({ logger, servers, grants }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.revokeAll, async row => {
    const allowed = new Set(
      grants.all.filter(({ decision }) => decision === 'allowed').map(({ serverId }) => serverId),
    );
    const ids = row ? [row.server.definition.id].filter(id => allowed.has(id)) : [...allowed];
    if (ids.length === 0) {
      throw new HumanError('Nothing is allowed, so there is nothing to revoke.');
    }
    const labels = ids.map(id => `"${labelOf(id, servers)}"`);
    if (await isConfirmed(labels.join(', '))) {
      await grants.revoke(ids);
    }
  });
}

/** A server that is not defined any more is known by the name that is in its id. */
function labelOf(id: string, { all }: Servers): string {
  const server = all.find(({ definition }) => definition.id === id);
  return server?.definition.label ?? printable(id.replace(/^\w+:/, ''));
}

async function isConfirmed(labels: string): Promise<boolean> {
  const revoke = vscode.l10n.t('Revoke');
  const question = vscode.l10n.t('Revoke every folder from {0}?', labels);
  const detail = vscode.l10n.t(
    'This holds in all workspaces. Running servers lose their folders and are stopped. You are asked again before a server sees a folder.',
  );
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, revoke)) === revoke;
}
