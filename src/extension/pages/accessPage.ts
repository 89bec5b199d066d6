import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable, toDisposable } from '../../base/disposable.ts';
import {
  accessTable,
  type ClientFacts,
  folderToChange,
  type ViewerFacts,
} from '../../domain/access/accessFacts.ts';
import {
  type AccessChange,
  type AccessRequest,
  type AccessTable,
  readAccessRequest,
} from '../../domain/access/accessTable.ts';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import type { Shown } from '../../domain/shown.ts';
import type { ToAccessPage } from '../../pages/pageMessages.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { folderLines, folderStatusOf, formerText } from '../folderText.ts';
import type { ClientOfServer, Clients } from '../gateway/clients.ts';
import { Command } from '../ids.ts';
import { type Commands, reportFailure } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { ServerRecords } from '../servers/serverRecords.ts';
import type { Servers } from '../servers/servers.ts';
import { fromHome, t, timeText } from '../text.ts';
import { clientLabel, clientState } from '../views/clientItem.ts';
import type { Row } from '../views/rows.ts';
import { confinedText, wordText } from '../views/serverItem.ts';
import { wordOf } from '../views/serverState.ts';
import * as vscode from '../vscode.ts';
import { Page } from './page.ts';

/** The parts of a window that the page takes. */
interface AccessParts {
  readonly commands: Commands;
  readonly servers: Servers;
  readonly clients: Clients;
  readonly records: ServerRecords;
  readonly questions: OpenQuestions;
  readonly consent: {
    set(viewer: Server, folder: Folder, isAllowed: boolean, isReadOnly?: boolean): Promise<void>;
  };
  readonly extensionUri: vscode.Uri;
}

/** The one server or folder to show. */
interface AccessSubject {
  readonly server?: Server;
  /** The URI of a folder. */
  readonly folder?: string;
}

/**
 * `showAccess`: a page with who sees which folder. Called on a server's row it shows that server, on a
 * folder's row that folder.
 */
export function registerShowAccess(parts: AccessParts): IDisposable {
  let page: AccessPage | undefined;
  parts.commands.register(Command.showAccess, async row => {
    if (!page) {
      page = new AccessPage(parts);
      page.onDidClose(() => {
        page = undefined;
      });
    }
    page.show(subjectOf(row));
  });
  return toDisposable(() => page?.dispose());
}

function subjectOf(row: Row | undefined): AccessSubject | undefined {
  if (row?.kind === 'folder') {
    return { folder: row.access.folder.uri };
  }
  return row && { server: row.server };
}

/** Changes that come together are shown together. */
const burst = { quiet: 20, longest: 100 };

/** The tab that shows who sees which folder, and changes with it. */
class AccessPage implements IDisposable {
  private readonly parts: AccessParts;
  private readonly store = new DisposableStore();
  private readonly page: Page<ToAccessPage, AccessRequest>;
  private readonly sendSoon = this.store.add(new Debounce(() => this.send(), burst));
  /** The filter that the next message to the page sets. */
  private wanted: string | undefined;
  /** One answer after the other: each may have a question of its own. */
  private answering = Promise.resolve();

  readonly onDidClose;

  constructor(parts: AccessParts) {
    const { commands, records, questions, extensionUri } = parts;
    this.parts = parts;
    this.page = new Page({
      viewType: 'mcpRoots.access',
      title: t('Access'),
      bundle: 'access',
      extensionUri,
      logger: commands.logger,
      read: readAccessRequest,
    });
    this.onDidClose = this.page.onDidClose;
    this.page.onDidClose(() => this.store.dispose());
    this.store.add(this.page.onDidLoad(() => this.send()));
    this.store.add(this.page.onDidReceive(request => this.follow(request)));
    this.store.add(questions.onDidChange(() => this.sendSoon.request()));
    this.store.add(records.onDidChange(kind => kind === 'grant' && this.sendSoon.request()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.sendSoon.request()));
  }

