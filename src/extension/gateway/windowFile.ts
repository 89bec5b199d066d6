import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiskLooks } from '../../base/diskLooks.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import { realFolder, type WindowDescription } from '../../connect/windowFiles.ts';
import { makePrivateFolder, removeFile, replacePrivate } from '../privateFolder.ts';

/** The facts by which clients choose a window. The paths of its folders may contain links. */
export type WindowState = Required<Omit<WindowDescription, keyof Reach>>;

/** The window that a file describes. */
export interface DescribedWindow {
  /**
   * Unique among open windows. The id stays when the editor restarts: terminals still refer to the
   * window, and the new file replaces a file that a crash left.
   */
  readonly id: string;
  /** The facts for clients; `undefined` while clients must not find the window. */
  readonly state: WindowState | undefined;
  readonly onDidChange: Event<void>;
}

/** How to connect to a window's gateway. */
export type Reach = Pick<WindowDescription, 'socket' | 'nonce'>;

/**
 * The file that leads connectors to this window. If the window changes, a new file replaces it in
 * one step. `dispose` removes it. Only our own user can read it, because any reader can connect.
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
   * @param onWrite gets the contents of the file after each write.
   * @throws HumanError when the folder can't be closed to other users.
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

  /** Removes the file synchronously, because an extension that ends has little time. */
  dispose(): void {
    if (!this.store.isDisposed) {
      this.store.dispose();
      removeFile(this.path);
    }
  }

  /** Runs the writes one after the other, so that an older state never replaces a newer state. */
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

/** The longest wait for a folder's real path, in ms. A hanging disk must not hide the window. */
const longestLook = 1000;

/** Removes the socket that a killed extension host of this window left. */
function removeSocketOf(path: string): void {
  try {
    const { socket } = JSON.parse(readFileSync(path, 'utf8')) as WindowDescription;
    if (dirname(socket) === dirname(path)) {
      removeFile(socket);
    }
  } catch {
    // The file is missing or not ours, so it leads to no socket.
  }
}
