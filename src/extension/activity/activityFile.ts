import { renameSync } from 'node:fs';
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { whileBusy } from '../../base/busyFile.ts';
import type { Activity, ServerEvent } from '../../domain/activity.ts';
import type { ConfigurationRoute, Exposure, Trigger } from '../../domain/exposure.ts';
import { jsonLine } from '../../domain/printable.ts';
import type { Root } from '../../domain/roots.ts';
import type { Sentence } from '../../domain/sentence.ts';

const capacity = 1024 * 1024;

/**
 * The activity as JSON Lines on disk: the newest in `activity.jsonl`, earlier ones in
 * `activity.1.jsonl`, where the last rotation moved them. Neither ever exceeds one megabyte.
 */
export class ActivityFile {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Adds the entries in their order, rotating as often as that takes.
   *
   * @throws after the others are written, when one alone is longer than a file may be: part of an
   * exposure would tell of less than what was exposed, so it is left out whole.
   */
  async append(entries: readonly Activity[]): Promise<void> {
    const lines = entries.map(toJsonLine);
    const fitting = lines.filter(line => Buffer.byteLength(line) <= capacity);
    await mkdir(this.folder, { recursive: true });
    await this.appendLines(fitting);
    if (fitting.length < lines.length) {
      const count = lines.length - fitting.length;
      throw new Error(`${count} entries are too long for the activity file and are not in it.`);
    }
  }

  /** Oldest first. Lines that it can't read are passed over: another version may have written them. */
  async read(): Promise<Activity[]> {
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
        whileBusy(() => renameSync(this.newest, this.older));
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

/** One line of JSON for each entry, with the time in ISO 8601. */
export function toJsonLines(entries: readonly Activity[]): string {
  return entries.map(toJsonLine).join('');
}

function toJsonLine({ at, ...rest }: Activity): string {
  return `${jsonLine({ time: new Date(at).toISOString(), ...rest })}\n`;
}

function fromJsonLine(line: string): Activity[] {
  try {
    const { time, ...rest } = JSON.parse(line);
    const entry = { at: Date.parse(time), ...rest };
    return isActivity(entry) ? [entry] : [];
  } catch {
    return []; // Half a line, left by a crash: what it said can't be known.
  }
}

type Unchecked<T> = { readonly [K in keyof T]?: unknown };

function isActivity(value: Unchecked<Activity>): value is Activity {
  return (
    Number.isFinite(value.at) &&
    isText(value.serverId) &&
    isText(value.serverLabel) &&
    (value.client === undefined || isText(value.client)) &&
    (value.kind === undefined ? isExposure(value) : isServerEvent(value))
  );
}

type Kind = ServerEvent['kind'];
type FieldCheck = (value: unknown) => boolean;
/** The fields that only events of that kind have. */
type FieldsOf<K extends Kind> = Exclude<
  keyof Extract<ServerEvent, { kind: K }>,
  keyof Exposure | 'kind'
>;

const eventFields: { readonly [K in Kind]: { readonly [F in FieldsOf<K>]-?: FieldCheck } } = {
  'session-began': {},
  'session-ended': { reason: value => value === undefined || isSentence(value) },
  answered: {
    decision: value => isOneOf(value, 'allowed', 'denied', 'withdrawn'),
    scope: value => isOneOf(value, 'session', 'workspace', 'always'),
    folders: value => isListOfTexts(value),
  },
  started: {
    mode: value => isOneOf(value, 'by-hand', 'by-itself'),
    protocolVersion: value => isText(value),
  },
  stopped: {},
  failed: { reason: value => isSentence(value) },
  revoked: {},
  checked: { result: value => isSentence(value) },
};

function isServerEvent(event: Unchecked<ServerEvent>): boolean {
  const fields = new Map<unknown, Readonly<Record<string, FieldCheck>>>(
    Object.entries(eventFields),
  );
  const checks = fields.get(event.kind);
  const values = event as Readonly<Record<string, unknown>>;
  return checks !== undefined && Object.keys(checks).every(field => checks[field]?.(values[field]));
}

function isExposure(value: Unchecked<Exposure>): boolean {
  return (
    isTrigger(value.trigger) &&
    isEra(value.era, value.trigger) &&
    Number.isSafeInteger(value.count) &&
    Array.isArray(value.roots) &&
    value.roots.every(isRoot)
  );
}

/** At the launch the era is not known, since the server had not answered yet. */
function isEra(era: unknown, { kind }: Trigger): boolean {
  return kind === 'launch' ? era === undefined : era === 'legacy' || era === 'modern';
}

function isTrigger(value: unknown): value is Trigger {
  const trigger = Object(value) as Readonly<Record<string, unknown>>;
  switch (trigger['kind']) {
    case 'roots/list':
      return true;
    case 'tools/call':
      return isText(trigger['tool']);
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
  return isText(uri) && isText(name);
}

function isSentence(value: unknown): value is Sentence {
  const { template, values } = Object(value) as Unchecked<Sentence>;
  return isText(template) && Array.isArray(values) && values.every(isPart);
}

function isPart(value: unknown): boolean {
  return isText(value) || isSentence(value);
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isOneOf(value: unknown, ...words: readonly string[]): boolean {
  return isText(value) && words.includes(value);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return undefined;
}
