import * as vscode from 'vscode';
import { formerFields, type GrantScope } from '../../domain/consent/grants.ts';
import { HumanError } from '../../domain/errors.ts';
import { isAnswerable } from '../../domain/folders/folderStanding.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import type { Server } from '../servers/server.ts';
import { consentDetail, folderNames, folderPlaces } from './consentText.ts';
import { pickFolders } from './folderPicker.ts';
import { confirmForbiddenWithin } from './forbiddenWithin.ts';
import type { GrantStore } from './grantStore.ts';
import { pickScope } from './scopePicker.ts';

/** Asks the user which folders a server may see, and keeps the answers. Dismissing is "not now". */
export class Consent {
  private readonly grants: GrantStore;

  constructor(grants: GrantStore) {
    this.grants = grants;
  }

  /**
   * Asks about all folders that wait for an answer, before the server starts.
   * Settles in whether there is an answer now; leaving any of the questions is "not now".
   */
  async askBeforeStart(server: Server): Promise<boolean> {
    const { waiting } = server.access;
    const question = vscode.l10n.t(
      'Allow "{0}" to see {1}?',
      server.definition.label,
      folderNames(waiting),
    );
    const former = formerFields(this.grants.all, server.definition.id, server.identity);
    const detail = consentDetail(server, waiting, former);
    const buttons: AnswerButton[] = [
      ...answerButtons(),
      { title: vscode.l10n.t('Not Now'), answer: 'not-now', isCloseAffordance: true },
    ];
    const options = { modal: true, detail };
    const button = await vscode.window.showWarningMessage(question, options, ...buttons);
    return this.follow(server, waiting, button?.answer);
  }

  /** Asks about folders that were added while the server runs, without getting in the way. */
  async askAboutAdded(server: Server, folders: readonly Folder[]): Promise<void> {
    const question = vscode.l10n.t(
      'Allow "{0}" to see the added {1}? It is not told of it until you answer.',
      server.definition.label,
      folderPlaces(folders),
    );
    const button = await vscode.window.showInformationMessage(question, ...answerButtons());
    // The question may have stood there for hours.
    const open = folders.filter(({ uri }) =>
      server.access.waiting.some(waiting => waiting.uri === uri),
    );
    if (button && open.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Nothing was kept: {0} no longer waits for an answer.', folderNames(folders)),
      );
      return;
    }
    await this.follow(server, open, button?.answer);
  }

  /**
   * Lets the user pick the server's folders anew, in one list.
   *
   * @throws {HumanError} when there is no folder to pick.
   */
  async review(server: Server): Promise<void> {
    const folders = server.access.folders.filter(isAnswerable);
    if (folders.length === 0) {
      throw new HumanError('No folder on disk is open, so there is nothing to allow.');
    }
    await this.chooseFolders(
      server,
      folders.map(({ folder }) => folder),
    );
  }

  /** Keeps one answer for this workspace: what a checkbox does. */
  async set(server: Server, folder: Folder, isAllowed: boolean): Promise<void> {
    const allowed = new Set(isAllowed ? [folder.uri] : []);
    await this.confirmAndKeep(server, [folder], allowed, 'workspace');
  }

  private async follow(
    server: Server,
    folders: readonly Folder[],
    answer: Answer = 'not-now',
  ): Promise<boolean> {
    switch (answer) {
      case 'allow':
        return this.keepFor(server, folders, new Set(folders.map(({ uri }) => uri)));
      case 'deny':
        return this.keepFor(server, folders, new Set());
      case 'choose':
        return this.chooseFolders(server, folders);
      case 'not-now':
        return false;
    }
  }

  private async chooseFolders(server: Server, folders: readonly Folder[]): Promise<boolean> {
    const uris = new Set(folders.map(({ uri }) => uri));
    const title = vscode.l10n.t('Folders for "{0}"', server.definition.label);
    const choices = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
    const allowed = await pickFolders(title, choices, server.isLive);
    return allowed !== undefined && this.keepFor(server, folders, allowed);
  }

  private async keepFor(
    server: Server,
    folders: readonly Folder[],
    allowed: ReadonlySet<string>,
  ): Promise<boolean> {
    const scope = await pickScope(keepTitle(server, folders, allowed));
    if (!scope) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Nothing was kept, since you did not say how long your answer holds.'),
      );
      return false;
    }
    await this.confirmAndKeep(server, folders, allowed, scope);
    return true;
  }

  /** A folder that is allowed needs a second yes if it holds one that is never exposed. */
  private async confirmAndKeep(
    server: Server,
    folders: readonly Folder[],
    allowed: ReadonlySet<string>,
    scope: GrantScope,
  ): Promise<void> {
    const { definition, identity } = server;
    const confirmed = await confirmForbiddenWithin(server, allowed);
    const answered = folders.filter(({ uri }) => !allowed.has(uri) || confirmed.has(uri));
    await this.grants.record(
      answered.map(({ uri, place }) => ({
        serverId: definition.id,
        identity,
        fields: definition.fields,
        folder: uri,
        decision: allowed.has(uri) ? 'allowed' : 'denied',
        scope,
        at: Date.now(),
        ...(place !== undefined && { place }),
        ...(confirmed.get(uri)?.length && { despite: confirmed.get(uri) }),
      })),
    );
  }
}

function keepTitle(
  { definition: { label } }: Server,
  folders: readonly Folder[],
  allowed: ReadonlySet<string>,
): string {
  return allowed.size === 0
    ? vscode.l10n.t('Don\'t allow "{0}" to see {1}', label, folderNames(folders))
    : vscode.l10n.t('Allow "{0}" {1} of {2} folders', label, allowed.size, folders.length);
}

type Answer = 'allow' | 'choose' | 'deny' | 'not-now';

interface AnswerButton extends vscode.MessageItem {
  readonly answer: Answer;
}

function answerButtons(): AnswerButton[] {
  return [
    { title: vscode.l10n.t('Allow'), answer: 'allow' },
    { title: vscode.l10n.t('Choose Folders…'), answer: 'choose' },
    { title: vscode.l10n.t("Don't Allow"), answer: 'deny' },
  ];
}
