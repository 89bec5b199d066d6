import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiskLooks } from '../../base/diskLooks.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import { realFolder, type WindowDescription } from '../../connect/windowFiles.ts';
import { makePrivateFolder, removeFile, replacePrivate } from '../privateFolder.ts';

/** The editor's window, as clients choose by it: the links in its folders are not resolved. */
export type WindowState = Required<Omit<WindowDescription, keyof Reach>>;

/** The window that a file describes. */
export interface DescribedWindow {
  /**
   * Unique among open windows. Kept across a restart of the editor: terminals still name the window, and the
   * new file replaces one that a crash left.
   */
  readonly id: string;
  /** `undefined`: clients must not find the window now. */
  readonly state: WindowState | undefined;
  readonly onDidChange: Event<void>;
}

/** The way to a window's gateway. */
export type Reach = Pick<WindowDescription, 'socket' | 'nonce'>;

/**
 * The file that leads connectors to this window. A change of the window replaces the file in one step, and
 * `dispose` removes it. Only our own user can read the file, because any reader can connect.
 */
export class WindowFile implements IDisposable {
  private readonly path: string;
  private readonly window: DescribedWindow;
  private readonly reach: Reach;
  private readonly onWrite: (description: WindowDescription) => void;
  private readonly store = new DisposableStore();
  private readonly looks = new DiskLooks(realFolder);
  private written: string | undefined;
  private work: Promise<void> = Promise.resolve();

  /**
   * @param onWrite receives the contents of the file after each write.
   * @throws HumanError when others can't be kept out of the folder.
   */
  static async write(
    folder: string,
    window: DescribedWindow,
    reach: Reach,
    logger: Logger,
    onWrite: (description: WindowDescription) => void = () => {},
  ): Promise<WindowFile> {
    makePrivateFolder(folder);
    const path = join(folder, `${window.id}.json`);
    removeSocketOf(path);
    const file = new WindowFile(path, window, reach, onWrite);
    file.store.add(
      window.onDidChange(() => void file.refresh().catch(error => logger.warn(String(error)))),
    );
    try {
      await file.refresh();
      return file;
    } catch (error) {
      file.dispose();
      throw error;
    }
  }

  private constructor(
    path: string,
    window: DescribedWindow,
    reach: Reach,
    onWrite: (description: WindowDescription) => void,
  ) {
    this.onWrite = onWrite;
    this.path = path;
    this.window = window;
    this.reach = reach;
  }

  /** Removes the file at once, because an ending extension has little time. */
  dispose(): void {
    if (!this.store.isDisposed) {
      this.store.dispose();
      removeFile(this.path);
    }
  }

  /** Writes in sequence, so that an older state never replaces a newer one. */
  private refresh(): Promise<void> {
    const write = () => this.writeState();
    this.work = this.work.then(write, write);
    return this.work;
  }

  private async writeState(): Promise<void> {
    const { state } = this.window;
    if (!state) {
      removeFile(this.path);
      this.written = undefined;
      return;
    }
    const real = await Promise.all(
      state.folders.map(folder => within(this.looks.at(folder), longestLook, folder)),
    );
    const folders = real.filter(folder => folder !== undefined);
    const description = { ...this.reach, ...state, folders };
    const text = JSON.stringify(description);
    if (!this.store.isDisposed && text !== this.written) {
      replacePrivate(this.path, text);
      this.written = text;
      this.onWrite(description);
    }
  }
}

/** In milliseconds: longer looks are given up, because a hanging disk must not hide the window. */
const longestLook = 1000;

/** Removes the socket that a killed extension host of this window left. */
function removeSocketOf(path: string): void {
  try {
    const { socket } = JSON.parse(readFileSync(path, 'utf8')) as WindowDescription;
    if (dirname(socket) === dirname(path)) {
      removeFile(socket);
    }
  } catch {
    // Without a readable file of ours, no socket is known to be left.
  }
}
