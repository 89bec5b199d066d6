import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
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
    const labels = servers.all
      .filter(({ definition }) => ids.includes(definition.id))
      .map(({ definition }) => `"${definition.label}"`);
    if (await isConfirmed(labels.join(', '))) {
      await grants.revoke(ids);
    }
  });
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
