import { existsSync, lstatSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HumanError } from '../../domain/sentence.ts';
import { reasonOf } from '../../server/writing/reasons.ts';

/**
 * The folder in which processes without a root start: the hub's own, for its user alone, and empty
 * but for what these processes leave there. If they started in the home folder, a tool that works
 * on its working directory when no path is given would work on files that nobody has shared.
 */
export class EmptyFolder {
  private made: string | undefined;
  private isRemoved = false;

  /**
   * The real path of the folder, which is made when first needed, and anew after somebody cleared
   * it away.
   *
   * @throws {HumanError} when the folder can't be made, and once it was removed.
   */
  path(): string {
    if (this.isRemoved) {
      throw new HumanError('The hub is ending.');
    }
    if (this.made === undefined || !isOurs(this.made)) {
      this.made = newFolder();
    }
    return this.made;
  }

  /** Removes the folder for good, with all that is in it. Never rejects. */
  async remove(): Promise<void> {
    this.isRemoved = true;
    if (this.made !== undefined && isOurs(this.made)) {
      // A folder that can't be removed stays until the system clears its temporary folders.
      await rm(this.made, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    }
  }
}

function newFolder(): string {
  const place = temporaryPlace();
  try {
    return realpathSync.native(mkdtempSync(join(place, 'mcp-roots-hub-')));
  } catch (error) {
    const problem = 'Without a root it starts in an empty folder, which {0} has no place for. {1}';
    throw new HumanError(problem, place, reasonOf(error));
  }
}

/**
 * A folder for this user alone, where the system has one: programs such as npm search all folders
 * above their working directory, too, and run what they find there.
 */
function temporaryPlace(): string {
  const { XDG_RUNTIME_DIR: own = '' } = process.env;
  return isAbsolute(own) && existsSync(own) ? own : tmpdir();
}

/** Whether it is still our folder: another user may have replaced it after it was cleared away. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
}
