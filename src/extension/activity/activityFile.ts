import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigurationRoute, Exposure, Trigger } from '../../domain/exposure.ts';
import { jsonLine } from '../../domain/printable.ts';
import type { Root } from '../../domain/roots.ts';

const capacity = 1024 * 1024;

/**
 * Exposures as JSON Lines on disk: the newest in `activity.jsonl`, earlier ones in
 * `activity.1.jsonl`, where the last rotation moved them. Neither ever exceeds one megabyte.
 */
export class ActivityFile {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Adds the exposures in their order, rotating as often as that takes.
   *
   * @throws after the others are written, when one alone is longer than a file may be: part of an
   * exposure would tell of less than what was exposed, so it is left out whole.
   */
  async append(exposures: readonly Exposure[]): Promise<void> {
    const lines = exposures.map(toJsonLine);
    const fitting = lines.filter(line => Buffer.byteLength(line) <= capacity);
    await mkdir(this.folder, { recursive: true });
    await this.appendLines(fitting);
    if (fitting.length < lines.length) {
      const count = lines.length - fitting.length;
      throw new Error(`${count} exposures are too long for the activity file and are not in it.`);
    }
  }

  /** Oldest first. Lines that are no exposures are passed over. */
  async read(): Promise<Exposure[]> {
    const texts = await Promise.all(
      [this.older, this.newest].map(path => readFile(path, 'utf8').catch(ignoreMissing)),
    );
    return texts.flatMap(text => (text ?? '').split('\n')).flatMap(fromJsonLine);
  }

  private async appendLines(lines: readonly string[]): Promise<void> {
    let size = (await stat(this.newest).catch(ignoreMissing))?.size ?? 0;
    let chunk = '';
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (size + length > capacity) {
        await appendFile(this.newest, chunk);
        await rename(this.newest, this.older);
        chunk = '';
        size = 0;
      }
      chunk += line;
      size += length;
    }
    await appendFile(this.newest, chunk);
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
  return exposures.map(toJsonLine).join('');
}

function toJsonLine({ at, ...rest }: Exposure): string {
  return `${jsonLine({ time: new Date(at).toISOString(), ...rest })}\n`;
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

type Unchecked<T> = { readonly [K in keyof T]?: unknown };

function isExposure(value: Unchecked<Exposure>): value is Exposure {
  return (
    Number.isFinite(value.at) &&
    typeof value.serverId === 'string' &&
    typeof value.serverLabel === 'string' &&
    isTrigger(value.trigger) &&
    isEra(value.era, value.trigger) &&
    Number.isSafeInteger(value.count) &&
    Array.isArray(value.roots) &&
    value.roots.every(isRoot)
  );
}

/** The era of an exposure at the launch is not known: the server had not answered yet. */
function isEra(era: unknown, { kind }: Trigger): boolean {
  return kind === 'launch' ? era === undefined : era === 'legacy' || era === 'modern';
}

function isTrigger(value: unknown): value is Trigger {
  const trigger = Object(value) as Readonly<Record<string, unknown>>;
  switch (trigger['kind']) {
    case 'roots/list':
      return true;
    case 'tools/call':
      return typeof trigger['tool'] === 'string';
    case 'launch':
      return Array.isArray(trigger['as']) && trigger['as'].every(isRoute);
    default:
      return false;
  }
}

function isRoute(value: unknown): value is ConfigurationRoute {
  return value === 'args' || value === 'env' || value === 'mount';
}

function isRoot(value: unknown): value is Root {
  const { uri, name } = Object(value) as Unchecked<Root>;
  return typeof uri === 'string' && typeof name === 'string';
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return undefined;
}
