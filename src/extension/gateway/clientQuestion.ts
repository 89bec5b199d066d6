import * as vscode from 'vscode';
import { folderNames, shortLabel, shortName, shortPath } from '../consent/folderQuestions.ts';
import type { Server } from '../servers/server.ts';
import { fromHome } from '../text.ts';
import type { ClientScope } from './clientAnswers.ts';

/** The user's answer to the question; `undefined`: it was left without one. */
export type Answered = { readonly isAllowed: boolean; readonly scope: ClientScope } | undefined;

/** Who asks for a server, as far as is known: the name is the client's own. */
export interface AskingClient {
  readonly name: string;
  readonly cwd: string;
}

/** Asks, without getting in the way, whether a client may use a server. */
export async function askAboutClient(
  { name, cwd }: AskingClient,
  { definition, access }: Pick<Server, 'definition' | 'access'>,
): Promise<Answered> {
  const { t } = vscode.l10n;
  const folders = access.folders.flatMap(({ root, folder }) => (root ? [folder] : []));
  const question = t(
    'Allow "{0}" to use "{1}", which sees {2}? It runs in {3}, and its name is what it says of itself.',
    name ? shortName(name) : t('a client without a name'),
    shortLabel(definition),
    folderNames(folders),
    shortPath(fromHome(cwd)),
  );
  const [once, here, never] = [
    t('Until the Window Closes'),
    t('In This Workspace'),
    t("Don't Allow"),
  ];
  switch (await vscode.window.showInformationMessage(question, here, once, never)) {
    case once:
      return { isAllowed: true, scope: 'session' };
    case here:
      return { isAllowed: true, scope: 'workspace' };
    case never:
      return { isAllowed: false, scope: 'workspace' };
    default:
      return undefined;
  }
}
