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

/** The window that a file is of. */
export interface DescribedWindow {
  /**
   * Unique among open windows. Kept across a restart of the editor: terminals still name it, and the file
   * that a crash left is replaced.
   */
  readonly id: string;
  /** `undefined`: no client is to find it now. */
  readonly state: WindowState | undefined;
  readonly onDidChange: Event<void>;
}

/** The way to a window's gateway. */
export type Reach = Pick<WindowDescription, 'socket' | 'nonce'>;

/**
 * The file by which connectors find this window: written anew, in one step, when the window changes,
 * and removed with this object. To read it is to be able to connect: it is our own user's alone.
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
   * @param onWrite is told what the file says, each time.
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

  /** At once, because an extension that ends is not waited for long. */
  dispose(): void {
    if (!this.store.isDisposed) {
      this.store.dispose();
      removeFile(this.path);
    }
  }

  /** One after the other: what was read first is not written last. */
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

/** A disk that hangs is no reason to be found by none. */
const longestLook = 1000;

/** An extension host that was killed leaves the socket of its window, too. */
function removeSocketOf(path: string): void {
  try {
    const { socket } = JSON.parse(readFileSync(path, 'utf8')) as WindowDescription;
    if (dirname(socket) === dirname(path)) {
      removeFile(socket);
    }
  } catch {
    // There is no such file, or it is no file of ours: then nothing is left that we know of.
  }
}
