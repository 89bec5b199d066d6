import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import {
  offeredPaths,
  pickedFolders,
  sharedFolders,
  type WindowFolders,
} from '../../domain/folders/folderCandidates.ts';
import { type FolderRules, SettingRules } from '../../domain/folders/folderRules.ts';
import { absolutePath } from '../../domain/folders/folderSettings.ts';
import { type Folder, uniqueFolders } from '../../domain/folders/folders.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { Setting } from '../ids.ts';
import type { ServerRecords } from '../records/serverRecords.ts';
import { pathContext, settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import { lookAt } from './diskState.ts';
import { DiskWatch } from './diskWatch.ts';

/** In ms. A change of a folder, or a disk that hangs, is noticed within 2 s. */
const candidateTimes = { interval: 1000, longest: 800, first: 3000 };
const forbiddenTimes = { interval: 10_000, longest: 3000, first: 3000 };
/** In ms: disks that answer within this time cause one event together. */
const burst = { quiet: 5, longest: 50 };

const watchedSettings = [
  Setting.extraFolders,
  Setting.excludeFolders,
  Setting.neverExpose,
  Setting.servers,
] as const;

/** The parts of a server that decide which folders are its candidates. */
type Recipient = Pick<ServerDefinition, 'id'> & Partial<Pick<ServerDefinition, 'offers'>>;

interface OwnFolders {
  readonly recipient: Recipient;
  readonly folders: readonly Folder[];
  /** The URIs of folders that the user should be asked about; `undefined`: all folders. */
  readonly offered: ReadonlySet<string> | undefined;
}

/**
 * The folders that may become roots: the window's folders, which all servers share, and folders
 * offered to single servers. A removed folder disappears at once. An added folder appears after the
 * first look at its disk. While the window is trusted, the disk is looked at every second.
 */
export class CandidateFolders implements IDisposable {
  private readonly records: ServerRecords;
  private readonly editorFolder: string;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly disk = this.store.add(new DiskWatch(lookAt, candidateTimes));
  /** The forbidden paths on disk: whether they exist, and where links lead. */
  private readonly forbidden = this.store.add(new DiskWatch(lookAt, forbiddenTimes));
  private readonly publishSoon = this.store.add(new Debounce(() => this.publish(), burst));
  private readonly own = new Map<string, OwnFolders>();
  /** Cached, because after each change of a disk, every server asks for its folders. */
  private window: WindowFolders;
  private shared: readonly Folder[] = [];
  private currentRules: FolderRules;
  /** Whether something has changed since the last event. */
  private hasNews = true;

  readonly onDidChange = this.didChange.event;

  /** @param editorFolder the editor's own files. No setting can expose them. */
  constructor(records: ServerRecords, editorFolder: string) {
    this.records = records;
    this.editorFolder = editorFolder;
    this.window = windowFolders();
    this.currentRules = this.readRules();
    const readAgain = () => this.readAgain();
    const noteDisk = () => this.noteDisk();
    this.store.add(this.disk.onDidChange(noteDisk));
    this.store.add(this.forbidden.onDidChange(noteDisk));
    this.store.add(records.onDidChange(kind => kind === 'folder' && readAgain()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(readAgain));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(readAgain));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (watchedSettings.some(id => change.affectsConfiguration(id))) {
          this.readAgain();
        }
      }),
    );
    this.watch();
  }

  /** The candidates for all servers: workspace folders in order, then `mcpRoots.extraFolders`. */
  get value(): readonly Folder[] {
    return this.shared;
  }

  /** The rules that no answer can overrule. */
  get rules(): FolderRules {
    return this.currentRules;
  }

  /** All candidates for one server: shared folders, then folders offered only to it. */
  for(recipient: Recipient): readonly Folder[] {
    return this.ownOf(recipient).folders;
  }

  /** Whether the user should be asked about a folder for this server. */
  isOffered(recipient: Recipient, { uri }: Folder): boolean {
    return this.ownOf(recipient).offered?.has(uri) ?? true;
  }

  /** The folders of one server whose disks have not answered in time and are still silent. */
  unanswered(recipient: Recipient): readonly Folder[] {
    return this.for(recipient).filter(
      ({ path }) => path !== undefined && this.disk.isUnanswered(path),
    );
  }

  /** Makes folders candidates for one server. Looks for them, and returns those that exist. */
  async offer(recipient: Recipient, paths: readonly string[]): Promise<readonly Folder[]> {
    const absolute = paths.flatMap(path => absolutePath(path, pathContext()) ?? []);
    const earlier = this.offeredTo(recipient);
    for (const path of absolute.filter(one => !earlier.includes(one))) {
      await this.records.set({ ...offerOf(recipient, path), value: true });
    }
    await this.refresh();
    const found = pickedFolders(absolute, path => this.disk.get(path), pathContext());
    const uris = new Set(found.map(({ uri }) => uri));
    return this.for(recipient).filter(({ uri }) => uris.has(uri));
  }

  /** The paths that the user offered to one server. */
  offeredTo({ id }: Recipient): readonly string[] {
    return this.records.of('folder', id).map(({ about }) => about);
  }

  /** Withdraws an offer. The answer on the folder stays, in case the folder is offered again. */
  async withdraw(recipient: Recipient, path: string): Promise<void> {
    await this.records.set({ ...offerOf(recipient, path), value: undefined });
  }

  /**
   * Looks at the disk again, and announces any change before it resolves. A disk that does not
   * answer is waited for a few seconds. Never rejects. Concurrent calls share their looks.
   */
  async refresh(): Promise<void> {
    await Promise.all([this.disk.refresh(), this.forbidden.refresh()]);
    this.publish();
  }

  dispose(): void {
    this.store.dispose();
  }

  private ownOf(recipient: Recipient): OwnFolders {
    const known = this.own.get(recipient.id);
    if (known?.recipient === recipient) {
      return known;
    }
    const paths = [...this.pathsNamed(recipient.offers ?? []), ...this.offeredTo(recipient)];
    const own = pickedFolders(paths, path => this.disk.get(path), pathContext());
    const next: OwnFolders = {
      recipient,
      folders: uniqueFolders([...this.shared, ...own]),
      offered: recipient.offers && new Set(own.map(({ uri }) => uri)),
    };
    this.own.set(recipient.id, next);
    return next;
  }

  private pathsNamed(offers: readonly string[]): readonly string[] {
    return offeredPaths(offers, this.window, pathContext());
  }

  private readRules(): FolderRules {
    // While a disk hangs, the known targets of its links stay forbidden.
    const forbidden = this.forbiddenPaths().map(path => ({
      path,
      look: this.forbidden.getLasting(path),
    }));
    const { isExcluded } = settings.excludeFolders;
    return new SettingRules({ ...pathContext(), forbidden, isExcluded });
  }

  private forbiddenPaths(): readonly string[] {
    return [...new Set([...settings.neverExpose.paths, this.editorFolder])];
  }

  private noteDisk(): void {
    this.hasNews = true;
    this.publishSoon.request();
  }

  private readAgain(): void {
    this.window = windowFolders();
    this.hasNews = true;
    this.watch();
    this.publish();
  }

  /** Watches the present candidates only. */
  private watch(): void {
    const { workspace, extra } = this.window;
    const paths = [
      ...workspace.flatMap(({ path }) => path ?? []),
      ...extra,
      ...settings.definitions.servers.flatMap(({ offers = [] }) => this.pathsNamed(offers)),
      ...this.records.of('folder').map(({ about }) => about),
    ];
    const isPolling = vscode.workspace.isTrusted && paths.length > 0;
    this.disk.watch(paths, isPolling);
    this.forbidden.watch(this.forbiddenPaths(), isPolling);
  }

  private publish(): void {
    if (this.hasNews && !this.store.isDisposed) {
      this.hasNews = false;
      this.own.clear();
      this.shared = sharedFolders(this.window, path => this.disk.get(path), pathContext());
      this.currentRules = this.readRules();
      this.didChange.fire();
    }
  }
}

function windowFolders(): WindowFolders {
  const workspace = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    uri: uri.toString(),
    name,
    path: uri.scheme === 'file' ? uri.fsPath : undefined,
  }));
  return { workspace, extra: settings.extraFolders.paths };
}

/** The record of a path that is offered to a server. */
function offerOf({ id }: Recipient, path: string) {
  return { kind: 'folder', serverId: id, identity: '', about: path } as const;
}
