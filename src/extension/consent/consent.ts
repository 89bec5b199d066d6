import * as vscode from 'vscode';
import { type Decided, decisionsOn } from '../../domain/activity.ts';
import { isAnswerable } from '../../domain/consent/folderAccess.ts';
import type { GrantScope } from '../../domain/consent/grants.ts';
import {
  formerFields,
  isAskedOnceMore,
  launchSubject,
} from '../../domain/consent/launchConsent.ts';
import { isReplaced } from '../../domain/folders/folderNotes.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type IdentityFields, identityOf } from '../../domain/servers/serverIdentity.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Asked } from '../servers/asked.ts';
import type { Server } from '../servers/server.ts';
import type { PickedFolders, Waiting } from './consentPickers.ts';
import {
  type Answer,
  addedQuestion,
  answerButtons,
  folderNames,
  replacedQuestion,
  shortLabel,
} from './folderQuestions.ts';
import type { GrantStore } from './grantStore.ts';
import { confirmSecondYes } from './secondYes.ts';
import type { ServerChoices } from './serverChoices.ts';

/** Asks the user which folders a server may see, and keeps the answers. Dismissing is "not now". */
export class Consent {
  private readonly grants: GrantStore;
  private readonly restarts: ServerChoices;
  private readonly activity: Pick<ActivityLog, 'add'>;

  constructor(grants: GrantStore, restarts: ServerChoices, activity: Pick<ActivityLog, 'add'>) {
    this.grants = grants;
    this.restarts = restarts;
    this.activity = activity;
  }

  /**
   * Asks about all folders that wait for an answer, before the server starts.
   * Resolves to whether there is an answer now; leaving any of the questions is "not now".
   */
  async askBeforeStart(server: Server): Promise<boolean> {
    const { askAboutFolders, askAboutStart } = await import('../commands/onDemand.ts');
    const { waiting } = server.access;
    const former = formerFields(this.grants.all, server.definition.id, server.identity);
    if (waiting.length === 0) {
      const isAgreed = await askAboutStart(server, former);
      if (isAgreed) {
        this.note(server, { decision: 'allowed', folders: [] }, 'workspace');
        await this.keepLaunch(server, 'workspace');
      }
      return isAgreed;
    }
    const answer = await askAboutFolders(server, waiting, former);
    const isAnswered = await this.follow(server, waiting, answer);
    // A person who allowed no folder has not agreed to the start either.
    if (isAnswered && answer !== 'deny' && server.access.roots.length > 0) {
      await this.keepLaunch(server, this.lastScope(server));
    }
    return isAnswered;
  }

  /** How long the latest answer on a server holds. */
  private lastScope({ definition, identity }: Server): GrantScope {
    const own = this.grants.all.filter(
      grant => grant.serverId === definition.id && grant.identity === identity,
    );
    return own.toSorted((a, b) => b.at - a.at)[0]?.scope ?? 'workspace';
  }

  /** Has all that was answered on a server hold for what it is going to be, which the user agreed to. */
  async carryOver({ definition, identity }: Server, fields: IdentityFields): Promise<void> {
    const own = this.grants.all.filter(
      grant => grant.serverId === definition.id && grant.identity === identity,
    );
    const next = { identity: identityOf(fields), fields };
    await this.grants.record(own.map(grant => ({ ...grant, ...next })));
  }

  private keepLaunch(server: Server, scope: GrantScope): Promise<void> {
    const folder = launchSubject;
    return this.grants.record([{ ...answeredOn(server), folder, decision: 'allowed', scope }]);
  }

  /** Whether the user agreed to its start only in answers that did not cover all it is started with. */
  isAskedOnceMore({ definition }: Server): boolean {
    return isAskedOnceMore(this.grants.all, definition.id);
  }

  /**
   * Asks about folders that were added while the server runs, or that took the place of others,
   * without getting in the way.
   */
  async askAboutAdded(server: Asked, folders: readonly Folder[]): Promise<void> {
    const replaced = server.access.folders.filter(isReplaced).map(({ folder }) => folder.uri);
    const added = folders.filter(({ uri }) => !replaced.includes(uri));
    const questions = folders
      .filter(({ uri }) => replaced.includes(uri))
      .map(folder => this.askLater(server, [folder], replacedQuestion(server, folder)));
    if (added.length > 0) {
      questions.push(this.askLater(server, added, addedQuestion(server, added)));
    }
    await Promise.all(questions);
  }

  /** Asks once for many servers about folders that were added. */
  async askManyAboutAdded(waiting: readonly Waiting[]): Promise<void> {
    const { askForMany } = await import('../commands/onDemand.ts');
    const allowed = await askForMany(waiting);
    const scope = allowed && (await this.scopeFor(manyTitle(waiting, allowed)));
    if (!scope) {
      return;
    }
    for (const { server, folders } of waiting) {
      const open = stillWaiting(server, folders);
      const uris = allowed.has(server) ? open.map(({ uri }) => uri) : [];
      await this.confirmAndKeep(server, open, { allowed: new Set(uris) }, scope);
    }
  }

