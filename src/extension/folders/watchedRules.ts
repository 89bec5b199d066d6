import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { type FolderRules, SettingRules } from '../../domain/folders/folderRules.ts';
import { pathContext } from '../pathContext.ts';
import { settings } from '../settings.ts';
import { lookAt } from './diskState.ts';
import { DiskWatch, type WatchTimes } from './diskWatch.ts';

/**
 * The rules on folders as the settings are, and as the disk is where they forbid something: which
 * of the forbidden paths exist, and where their links lead.
 */
export class WatchedRules implements IDisposable {
  private readonly editorStorage: readonly string[];
  private readonly store = new DisposableStore();
  private readonly disk: DiskWatch;

  /** The answer of {@link read} is another one from now on, on account of the disk. */
  readonly onDidChange: DiskWatch['onDidChange'];

  /** @param editorStorage is forbidden whatever the settings say. */
  constructor(editorStorage: readonly string[], times: WatchTimes) {
    this.editorStorage = editorStorage;
    this.disk = this.store.add(new DiskWatch(lookAt, times));
    this.onDidChange = this.disk.onDidChange;
  }

  read(): FolderRules {
    // A disk that hangs for a while must not let go of what its links forbid elsewhere.
    const forbidden = this.paths().map(path => ({ path, look: this.disk.getLasting(path) }));
    const { isExcluded } = settings.excludeFolders;
    return new SettingRules({ ...pathContext(), forbidden, isExcluded });
  }

  /** Brings what is looked at in line with the settings. */
  watch(isPolling: boolean): void {
    this.disk.watch(this.paths(), isPolling);
  }

  /** Looks at the disk now, a few seconds at most; never rejects. */
  refresh(): Promise<void> {
    return this.disk.refresh();
  }

  dispose(): void {
    this.store.dispose();
  }

  private paths(): readonly string[] {
    return [...new Set([...settings.neverExpose.paths, ...this.editorStorage])];
  }
}