  /** Brings the tab to the front, with that alone in it; without a subject, with what was there. */
  show(subject?: AccessSubject): void {
    const isThere = this.page.isLoaded && this.page.isVisible;
    this.wanted = subject && this.nameOf(subject);
    this.page.reveal();
    if (isThere) {
      this.send();
    }
  }

  dispose(): void {
    this.page.dispose();
  }

  private send(): void {
    if (this.page.isLoaded && this.page.isVisible) {
      const table = this.table();
      this.page.post({ kind: 'table', table, notice: noticeOf(table), filter: this.wanted });
      this.wanted = undefined;
    }
  }

  private follow(request: AccessRequest): void {
    const { logger } = this.parts.commands;
    this.answering = this.answering.then(() => reportFailure(logger, () => this.run(request)));
  }

  private async run(request: AccessRequest): Promise<void> {
    switch (request.kind) {
      case 'set':
        return this.set(request);
      case 'copy':
        await vscode.env.clipboard.writeText(request.text);
        this.page.post({ kind: 'copied' });
    }
  }

  /** Keeps an answer as a tick in the tree does, if what it is about is still there. */
  private async set(change: AccessChange): Promise<void> {
    const { servers, consent } = this.parts;
    const viewer = servers.all.find(one => viewerId(one) === change.viewer);
    const canReadOnly = viewer?.definition.sandbox !== undefined;
    const folder = viewer && folderToChange({ access: viewer.access, canReadOnly }, change);
    if (folder) {
      await consent.set(viewer, folder, change.isAllowed, change.isReadOnly);
    }
  }

  private table(): AccessTable {
    return accessTable(gatherAccess(this.parts), fromHome);
  }

  private nameOf({ server, folder }: AccessSubject): string | undefined {
    const { rows, folders } = this.table();
    const id = server ? viewerId(server) : folder;
    return [...rows, ...folders].find(one => one.id === id)?.name;
  }
}

/** Why nobody sees anything; `undefined`: somebody may. */
function noticeOf({ folders }: AccessTable): Shown | undefined {
  if (!vscode.workspace.isTrusted) {
    return t('This window is in Restricted Mode: no server starts, and no folder is exposed.');
  }
  if (folders.length === 0) {
    return t('No folder is open, so there is nothing to expose to a server.');
  }
  return folders.every(({ id }) => !id.startsWith('file:'))
    ? t(
        'The folders of this window are not on disk. Roots are file: URIs, so no server can be told of them.',
      )
    : undefined;
}

/** The key of a server. One that has changed is another one. */
function viewerId({ definition, identity }: Pick<Server, 'definition' | 'identity'>): string {
  return `${definition.id} ${identity}`;
}

/** Facts on all servers and clients that may see folders. */
function gatherAccess({ servers, clients, questions }: AccessParts): ViewerFacts[] {
  return servers.all.map(server => {
    const { definition, access, formerRoots } = server;
    return {
      id: viewerId(server),
      name: definition.label,
      about: [wordText(wordOf(server, questions), server), ...keepingTexts(server)],
      access,
      statusOf: (one: FolderAccess) => folderStatusOf(one, server),
      titleOf: (one: FolderAccess) => folderLines(one, server).join('\n'),
      canReadOnly: definition.sandbox !== undefined,
      formerRoots: formerRoots.map(root => ({ ...root, title: formerText(root.uri, server) })),
      clients: clients.of(server).map(clientFacts),
    };
  });
}

function clientFacts(client: ClientOfServer): ClientFacts {
  const exposure = client.session?.lastExposure;
  return {
    name: clientLabel(client),
    about: [t('client'), clientState(client)],
    roots: exposure?.roots ?? [],
    title: exposure ? t('told at {0}', timeText(exposure.at)) : '',
  };
}

/** Whether the system keeps a running server in its folders. */
function keepingTexts(server: Server): string[] {
  const { launch } = server.definition;
  if (launch.type === 'http') {
    return [isOnThisMachine(launch.url) ? t('not started here') : t('runs elsewhere')];
  }
  const confined = confinedText(server);
  const isRunning = server.state.kind === 'running';
  return isRunning && confined.length === 0 ? [t('not confined')] : confined;
}
