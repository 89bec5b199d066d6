import { draftOfExisting } from '../../../domain/adding/serverDraft.ts';
import { isSameJson, type JsonObject } from '../../../domain/json.ts';
import { HumanError } from '../../../domain/sentence.ts';
import { userServerName } from '../../../domain/servers/serverDefinition.ts';
import { showInSettings } from '../../definitionFiles/showSettingsProblems.ts';
import { Setting } from '../../ids.ts';
import type { Screen } from '../../screen.ts';
import type { Server } from '../../servers/server.ts';
import type { SandboxSource } from '../../servers/serverTarget.ts';
import { t } from '../../text.ts';
import { surroundings } from './askForServer.ts';
import { reviewServer } from './reviewServer.ts';
import {
  addInputs,
  changeServer,
  entryIn,
  keepAll,
  type ServerKeeping,
  type SettingsTarget,
} from './writeServers.ts';

/** A server as it stands in the settings. */
export interface WrittenDefinition {
  readonly name: string;
  readonly target: SettingsTarget;
  readonly entry: JsonObject;
}

/**
 * The definition of a server as it is written.
 *
 * @throws {HumanError} when it does not stand in the settings.
 */
export function writtenDefinition({ definition }: Pick<Server, 'definition'>): WrittenDefinition {
  const { id, from: target, label } = definition;
  const name = userServerName(id);
  const entry = target && name !== undefined ? entryIn(target, name) : undefined;
  if (!target || name === undefined || !entry) {
    throw new HumanError('"{0}" is not in the settings.', label);
  }
  return { name, target, entry };
}

/**
 * Shows what the definition of a server says, has parts of it changed, and writes those; or opens it in
 * the settings.
 *
 * @returns its name, if it is started in another way from now on.
 * @throws {HumanError} when it does not stand in the settings, was changed there since it was shown, or
 * they can't be written.
 */
export async function editServer(
  server: Server,
  keeping: ServerKeeping,
  sandbox: SandboxSource,
  screen: Screen,
): Promise<string | undefined> {
  const { name, target, entry } = writtenDefinition(server);
  const terms = {
    ...surroundings(),
    before: entry,
    noSandbox: await (await sandbox()).problem(),
    targets: [],
  };
  const title = t('Edit Server "{0}"', server.definition.label);
  const draft = draftOfExisting(name, entry);
  const reviewed = await reviewServer({ draft, target }, terms, { title, hasBack: false });
  if (reviewed.kind !== 'given') {
    return undefined;
  }
  if (reviewed.value === 'definition') {
    await showInSettings({ from: target, path: [Setting.servers, name] });
    return undefined;
  }
  const next = reviewed.value.draft;
  // The list may be open for long, and what it shows is written whole.
  if (!isSameJson(entry, writtenDefinition(server).entry)) {
    throw new HumanError(
      'The definition of "{0}" was changed in the settings meanwhile, and is left as it is there. Choose Edit… again.',
      server.definition.label,
    );
  }
  // The server comes last: whatever happens, one that can be started is complete.
  await keepAll([next], target, keeping);
  await addInputs(next.inputs, target, keeping);
  await changeServer(name, target, keeping, () => next.entry);
  const isSame = isSameJson(entry, next.entry);
  if (isSame && next.kept.length > 0 && server.isLive) {
    screen.tell(t('"{0}" gets what you entered when it is restarted.', server.definition.label));
  }
  return isSame && next.kept.length === 0 ? undefined : name;
}
