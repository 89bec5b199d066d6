import { draftOfExisting } from '../../domain/adding/serverDraft.ts';
import { isSameJson } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import { userServerName } from '../../domain/servers/serverDefinition.ts';
import { surroundings } from '../adding/askForServer.ts';
import { reviewServer } from '../adding/reviewServer.ts';
import {
  addInputs,
  changeServer,
  entryIn,
  keepAll,
  type ServerKeeping,
} from '../adding/writeServers.ts';
import { showInSettings } from '../definitionFiles/showSettingsProblems.ts';
import { Setting } from '../ids.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';

/**
 * The definition of a server in the settings: its name, the settings that hold it, and its entry.
 *
 * @throws {HumanError} when no settings hold the server.
 */
export function writtenDefinition({ definition }: Pick<Server, 'definition'>) {
  const { id, from: target, label } = definition;
  const name = userServerName(id);
  const entry = target && name !== undefined ? entryIn(target, name) : undefined;
  if (!target || name === undefined || !entry) {
    throw new HumanError('"{0}" is not in the settings.', label);
  }
  return { name, target, entry };
}

/**
 * Shows the definition of a server, lets the user change parts of it, and writes them. If the user
 * prefers this, opens the definition in the settings instead.
 *
 * @returns the server's name, if its next start will differ.
 * @throws {HumanError} when the settings do not hold the server, when it was changed there in the
 * meantime, or when the settings can't be written.
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
  // The list may be open for long, and its result would overwrite a newer entry.
  if (!isSameJson(entry, writtenDefinition(server).entry)) {
    throw new HumanError(
      'The definition of "{0}" changed in the settings meanwhile, so your change was not saved. Choose Edit… again.',
      server.definition.label,
    );
  }
  // The server comes last. If an earlier step fails, nobody can start an incomplete server.
  await keepAll([next], target, keeping);
  await addInputs(next.inputs, target, keeping);
  await changeServer(name, target, keeping, () => next.entry);
  const isSame = isSameJson(entry, next.entry);
  if (isSame && next.kept.length > 0 && server.isLive) {
    screen.tell(t('Restart "{0}" to apply the change.', server.definition.label));
  }
  return isSame && next.kept.length === 0 ? undefined : name;
}