  /** Asks in a message that does not get in the way, and keeps the answer. */
  async askLater(server: Asked, folders: readonly Folder[], question: string): Promise<void> {
    const button = await vscode.window.showInformationMessage(question, ...answerButtons());
    const open = stillWaiting(server, folders);
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
    const chosen = folders.map(({ folder }) => folder);
    await this.chooseFolders(server, chosen, this.restarts);
  }

  /** Keeps one answer for this workspace, as a checkbox gives it. */
  async set(server: Asked, folder: Folder, isAllowed: boolean): Promise<void> {
    const allowed = new Set(isAllowed ? [folder.uri] : []);
    await this.confirmAndKeep(server, [folder], { allowed }, 'workspace');
  }

  /** Keeps an answer, after what is to be asked besides; resolves to whether it was kept. */
  async follow(
    server: Asked,
    folders: readonly Folder[],
    answer: Answer = 'not-now',
  ): Promise<boolean> {
    switch (answer) {
      case 'allow':
        return this.keepFor(server, folders, { allowed: new Set(folders.map(({ uri }) => uri)) });
      case 'deny':
        return this.keepFor(server, folders, { allowed: new Set() });
      case 'choose':
        return this.chooseFolders(server, folders);
      case 'not-now':
        return false;
    }
  }

  /** @param restarts the wishes about restarts, which can then be changed in the same list. */
  private async chooseFolders(
    server: Asked,
    folders: readonly Folder[],
    restarts?: ServerChoices,
  ): Promise<boolean> {
    const { pickFolders } = await import('../commands/onDemand.ts');
    const uris = new Set(folders.map(({ uri }) => uri));
    const choices = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
    const picked = await pickFolders(server, choices, restarts);
    return picked !== undefined && this.keepFor(server, folders, picked);
  }

  private async keepFor(
    server: Asked,
    folders: readonly Folder[],
    picked: PickedFolders,
  ): Promise<boolean> {
    const scope = await this.scopeFor(keepTitle(server, folders, picked.allowed));
    if (scope) {
      await this.confirmAndKeep(server, folders, picked, scope);
    }
    return scope !== undefined;
  }

  private async scopeFor(title: string): Promise<GrantScope | undefined> {
    const { pickScope } = await import('../commands/onDemand.ts');
    const scope = await pickScope(title);
    if (!scope) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Nothing was kept, since you did not say how long your answer holds.'),
      );
    }
    return scope;
  }

  /** A folder that is very wide, or holds one that is never exposed, needs a second yes. */
  private async confirmAndKeep(
    server: Asked,
    folders: readonly Folder[],
    { allowed, readOnly = readOnlyIn(server) }: PickedFolders,
    scope: GrantScope,
  ): Promise<void> {
    const confirmed = await confirmSecondYes(server, allowed);
    const answered = folders.filter(({ uri }) => !allowed.has(uri) || confirmed.has(uri));
    for (const decided of decisionsOn(answered, allowed, server.access.roots)) {
      this.note(server, decided, scope);
    }
    await this.grants.record(
      answered.map(({ uri, place }) => ({
        ...answeredOn(server),
        folder: uri,
        decision: allowed.has(uri) ? 'allowed' : 'denied',
        scope,
        ...(place !== undefined && { place }),
        ...(confirmed.get(uri)?.length && { despite: confirmed.get(uri) }),
        ...(readOnly.has(uri) && { isReadOnly: true }),
      })),
    );
  }

  /** Before the answer takes effect: what follows from it comes after it in the log. */
  private note({ definition: { id, label } }: Asked, decided: Decided, scope: GrantScope): void {
    const about = { at: Date.now(), serverId: id, serverLabel: label };
    this.activity.add({ ...about, kind: 'answered', ...decided, scope });
  }
}

function readOnlyIn({ access }: Asked): ReadonlySet<string> {
  return new Set(
    access.folders.flatMap(({ folder, isReadOnly }) => (isReadOnly ? folder.uri : [])),
  );
}

/** The folders that still wait for an answer: a question may have been open for hours. */
function stillWaiting({ access }: Asked, folders: readonly Folder[]): Folder[] {
  return folders.filter(({ uri }) => access.waiting.some(waiting => waiting.uri === uri));
}

function manyTitle(waiting: readonly Waiting[], allowed: ReadonlySet<Server>): string {
  return vscode.l10n.t('Allow {0} of {1} servers', allowed.size, waiting.length);
}

/** The server as it is: an answer is bound to that. */
function answeredOn({ definition, identity, fields }: Asked) {
  return { serverId: definition.id, identity, fields };
}

function keepTitle(
  { definition }: Asked,
  folders: readonly Folder[],
  allowed: ReadonlySet<string>,
): string {
  const label = shortLabel(definition);
  return allowed.size === 0
    ? vscode.l10n.t('Don\'t allow "{0}" to see {1}', label, folderNames(folders))
    : vscode.l10n.t('Allow "{0}" {1} of {2} folders', label, allowed.size, folders.length);
}
