import { hostname } from 'node:os';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { GrantStore } from '../consent/grantStore.ts';
import { ServerChoices } from '../consent/serverChoices.ts';
import { OfferedFolders } from '../folders/offeredFolders.ts';
import { ClientAnswers } from '../gateway/clientAnswers.ts';
import { LastCalls } from '../pages/lastCalls.ts';
import { ServerSecrets } from '../secrets/serverSecrets.ts';
import * as vscode from '../vscode.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
export interface ServerMemory {
  readonly grants: GrantStore;
  readonly clientAnswers: ClientAnswers;
  /** Whether a server is offered to the editor's agents. */
  readonly offers: ServerChoices;
  readonly offered: OfferedFolders;
  readonly lastCalls: LastCalls;
  readonly secrets: ServerSecrets;
}

/** The memory of this window, in the state and the secret storage that the editor keeps for us. */
export function serverMemory(
  { workspaceState, globalState, secrets }: vscode.ExtensionContext,
  store: DisposableStore,
  logger: Logger,
): ServerMemory {
  // One global state serves all hosts, and `file:///workspace` is another folder on each.
  const { remoteName } = vscode.env;
  const host = remoteName ? `${remoteName}:${hostname()}` : '';
  const state = { workspace: workspaceState, global: globalState, host };
  return {
    grants: store.add(new GrantStore(state, logger)),
    clientAnswers: store.add(new ClientAnswers(workspaceState)),
    offers: store.add(new ServerChoices(workspaceState, 'offers')),
    offered: store.add(new OfferedFolders(workspaceState)),
    lastCalls: new LastCalls(workspaceState),
    secrets: new ServerSecrets(secrets, workspaceState),
  };
}
