import type { Logger } from '../../base/logger.ts';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { Ruling } from '../../domain/folders/folderRules.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { shown } from '../../domain/shown.ts';
import { folderNames } from '../consent/shownNames.ts';
import type { Waiting } from '../consent/waitingFolders.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { folderText } from '../folderText.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';

/**
 * Offers folders on disk to one server and asks about those that then wait for an answer, without
 * waiting for it. About all others it says in one message why nothing is asked; an offer that a rule
 * makes void for good is not kept. Nothing is exposed by this.
 */
export async function offerFolders(
  server: Server,
  paths: readonly string[],
  folders: Pick<CandidateFolders, 'offer' | 'withdraw' | 'rules'>,
  consent: { askAboutAdded(find: () => readonly Waiting[]): Promise<void> },
  screen: Screen,
  logger: Logger,
): Promise<void> {
  const offered = await folders.offer(server.definition, paths);
  const { kept, forbidden, excluded } = await withoutRuledOut(offered, server, folders);
  const uris = new Set(kept.map(({ uri }) => uri));
  const accesses = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const waiting = accesses.filter(({ exclusion }) => exclusion === 'undecided');
  if (waiting.length > 0) {
    const asked = waiting.map(({ folder }) => folder);
    consent.askAboutAdded(() => [{ server, folders: asked }]).catch(error => logger.error(error));
  }
  const unasked = accesses.filter(({ exclusion }) => exclusion !== 'undecided');
  const refusals = [...forbiddenText(forbidden), ...excludedText(excluded)];
  const sentences = [...refusals, ...unaskedText(unasked, server)];
  if (sentences.length > 0) {
    screen.tell(shown(sentences.join(' ')), refusals.length > 0 ? 'warning' : 'information');
  }
}

/** Offered folders by their outcome: a rule takes back those that no answer could make a root. */
interface Sorted extends Record<NonNullable<Ruling['exclusion']>, readonly Folder[]> {
  readonly kept: readonly Folder[];
}

async function withoutRuledOut(
  offered: readonly Folder[],
  { definition }: Server,
  folders: Pick<CandidateFolders, 'withdraw' | 'rules'>,
): Promise<Sorted> {
  const sorted = { kept: [] as Folder[], forbidden: [] as Folder[], excluded: [] as Folder[] };
  for (const folder of offered) {
    const { exclusion } = folders.rules.rulingOn(folder);
    if (exclusion === undefined || folder.path === undefined) {
      sorted.kept.push(folder);
      continue;
    }
    await folders.withdraw(definition, folder.path);
    sorted[exclusion].push(folder);
  }
  return sorted;
}

function forbiddenText(folders: readonly Folder[]): readonly string[] {
  if (folders.length === 0) {
    return [];
  }
  const names = folderNames(folders);
  return [
    folders.length === 1
      ? t("{0} can't be offered: mcpRoots.neverExpose forbids it.", names)
      : t("{0} can't be offered: mcpRoots.neverExpose forbids them.", names),
  ];
}

function excludedText(folders: readonly Folder[]): readonly string[] {
  if (folders.length === 0) {
    return [];
  }
  const names = folderNames(folders);
  return [
    folders.length === 1
      ? t("{0} can't be offered: mcpRoots.excludeFolders leaves it out.", names)
      : t("{0} can't be offered: mcpRoots.excludeFolders leaves them out.", names),
  ];
}

function unaskedText(accesses: readonly FolderAccess[], server: Server): readonly string[] {
  const [first, ...others] = accesses;
  if (!first) {
    return [];
  }
  const { label } = server.definition;
  const names = folderNames(accesses.map(({ folder }) => folder));
  return [
    others.length === 0
      ? t(
          '{0} was offered to "{1}", but there is nothing to ask: {2}.',
          names,
          label,
          folderText(first, server),
        )
      : t(
          '{0} were offered to "{1}", but there is nothing to ask: their rows say how they stand.',
          names,
          label,
        ),
  ];
}
