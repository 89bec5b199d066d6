import type { Root, RootsGrant, RootsRequest } from '../../../media/api/mcp-roots.d.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Access, accessWithin } from '../../domain/consent/folderAccess.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { cut, printable } from '../../domain/printable.ts';
import { sameRoots } from '../../domain/roots.ts';
import { identityOf } from '../../domain/servers/serverIdentity.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Answer, Waiting } from '../consent/folderQuestions.ts';
import { folderNames, shortLabel } from '../consent/shownNames.ts';
import { askModally, withTold } from '../consent/startQuestion.ts';
import type { AccessSource } from '../servers/accessSource.ts';
import { t } from '../text.ts';
import { extensionItem } from '../views/extensionItem.ts';
import * as vscode from '../vscode.ts';
import type { Requester, Requesters } from './requesters.ts';

/** What of a window requests for roots are about. */
export interface ApiWindow {
  readonly requesters: Requesters;
  readonly accesses: AccessSource;
  readonly consent: {
    follow(waiting: readonly Waiting[], answer: Answer): Promise<boolean>;
  };
  readonly activity: { add(exposure: Exposure): void };
  readonly logger: Logger;
}

/**
 * Asks the user what an extension may see, as for a server: answers are bound to the id that it
 * claims. The editor tells nobody which extension calls, so nothing more can be known of it.
 *
 * @throws Error when the request can't be understood, for the one who wrote the extension.
 */
export async function requestRoots(request: RootsRequest, window: ApiWindow): Promise<RootsGrant> {
  const { extension: claimed, purpose } = request;
  const extension =
    typeof claimed === 'string' ? vscode.extensions.getExtension(claimed) : undefined;
  if (!extension) {
    throw new Error(`There is no extension "${claimed}" here. Pass context.extension.id.`);
  }
  if (typeof purpose !== 'string' || purpose.trim() === '') {
    throw new Error('A request for roots needs a purpose: a sentence that the user reads.');
  }
  const id = extension.id.toLowerCase();
  const { displayName } = extension.packageJSON;
  const label = printable(typeof displayName === 'string' ? displayName : id);
  const { known } = window.requesters;
  const requester = known.get(id) ?? new ExtensionRequester(id, label, window);
  known.set(id, requester);
  return requester.request(request);
}

const longestPurpose = 200;

/** One request that was not disposed yet. */
interface OpenRequest {
  readonly purpose: string;
  /** The URIs of the folders that it is about; `undefined`: all. */
  readonly uris: ReadonlySet<string> | undefined;
  /** Tells its grant of the roots there are now; missing while its question is open. */
  update?: () => void;
}

/** Keeps what was asked and answered for as long as the window: its requests may come and go. */
class ExtensionRequester implements Requester {
  readonly definition;
  readonly fields;
  readonly identity;
  readonly isLive = true;
  readonly isRetired = false;
  readonly needsRestart = false;
  readonly sandbox = undefined;
  private readonly window: ApiWindow;
  private readonly extensionId: string;
  private readonly requests = new Set<OpenRequest>();
  /** The URIs of the folders that the user was asked about, who may have dismissed the question. */
  private readonly asked = new Set<string>();
  /** The URIs that were candidates when they were last looked at, in a trusted window. */
  private readonly seen = new Set<string>();
  private readonly store = new DisposableStore();
  private asking = Promise.resolve();
  private told: Access['roots'] = [];
  private exposure: Exposure | undefined;

  constructor(id: string, label: string, window: ApiWindow) {
    this.extensionId = id;
    this.definition = { id: `extension:${id}`, label };
    this.fields = { extension: id };
    this.identity = identityOf(this.fields);
    this.window = window;
    this.store.add(window.accesses.onDidChange(() => this.update()));
    this.store.add(vscode.extensions.onDidChange(() => this.leaveIfRemoved()));
  }

  get isActive(): boolean {
    return this.requests.size > 0;
  }

  /** The folders that any of its requests is about, and those that the user offered to it. */
  get access(): Access {
    const wanted = [...this.requests].map(({ uris }) => uris);
    const isAll = wanted.includes(undefined);
    return this.accessTo(isAll ? undefined : new Set(wanted.flatMap(uris => [...(uris ?? [])])));
  }

  get lastExposure(): Exposure | undefined {
    return this.exposure;
  }

  get claims(): readonly string[] {
    const purposes = new Set([...this.requests].map(({ purpose }) => purpose));
    return [claimText(this.extensionId), ...[...purposes].map(purposeText)];
  }

  item(): vscode.TreeItem {
    return extensionItem(this, this.claims);
  }

