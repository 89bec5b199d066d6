import type { Logger } from '../../base/logger.ts';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import { statusMeaning } from '../../domain/consent/statusWords.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { folderStatusOf } from '../folderText.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { folderNames } from '../shownNames.ts';
import { localized, t } from '../text.ts';
import type { Waiting } from './openQuestions.ts';

/** Offers folders on disk to one server, and asks the user about them. */
export type OfferFolders = (server: Server, paths: readonly string[]) => Promise<void>;

/**
 * Offers folders on disk to one server. Asks about the folders that need an answer, and returns
 * before the answer. One message tells the status of the other folders. If a rule forbids a folder
 * for good, withdraws the offer of the folder. An offer alone allows nothing.
 */
export async function offerFolders(
  server: Server,
  paths: readonly string[],
  folders: Pick<CandidateFolders, 'offer' | 'withdraw' | 'rules'>,
  consent: { askAboutAdded(find: () => readonly Waiting[]): Promise<void> },
  screen: Screen,
  logger: Logger,
): Promise<void> {
  const { definition } = server;
  const offered = await folders.offer(definition, paths);
  const uris = new Set(offered.map(({ uri }) => uri));
  const accesses = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const waiting = accesses.filter(({ exclusion }) => exclusion === 'undecided');
  if (waiting.length > 0) {
    const asked = waiting.map(({ folder }) => folder);
    consent.askAboutAdded(() => [{ server, folders: asked }]).catch(error => logger.error(error));
  }
  const unasked = accesses.filter(access => !waiting.includes(access));
  const meaningOf = (access: FolderAccess) =>
    localized(statusMeaning(folderStatusOf(access, server)));
  const sentences = [...new Set(unasked.map(meaningOf))].map(meaning => {
    const alike = unasked.flatMap(one => (meaningOf(one) === meaning ? one.folder : []));
    return `${folderNames(alike, [server])}: ${meaning}.`;
  });
  if (sentences.length > 0) {
    const text = 'You offered folders to "{0}". MCP Roots does not ask about these now: {1}';
    screen.tell(t(text, definition.label, sentences.join(' ')));
  }
  const ruledOut = offered.filter(folder => folders.rules.rulingOn(folder).exclusion);
  for (const path of ruledOut.flatMap(folder => folder.path ?? [])) {
    await folders.withdraw(definition, path);
  }
}
