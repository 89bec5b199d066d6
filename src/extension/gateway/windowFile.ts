import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type After, afterReal } from '../../base/clock.ts';
import { DiskLooks } from '../../base/diskLooks.ts';
import { DisposableStore, type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import { realFolder, type WindowDescription } from '../../connect/windowFiles.ts';
import { makePrivateFolder, removeFile, replacePrivate } from './privateFolder.ts';

/** The editor's window, as clients choose by it. */
export interface WindowState {
  /** As the editor names them: their links not resolved. */
  readonly folders: readonly string[];
  readonly isFocused: boolean;
  readonly name: string;
  /** The clients that were allowed something here, by the names that they give themselves. */
  readonly grants: readonly string[];
}

/** The window that a file is of. */
export interface DescribedWindow {
  /**
   * Unique among open windows. Kept across a restart of the editor: terminals still name it, and the file
   * that a crash left is replaced.
   */
  readonly id: string;
  readonly state: WindowState;
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
  private focusedAt = 0;
  private wasFocused = false;
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
    after: After = afterReal,
  ): Promise<WindowFile> {
    makePrivateFolder(folder);
    const path = join(folder, `${window.id}.json`);
    removeSocketOf(path);
    const file = new WindowFile(path, window, reach, onWrite);
    const again = file.store.add(new MutableDisposable());
    const refresh = (): void =>
      void file.refresh().catch(error => {
        logger.warn(String(error));
        // On Windows another program may have it open; what it says of folders is to become true.
        again.value = after(beforeNext, refresh);
      });
    file.store.add(window.onDidChange(refresh));
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
    if (!this.store.isDisposed && textOf(this.path) === this.written) {
      removeFile(this.path);
    }
    this.store.dispose();
  }

  /** One after the other: what was read first is not written last. */
  private refresh(): Promise<void> {
    const { isFocused } = this.window.state;
    if (isFocused && !this.wasFocused) {
      this.focusedAt = Date.now();
    }
    this.wasFocused = isFocused;
    const write = () => this.writeState();
    this.work = this.work.then(write, write);
    return this.work;
  }

  private async writeState(): Promise<void> {
    const { folders, name, grants } = this.window.state;
    const real = await Promise.all(
      folders.map(folder => within(this.looks.at(folder), longestLook, folder)),
    );
    const description: WindowDescription = {
      ...this.reach,
      folders: real.filter(folder => folder !== undefined),
      focusedAt: this.focusedAt,
      name,
      grants,
    };
    const text = JSON.stringify(description);
    const mayWrite = this.written === undefined || this.isOurs();
    if (!this.store.isDisposed && mayWrite && text !== this.written) {
      replacePrivate(this.path, text);
      this.written = text;
      this.onWrite(description);
    }
  }

  /**
   * Whether no other has written the file since. The window's next extension host may be there before
   * the last is gone, and has the same file.
   */
  private isOurs(): boolean {
    const text = textOf(this.path);
    return text === undefined || text === this.written;
  }
}

/** The pause after a write that failed, in milliseconds. */
const beforeNext = 1000;
/** A disk that hangs is no reason to be found by none. */
const longestLook = 1000;

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** An extension host that was killed leaves the socket of its window, too. */
function removeSocketOf(path: string): void {
  try {
    const { socket } = JSON.parse(textOf(path) ?? '') as WindowDescription;
    if (dirname(socket) === dirname(path)) {
      removeFile(socket);
    }
  } catch {
    // There is no such file, or it is no file of ours: then nothing is left that we know of.
  }
}
