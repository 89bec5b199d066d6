import { lstatSync } from 'node:fs';
import { isoTime } from '../isoTime.ts';
import type { PinnedFolder } from '../paths/pins.ts';
import type { Entry } from './names.ts';

/** What is looked up for each entry separately, which takes far longer than all names together. */
export interface EntryDetails {
  /** In bytes; files only. */
  readonly size?: number;
  readonly modified?: string;
}

/** The details of an entry of an opened folder; none of what can't be looked at, or is gone. */
export function detailsOf({ at }: Pick<PinnedFolder, 'at'>, { name, type }: Entry): EntryDetails {
  try {
    const stats = type === 'unreachable' ? undefined : lstatSync(at(name));
    const modified = stats && isoTime(stats.mtime);
    return {
      ...(stats?.isFile() && { size: stats.size }),
      ...(modified !== undefined && { modified }),
    };
  } catch {
    return {}; // It is listed all the same: it was there a moment ago.
  }
}
