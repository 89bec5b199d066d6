import { existsSync, lstatSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HumanError } from '../../../domain/errors.ts';
import { reasonOf } from '../../writing/reasons.ts';

/**
 * Where processes start that have no root: a folder of the hub's own, for its user alone, with
 * nothing in it but what they leave there. In the home, a tool that works on its working directory
 * when no path is given would work on what nobody has shared.
 */
export class EmptyFolder {
  private made: string | undefined;
  private isRemoved = false;

  /**
   * Its real path. It is made when it is first needed, and anew when somebody cleared it away.
   *
   * @throws {HumanError} when it can't be made, and once it was removed.
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

  /** Removes it for good, with what is in it. Never rejects. */
  async remove(): Promise<void> {
    this.isRemoved = true;
    if (this.made !== undefined && isOurs(this.made)) {
      // What can't be removed is left to whoever clears temporary folders away.
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
 * One for this user alone, where the system has it: programs such as npm look for what they run in
 * all folders above, too.
 */
function temporaryPlace(): string {
  const { XDG_RUNTIME_DIR: own = '' } = process.env;
  return isAbsolute(own) && existsSync(own) ? own : tmpdir();
}

/** After it was cleared away, another user may have put something in its place. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
}