  /** @throws Error when a folder is none of this window. */
  async request({ purpose, folders }: RootsRequest): Promise<RootsGrant> {
    await this.window.accesses.lookAgain();
    const uris = folders && new Set(folders.map(uri => this.candidate(uri)));
    const request: OpenRequest = { purpose: cut(printable(purpose.trim()), longestPurpose), uris };
    this.requests.add(request);
    this.noteSeen();
    this.window.requesters.changed();
    // One question at a time: the answer to the first may be the one to the second.
    this.asking = this.asking
      .then(() => this.ask(request))
      .catch(error => this.window.logger.error(error));
    await this.asking;
    return this.grant(request);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async ask({ purpose, uris }: OpenRequest): Promise<void> {
    const access = this.accessTo(uris);
    const open = access.waiting.filter(({ uri }) => !this.asked.has(uri));
    if (open.length === 0) {
      return;
    }
    this.noteAsked(open);
    const question = this.question(open);
    const detail = withTold(
      question,
      [
        claimText(this.extensionId),
        purposeText(purpose),
        t('It runs with your rights and could read other files: roots are guidance.'),
      ],
      access,
    );
    const answer = await askModally(question, detail);
    await this.window.consent.follow([{ server: this, folders: open }], answer);
  }

  added(): readonly Folder[] {
    const added = this.access.waiting.filter(
      ({ uri, origin }) => !this.seen.has(uri) && origin !== 'picked',
    );
    this.noteSeen();
    this.noteAsked(added);
    return added;
  }

  private question(folders: readonly Folder[]): Shown {
    const label = shortLabel(this.definition);
    return t('Allow the extension "{0}" to see {1}?', label, folderNames(folders));
  }

  private noteAsked(folders: readonly Folder[]): void {
    for (const { uri } of folders) {
      this.asked.add(uri);
    }
  }

  private noteSeen(): void {
    for (const { folder, exclusion } of this.access.folders) {
      if (exclusion !== 'restricted') {
        this.seen.add(folder.uri);
      }
    }
  }

  private grant(request: OpenRequest): RootsGrant {
    const { requests } = this;
    const didChange = new vscode.EventEmitter<readonly Root[]>();
    const rootsNow = () => (requests.has(request) ? rootsOf(this.accessTo(request.uris)) : []);
    let roots = rootsNow();
    request.update = () => {
      const next = rootsNow();
      if (!areSame(roots, next)) {
        roots = next;
        didChange.fire(next);
      }
    };
    this.expose();
    const end = toDisposable(() => {
      requests.delete(request);
      roots = [];
      didChange.dispose();
      this.window.requesters.changed();
    });
    return {
      get roots() {
        return roots;
      },
      onDidChangeRoots: didChange.event,
      dispose: () => end.dispose(),
    };
  }

  private update(): void {
    if (this.isActive) {
      const handed = [...this.requests].filter(({ update }) => update);
      if (handed.length > 0 && !sameRoots(this.told, this.access.roots)) {
        this.expose();
      }
      for (const { update } of handed) {
        update?.();
      }
      this.window.requesters.changed(this);
    }
  }

  private expose(): void {
    const { definition, access, window } = this;
    this.told = access.roots;
    this.exposure = {
      at: Date.now(),
      serverId: definition.id,
      serverLabel: definition.label,
      trigger: { kind: 'API' },
      count: 1,
      roots: access.roots,
    };
    window.activity.add(this.exposure);
    this.window.requesters.changed(this);
  }

  /** What is not installed any more holds nothing. */
  private leaveIfRemoved(): void {
    if (this.isActive && !vscode.extensions.getExtension(this.extensionId)) {
      const former = [...this.requests];
      this.requests.clear();
      for (const { update } of former) {
        update?.();
      }
      this.window.requesters.changed();
    }
  }

  private accessTo(uris: ReadonlySet<string> | undefined): Access {
    return accessWithin(this.window.accesses.of(this.definition, this.identity), uris);
  }

  /** The URI under which a folder is a candidate. */
  private candidate(uri: vscode.Uri): string {
    const found = uri.scheme === 'file' && fileUri(uri.fsPath, process.platform as PathPlatform);
    const { folders } = this.window.accesses.of(this.definition, this.identity);
    if (!found || !folders.some(({ folder }) => folder.uri === found)) {
      throw new Error(
        `${uri} is no folder on disk of this window. Only folders of the workspace, and those of mcpRoots.extraFolders, can be asked for.`,
      );
    }
    return found;
  }
}

function claimText(id: string): string {
  return t('It says that it is {0}: that is claimed and not checked.', id);
}

function purposeText(purpose: string): string {
  return t('It says what it needs them for: {0}', purpose);
}

/** The roots with the path as it is on this machine: a URI that is read again may spell it otherwise. */
function rootsOf({ folders }: Access): readonly Root[] {
  return folders.flatMap(({ root, folder: { path } }) =>
    root && path !== undefined ? [{ uri: vscode.Uri.file(path), name: root.name }] : [],
  );
}

function areSame(a: readonly Root[], b: readonly Root[]): boolean {
  const texts = (roots: readonly Root[]) => roots.map(({ uri, name }) => `${uri} ${name}`).join();
  return texts(a) === texts(b);
}
