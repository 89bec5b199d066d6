import { readOnlyWord } from '../../domain/consent/statusWords.ts';
import { type FolderNote, isReplaced } from '../../domain/folders/folderNotes.ts';
import { uniqueFolders } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import { folderDetails } from '../folderText.ts';
import type { Button, Question } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { folderNames, serverNames, shortLabel, shortPath } from '../shownNames.ts';
import { t } from '../text.ts';
import { type QuestionSource, type Waiting, waitingFolders } from './openQuestions.ts';

/** The answers to the question whether a server may see some folders. */
export type FolderAnswer = 'allow' | 'choose' | 'deny';

type Follow<R> = (answer: FolderAnswer) => R | Promise<R>;

/** The buttons of each question on the folders of one server. Closing a question stores nothing. */
export function answerButtons<R>(follow: Follow<R>, hasChoice = true): Button<R>[] {
  return [
    { title: t('Allow'), follow: () => follow('allow') },
    ...(hasChoice ? [{ title: t('Choose Folders…'), follow: () => follow('choose') }] : []),
    denyButton(follow),
  ];
}

function denyButton<R>(follow: Follow<R>): Button<R> {
  return { title: t("Don't Allow"), follow: () => follow('deny') };
}

/** The open questions about folders of running servers: may the server see the folders? */
export function folderQuestions(
  { onDidChange }: Pick<Servers, 'onDidChange'>,
  consent: { askNow(waiting: Waiting): Promise<void> },
): QuestionSource {
  return {
    of: server =>
      waitingFolders([server]).map(waiting => ({
        subject: server,
        text: seeQuestion(waiting),
        detail:
          waiting.folders.length === 1
            ? t('1 folder waits for your answer')
            : t('{0} folders wait for your answer', waiting.folders.length),
        ask: () => consent.askNow(waiting),
      })),
    onDidChange,
  };
}

/** The question whether a server may see some folders. */
export function seeQuestion({ server, folders }: Waiting): Shown {
  return t(
    'Allow "{0}" to see {1}?',
    shortLabel(server.definition),
    folderNames(folders, [server]),
  );
}

/**
 * The message about folders that were added or replaced while servers run. If several servers wait,
 * no button allows the folders for all servers at once.
 */
export function addedMessage<R>(waiting: readonly Waiting[], follow: Follow<R>): Question<R> {
  const isReplacing = waiting.every(replacesAll);
  const places = folderPlaces(waiting);
  const what = isReplacing ? t('what replaced {0}', places) : t('the added {0}', places);
  const [only, ...others] = waiting;
  if (only && others.length === 0) {
    const label = shortLabel(only.server.definition);
    const question = t('Allow "{0}" to see {1}? Nothing is shared until you answer.', label, what);
    // A list of a single folder adds no choice, unless the sandbox can make the folder read-only.
    const hasChoice = only.folders.length > 1 || only.server.definition.sandbox !== undefined;
    const text = shown([question, ...warnings(only, isReplacing)].join(' '));
    return { text, buttons: answerButtons(follow, hasChoice) };
  }
  const servers = serverNames(waiting.map(({ server }) => server));
  const text = t('Who may see {0}? These servers wait for your answer: {1}.', what, servers);
  const choose = { title: t('Choose…'), follow: () => follow('choose') };
  return { text, buttons: [choose, denyButton(follow)] };
}

function replacesAll({ server, folders }: Waiting): boolean {
  const replaced = server.access.folders.filter(isReplaced).map(({ folder }) => folder.uri);
  return folders.every(({ uri }) => replaced.includes(uri));
}

/** The names of the waiting folders in a sentence. If only one folder waits, its path follows. */
export function folderPlaces(waiting: readonly Waiting[]): string {
  const folders = uniqueFolders(waiting.flatMap(one => one.folders));
  const [only, ...more] = folders;
  const servers = waiting.map(({ server }) => server);
  const names = folderNames(folders, servers);
  return only && more.length === 0 ? `${names} (${shortPath(only.path ?? only.uri)})` : names;
}

/** The warning that a server is on another machine; empty for a server on this machine. */
export function leavesText({ definition: { launch } }: Pick<Server, 'definition'>): string[] {
  return launch.type === 'http' && !isOnThisMachine(launch.url)
    ? [t('The folder names and paths would leave this machine.')]
    : [];
}

/** Warnings as a part of the text, because a message that is not modal shows no detail. */
function warnings({ server, folders }: Waiting, isReplacing: boolean): string[] {
  const uris = new Set(folders.map(({ uri }) => uri));
  const isNews = (kind: FolderNote['kind']) => kind !== 'replaced' || !isReplacing;
  const notes = server.access.folders
    .filter(({ folder }) => uris.has(folder.uri))
    .map(each => ({ ...each, notes: each.notes.filter(({ kind }) => isNews(kind)) }))
    .filter(({ notes, isReadOnly }) => notes.length > 0 || isReadOnly)
    .map(each => {
      const texts = [...(each.isReadOnly ? [t(readOnlyWord)] : []), ...folderDetails(each)];
      return `${printable(each.folder.name)}: ${texts.join('; ')}.`;
    });
  return [...leavesText(server), ...notes];
}
