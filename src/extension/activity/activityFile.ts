import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exposure } from '../../domain/exposure.ts';
import { jsonLine } from '../../domain/printable.ts';

const capacity = 1024 * 1024;

/**
 * Exposures as JSON Lines on disk: `activity.jsonl`, and before it what the last rotation moved to
 * `activity.1.jsonl`. Both together never hold more than twice one megabyte.
 */
export class ActivityFile {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async append(exposures: readonly Exposure[]): Promise<void> {
    const text = toJsonLines(exposures);
    await mkdir(this.folder, { recursive: true });
    const { size } = await stat(this.newest).catch(() => ({ size: 0 }));
    if (size + Buffer.byteLength(text) > capacity) {
      await rename(this.newest, this.older).catch(ignoreMissing);
    }
    await appendFile(this.newest, text);
  }

  /** Oldest first. Lines that are no exposures are passed over. */
  async read(): Promise<Exposure[]> {
    const texts = await Promise.all(
      [this.older, this.newest].map(path => readFile(path, 'utf8').catch(ignoreMissing)),
    );
    return texts.flatMap(text => (text ?? '').split('\n')).flatMap(fromJsonLine);
  }

  private get newest(): string {
    return join(this.folder, 'activity.jsonl');
  }

  private get older(): string {
    return join(this.folder, 'activity.1.jsonl');
  }
}

/** One line of JSON for each exposure, with the time in ISO 8601. */
export function toJsonLines(exposures: readonly Exposure[]): string {
  return exposures
    .map(({ at, ...rest }) => `${jsonLine({ time: new Date(at).toISOString(), ...rest })}\n`)
    .join('');
}

function fromJsonLine(line: string): Exposure[] {
  try {
    const { time, ...rest } = JSON.parse(line);
    const exposure = { at: Date.parse(time), ...rest };
    return isExposure(exposure) ? [exposure] : [];
  } catch {
    return []; // Half a line, left by a crash: what it said can't be known.
  }
}

function isExposure(value: Partial<Record<keyof Exposure, unknown>>): value is Exposure {
  return (
    Number.isFinite(value.at) &&
    typeof value.serverId === 'string' &&
    typeof value.serverLabel === 'string' &&
    typeof value.trigger === 'object' &&
    value.trigger !== null &&
    Array.isArray(value.roots)
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return undefined;
}
