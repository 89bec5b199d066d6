import * as vscode from 'vscode';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import {
  offeredPaths,
  pickedFolders,
  sharedFolders,
  type WindowFolders,
} from '../../domain/folders/candidates.ts';
import type { FolderRules } from '../../domain/folders/folderRules.ts';
import { absolutePath } from '../../domain/folders/folderSettings.ts';
import { type Folder, uniqueFolders } from '../../domain/folders/folders.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { Setting } from '../ids.ts';
import { pathContext } from '../pathContext.ts';
import { settings } from '../settings.ts';
import { lookAt } from './diskState.ts';
import { DiskWatch } from './diskWatch.ts';
import type { OfferedFolders } from './offeredFolders.ts';
import { WatchedRules } from './watchedRules.ts';

/** Candidates are looked at often enough that a change, or a disk that hangs, is noticed within 2 s. */
const candidateTimes = { interval: 1000, longest: 800, first: 3000 };
const forbiddenTimes = { interval: 10_000, longest: 3000, first: 3000 };
/** Disks that answer at about the same time make one change, not one for each folder. */
const burst = { quiet: 5, longest: 50 };

const watchedSettings = [
  Setting.extraFolders,
  Setting.excludeFolders,
  Setting.neverExpose,
  Setting.servers,
] as const;

/** What the candidates depend on besides the window, the settings and the disk. */
export interface CandidateContext {
  readonly offered: OfferedFolders;
  /** Where this editor keeps what is its own: never exposed, whatever the settings say. */
  readonly editorStorage: readonly string[];
}

/** Who folders are offered to. */
export type Recipient = Pick<ServerDefinition, 'id' | 'offers'>;

interface OwnFolders {
  readonly recipient: Recipient;
  readonly folders: readonly Folder[];
  /** The URIs of those it is asked about without more ado; `undefined`: of all. */
  readonly offered: ReadonlySet<string> | undefined;
}

/**
 * The folders that may become roots: those of the window, the same for all servers, and those that
 * were offered to one. A removed folder is gone at once. An added one appears when the disk was
 * looked at, and then is looked at every second, as long as the window is trusted.
 */
export class CandidateFolders implements IDisposable {
  private readonly context: CandidateContext;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly disk = this.store.add(new DiskWatch(lookAt, candidateTimes));
  private readonly publishSoon = this.store.add(new Debounce(() => this.publish(), burst));
  private readonly own = new Map<string, OwnFolders>();
  /** Read when they change: every server asks for its folders after every change of a disk. */
  private window: WindowFolders;
  private shared: readonly Folder[] = [];
  private readonly watchedRules: WatchedRules;
  private currentRules: FolderRules;
  /** Whether something has changed since it was last told. */
  private hasNews = true;

  readonly onDidChange = this.didChange.event;

  constructor(context: CandidateContext) {
    this.context = context;
    this.window = windowFolders();
    this.watchedRules = this.store.add(new WatchedRules(context.editorStorage, forbiddenTimes));
    this.currentRules = this.watchedRules.read();
    const readAgain = () => this.readAgain();
    const noteDisk = () => this.noteDisk();
    this.store.add(this.disk.onDidChange(noteDisk));
    this.store.add(this.watchedRules.onDidChange(noteDisk));
    this.store.add(context.offered.onDidChange(readAgain));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(readAgain));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(readAgain));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (watchedSettings.some(id => change.affectsConfiguration(id))) {
          this.readAgain();
        }
      }),
    );
    this.store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          void this.refresh();
        }
      }),
    );
    this.watch();
  }

  /** The candidates of every server: the workspace in the order of the Explorer, then the extra ones. */
  get value(): readonly Folder[] {
    return this.shared;
  }

  /** What no answer can overrule. */
  get rules(): FolderRules {
    return this.currentRules;
  }

  /** All candidates of one server: those of every server, then what it alone was offered. */
  for(recipient: Recipient): readonly Folder[] {
    return this.ownOf(recipient).folders;
  }

  /** Whether to ask about a folder for one server, though nobody did anything with it yet. */
  isOffered(recipient: Recipient, { uri }: Folder): boolean {
    return this.ownOf(recipient).offered?.has(uri) ?? true;
  }

  /** Makes folders candidates of one server and answers what is there, once the disk was looked at. */
  async offer(recipient: Recipient, paths: readonly string[]): Promise<readonly Folder[]> {
    const absolute = paths.flatMap(path => absolutePath(path, pathContext()) ?? []);
    await this.context.offered.add(recipient.id, absolute);
    await this.refresh();
    const found = pickedFolders(absolute, path => this.disk.get(path), pathContext());
    const uris = new Set(found.map(({ uri }) => uri));
    return this.for(recipient).filter(({ uri }) => uris.has(uri));
  }

  /** The paths that the user offered to one server. */
  offeredTo({ id }: Recipient): readonly string[] {
    return this.context.offered.of(id);
  }

  /** Takes back what the user offered. What was answered on it stays, for when it is offered again. */
  async withdraw({ id }: Recipient, path: string): Promise<void> {
    await this.context.offered.remove(id, path);
  }

  /**
   * Looks at the disk again, a few seconds at most. Settles when all is true to it, and that was told
   * of; never rejects. Those who ask at the same time share the looks.
   */
  async refresh(): Promise<void> {
    await Promise.all([this.disk.refresh(), this.watchedRules.refresh()]);
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
    const paths = this.pathsFor(recipient);
    const own = pickedFolders(paths, path => this.disk.get(path), pathContext());
    const next: OwnFolders = {
      recipient,
      folders: uniqueFolders([...this.shared, ...own]),
      offered: recipient.offers && new Set(own.map(({ uri }) => uri)),
    };
    this.own.set(recipient.id, next);
    return next;
  }

  private pathsFor({ id, offers = [] }: Recipient): readonly string[] {
    return [...this.pathsNamed(offers), ...this.context.offered.of(id)];
  }

  private pathsNamed(offers: readonly string[]): readonly string[] {
    return offeredPaths(offers, this.window, pathContext());
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

  /** Brings what is looked at in line with what there is. */
  private watch(): void {
    const { workspace, extra } = this.window;
    const paths = [
      ...workspace.flatMap(({ path }) => path ?? []),
      ...extra,
      ...settings.servers.flatMap(({ offers = [] }) => this.pathsNamed(offers)),
      ...this.context.offered.paths,
    ];
    const isPolling = vscode.workspace.isTrusted && paths.length > 0;
    this.disk.watch(paths, isPolling);
    this.watchedRules.watch(isPolling);
  }

  private publish(): void {
    if (this.hasNews && !this.store.isDisposed) {
      this.hasNews = false;
      this.own.clear();
      this.shared = sharedFolders(this.window, path => this.disk.get(path), pathContext());
      this.currentRules = this.watchedRules.read();
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
