import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { cut, jsonLine, quotePath } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import { codeOf, reasonOf } from '../../server/writing/reasons.ts';
import { LineFile, type WriteText } from './lineFile.ts';

/** The log, or finished sentences that say why there is none. */
export type OpenedAudit =
  | { readonly ok: true; readonly log: AuditLog }
  | { readonly ok: false; readonly reason: string };

/**
 * What the hub did, as JSON Lines in a file that several hubs may share. It grows until somebody moves
 * it away, such as `logrotate`: then it is begun anew.
 */
export class AuditLog implements IDisposable {
  private readonly path: string;
  private readonly file: LineFile;

  private constructor(path: string, file: LineFile) {
    this.path = path;
    this.file = file;
  }

  /**
   * Appends to what is there already. A new file is for its owner alone to read.
   *
   * @param write only tests give another.
   */
  static open(path: string, write?: WriteText): OpenedAudit {
    try {
      return { ok: true, log: new AuditLog(path, new LineFile(path, write)) };
    } catch (error) {
      const reason = `The audit log ${quotePath(path)} cannot be opened. ${whyNot(error)}`;
      return { ok: false, reason };
    }
  }

  /**
   * Once it returns, the event is in the file and outlives this process.
   *
   * @throws {HumanError} when it can't be written: an act that nobody can look up later must not happen.
   */
  write(event: AuditEvent): void {
    try {
      this.file.append(auditLine(event, new Date()));
    } catch (error) {
      const problem = 'The audit log {0} cannot be written, and without it nothing is called. {1}';
      throw new HumanError(problem, quotePath(this.path), whyNot(error));
    }
  }

  /** The same for what happens anyway: a failure costs no more than the line, and is logged. */
  note(event: AuditEvent, logger: Logger): void {
    try {
      this.write(event);
    } catch (error) {
      logger.error(error instanceof Error ? error : String(error));
    }
  }

  dispose(): void {
    this.file.dispose();
  }
}

function whyNot(error: unknown): string {
  return isHumanError(error)
    ? error.message
    : (openingReasons[codeOf(error) ?? ''] ?? reasonOf(error));
}

const openingReasons: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder.',
  ELOOP: 'It is a link: name the file that it leads to.',
  ENOENT: 'Its folder does not exist.',
  ENOTDIR: 'Its folder does not exist.',
};

/**
 * What the audit tells: who was called, with which paths, and what was decided. There is no place
 * in it for what a call holds or answers.
 */
export type AuditEvent = RootsEvent | VerdictEvent | RoundEvent | ExposureEvent | ChildEvent;

/** What the client of a session named as its roots, when it was asked or told of a change. */
interface RootsEvent {
  readonly event: 'roots' | 'roots-changed';
  readonly session: string;
  readonly roots: readonly string[];
  /** Who said so. */
  readonly source: string;
}

/** What was decided of one call, before the server heard of it. */
export interface VerdictEvent {
  readonly event: 'verdict';
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly verdict: 'allowed' | 'denied' | 'unchecked';
  /** The paths that were judged: real ones where there are any. */
  readonly paths: readonly string[];
  readonly reason?: string | undefined;
}

/** The client went on with a call that had been allowed, and that was refused: the call is over. */
interface RoundEvent extends Omit<VerdictEvent, 'event' | 'verdict'> {
  readonly event: 'round-refused';
}

/** Roots that one running instance of a server was handed because it asked for them. */
interface ExposureEvent {
  readonly event: 'exposure';
  readonly server: string;
  readonly child: string;
  /** As it was told them: URIs. */
  readonly roots: readonly string[];
}

/** What became of one running instance of a server. */
interface ChildEvent {
  readonly event: 'child';
  readonly server: string;
  /** Which instance: a server whose configuration changes has another. */
  readonly child: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

/** How many characters of each text are written, and how many items of a list. */
const longest = { text: 1000, list: 50 };

/**
 * The event as one line of JSON, with its end, free of characters that could forge a line or turn
 * text around. A text that was cut ends in `…`, and `more` counts what is left out of a list.
 */
export function auditLine(event: AuditEvent, time: Date): string {
  const said: Partial<Record<Field, string | readonly string[]>> = event;
  const entry: Record<string, unknown> = { time: time.toISOString() };
  // Only these fields are written: an object may hold more than its type says.
  for (const field of fields) {
    const value = said[field];
    if (typeof value === 'string') {
      entry[field] = cut(value, longest.text);
    } else if (value) {
      const more = value.length - longest.list;
      entry[field] = value.slice(0, longest.list).map(one => cut(one, longest.text));
      entry['more'] = more > 0 ? more : undefined;
    }
  }
  return `${jsonLine(entry)}\n`;
}

type KeyOf<T> = T extends unknown ? keyof T : never;
type Field = KeyOf<AuditEvent>;

/** In the order in which they are told. */
const fields = [
  ...(['event', 'session', 'server', 'child', 'tool', 'verdict', 'state', 'source'] as const),
  ...(['roots', 'paths', 'reason'] as const),
] satisfies readonly Field[];
