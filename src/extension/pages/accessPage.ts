import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import {
  accessTable,
  type ClientViewer,
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
import type { ServerRecords } from '../records/serverRecords.ts';
import { reportFailure } from '../reportFailure.ts';
import type { ViewRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { fromHome, t, timeText } from '../text.ts';
import { clientLabel, clientState, toolsText } from '../views/clientItem.ts';
import { confinedText, wordOf, wordText } from '../views/serverItem.ts';
import * as vscode from '../vscode.ts';
import { Page } from './page.ts';

/** The parts of a window that the page uses. */
interface AccessParts {
  readonly logger: Logger;
  readonly servers: Servers;
  readonly clients: Clients;
  readonly records: ServerRecords;
  readonly questions: OpenQuestions;
  readonly consent: {
    set(viewer: Server, folder: Folder, isAllowed: boolean, isReadOnly?: boolean): Promise<void>;
  };
  readonly extensionUri: vscode.Uri;
}

/** The server or the folder to show. */
interface AccessSubject {
  readonly server?: Server;
  /** The URI of a folder. */
  readonly folder?: string;
}

/**
 * The tab that shows who sees which folder. `show` filters the tab by the folder of a folder's row,
 * or by the server of another row. Without a row, the tab keeps its filter.
 */
export function accessTab(parts: AccessParts) {
  let page: AccessPage | undefined;
  return {
    async show(row?: ViewRow): Promise<void> {
      if (!page) {
        page = new AccessPage(parts);
        page.onDidClose(() => {
          page = undefined;
        });
      }
      page.show(subjectOf(row));
    },
    dispose: () => page?.dispose(),
  };
}

function subjectOf(row: ViewRow | undefined): AccessSubject | undefined {
  if (row?.kind === 'folder') {
    return { folder: row.access.folder.uri };
  }
  return row?.server && { server: row.server };
}

/** In ms: changes within this time are shown together. */
const burst = { quiet: 20, longest: 100 };

/** The open tab. It shows every change. */
class AccessPage implements IDisposable {
  private readonly parts: AccessParts;
  private readonly store = new DisposableStore();
  private readonly page: Page<ToAccessPage, AccessRequest>;
  private readonly sendSoon = this.store.add(new Debounce(() => this.send(), burst));
  /** The filter for the next message to the page. */
  private wanted: string | undefined;
  /** Answers are stored one after the other, because each may need a question. */
  private answering = Promise.resolve();

  readonly onDidClose;

  constructor(parts: AccessParts) {
    const { logger, records, questions, extensionUri } = parts;
    this.parts = parts;
    this.page = new Page({
      viewType: 'mcpRoots.access',
      title: t('Access'),
      bundle: 'access',
      extensionUri,
      logger,
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

  /** Brings the tab to the front, and shows only `subject`. Without it, the filter stays. */
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
    const { logger } = this.parts;
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

  /** Stores an answer as a checkbox in the tree does, if its server and folder still exist. */
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

/** Why no server sees any folder; `undefined`: some server may see one. */
function noticeOf({ folders }: AccessTable): Shown | undefined {
  if (!vscode.workspace.isTrusted) {
    return t('This window is in Restricted Mode: no server starts, and no folder is shared.');
  }
  if (folders.length === 0) {
    return t('No folder is open, so there is nothing to share with a server.');
  }
  return folders.every(({ id }) => !id.startsWith('file:'))
    ? t("The folders of this window are not on disk, so they can't be shared with servers.")
    : undefined;
}

/** The key of a server's row. A changed server has another key. */
function viewerId({ definition, identity }: Pick<Server, 'definition' | 'identity'>): string {
  return `${definition.id} ${identity}`;
}

/** The facts about all servers and clients that may see folders. */
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
      clients: clients.of(server).map(clientViewer),
    };
  });
}

function clientViewer(client: ClientOfServer): ClientViewer {
  const exposure = client.session?.lastExposure;
  return {
    name: clientLabel(client),
    about: [t('client'), clientState(client), ...toolsText(client)],
    roots: exposure?.roots ?? [],
    title: exposure ? t('shared at {0}', timeText(exposure.at)) : '',
  };
}

/** Texts on whether the system confines the server, or on who started a server over HTTP. */
function keepingTexts(server: Server): string[] {
  const { launch } = server.definition;
  if (launch.type === 'http') {
    return [isOnThisMachine(launch.url) ? t('started by others') : t('runs on another machine')];
  }
  const confined = confinedText(server);
  const isRunning = server.state.kind === 'running';
  return isRunning && confined.length === 0 ? [t('not confined')] : confined;
}
