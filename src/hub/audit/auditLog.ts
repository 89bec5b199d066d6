import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { IDisposable } from '../../base/disposable.ts';
import { isSameFile } from '../../base/fileIdentity.ts';
import type { Logger } from '../../base/logger.ts';
import { codeOf } from '../../base/messageOf.ts';
import { cut, jsonLine, quotePath } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import { lookAt } from '../../server/writing/identity.ts';
import { reasonOf } from '../../server/writing/reasons.ts';

/** Writes all of it, or throws when a part may be written. */
export type WriteText = (fd: number, text: string) => void;

/**
 * The record of what the hub did, as JSON Lines in a file that several hubs may share. It grows until
 * somebody moves it away, such as `logrotate`: then it is begun anew.
 */
export class AuditLog implements IDisposable {
  private readonly path: string;
  private readonly writeText: WriteText;
  private fd: number | undefined;
  /** Whether the last line in it may lack its end, as a crash of the machine or a full disk leaves one. */
  private isUnsure = true;

  /**
   * Appends to what is there already. A new file is for its owner alone to read.
   *
   * @param writeText only tests give another.
   * @throws {HumanError} when it can't be opened.
   */
  constructor(path: string, writeText: WriteText = writeFileSync) {
    this.path = path;
    this.writeText = writeText;
    try {
      this.fd = openRegular(path);
    } catch (error) {
      const problem = 'The audit log {0} cannot be opened. {1}';
      throw new HumanError(problem, quotePath(path), whyNot(error));
    }
  }

  /**
   * Once it returns, the event is in the file and outlives this process: each is one write, in order.
   *
   * @throws {HumanError} when it can't be written: an act that nobody can look up later must not happen.
   */
  write(event: AuditEvent): void {
    try {
      const fd = this.presentFile();
      // After one that is not there as a whole, the next begins a line anyway.
      const start = this.isUnsure && endsMidLine(fd) ? '\n' : '';
      this.isUnsure = true;
      this.writeText(fd, `${start}${auditLine(event, new Date())}`);
      this.isUnsure = false;
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
    if (this.fd !== undefined) {
      closeSync(this.fd);
      this.fd = undefined;
    }
  }

  /** The file that the path leads to now. */
  private presentFile(): number {
    const { fd } = this;
    if (fd === undefined) {
      throw new HumanError('It was closed.');
    }
    if (isSameFile(fstatSync(fd, { bigint: true }), lookAt(this.path))) {
      return fd;
    }
    const next = openRegular(this.path);
    closeSync(fd);
    this.fd = next;
    return next;
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
 * An event of the audit: who was called, with which paths, and what was decided. There is no place
 * in it for what a call holds or answers.
 */
export interface AuditEvent {
  /** Their meanings are in the manual. */
  readonly event: 'roots' | 'roots-changed' | 'verdict' | 'round-refused' | 'exposure' | 'child';
  readonly session?: string;
  readonly server?: string;
  /** The name of the instance: a server whose configuration changes has another. */
  readonly child?: string;
  readonly tool?: string;
  /** Before the server heard of the call. `not-sent`: nothing came of it, without a refusal. */
  readonly verdict?: 'allowed' | 'denied' | 'unchecked' | 'not-sent';
  readonly state?: string;
  /** The side that said which roots there are. */
  readonly source?: string;
  /** Of a client its folders; those of an instance as it was told them: URIs. */
  readonly roots?: readonly string[];
  /** The paths that were judged: real ones where there are any. */
  readonly paths?: readonly string[];
  readonly reason?: string | undefined;
}

/** The most that is written: characters of each text, items of a list. */
const longest = { text: 1000, list: 50 };

/**
 * The event as one line of JSON, with its end, free of characters that could forge a line or turn
 * text around. A text that was cut ends in `…`, and `more` counts what is left out of a list.
 */
export function auditLine(event: AuditEvent, time: Date): string {
  const entry: Record<string, unknown> = { time: time.toISOString() };
  // Only these fields are written: an object may hold more than its type says.
  for (const field of fields) {
    const value = event[field];
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

/** In the order in which they are told. */
const fields = [
  ...(['event', 'session', 'server', 'child', 'tool', 'verdict', 'state', 'source'] as const),
  ...(['roots', 'paths', 'reason'] as const),
] satisfies readonly (keyof AuditEvent)[];

/** Writes the roots of one session, and the verdicts on its calls, to the audit. */
export class SessionAudit {
  /** The name of the session in the audit: no secret. */
  private readonly session: string;
  private readonly log: AuditLog | undefined;
  private readonly logger: Logger;
  private lastRoots: string | undefined;

  constructor(session: string, log: AuditLog | undefined, logger: Logger) {
    this.session = session;
    this.log = log;
    this.logger = logger;
  }

  /** Notes a roots view: the roots of the session, or of one modern call, and who named them. */
  noteRoots({ folders, source }: RootsView): void {
    const { session } = this;
    const roots = folders.scope.roots.map(({ announced }) => announced);
    const key = JSON.stringify([source, roots]);
    const isChange = this.lastRoots !== undefined && this.lastRoots !== key;
    this.lastRoots = key;
    // The roots are in force even unwritten; a call whose verdict can't be written is refused.
    const event = isChange ? 'roots-changed' : 'roots';
    this.log?.note({ event, session, roots, source }, this.logger);
  }

  /** @param isLaterRound whether the request resumes a call, which has its verdict already. */
  verdictOn(called: Called, isLaterRound: boolean): VerdictRecord {
    return new VerdictRecord({ session: this.session, ...called }, isLaterRound, this.log);
  }
}

type Called = Pick<AuditEvent, 'server' | 'tool'>;

/**
 * Writes the verdict on one call to the audit: once, whatever becomes of the call. Of the later
 * rounds of a suspended call only a refusal is written, as an event of its own: there are as many
 * verdicts as calls.
 */
export class VerdictRecord {
  private readonly called: Pick<AuditEvent, 'session' | 'server' | 'tool'>;
  private readonly isLaterRound: boolean;
  private readonly log: AuditLog | undefined;
  private isNoted = false;

  constructor(called: VerdictRecord['called'], isLaterRound: boolean, log: AuditLog | undefined) {
    this.called = called;
    this.isLaterRound = isLaterRound;
    this.log = log;
  }

  /** @throws {HumanError} when it can't be written: a call without a record is not made. */
  note(said: Pick<AuditEvent, 'verdict' | 'paths' | 'reason'>): void {
    this.isNoted = true;
    const { verdict, paths, reason } = said;
    if (!this.isLaterRound) {
      this.log?.write({ event: 'verdict', ...this.called, ...said });
    } else if (verdict === 'denied' || verdict === 'not-sent') {
      this.log?.write({ event: 'round-refused', ...this.called, paths, reason });
    }
  }

  /** The request has ended: one without a verdict never reached its server. */
  noteEnd(error: unknown, { aborted }: AbortSignal): void {
    if (!this.isNoted) {
      const reason = aborted ? 'The client cancelled it.' : endOf(error);
      this.note({ verdict: 'not-sent', paths: [], reason });
    }
  }
}

function endOf(error: unknown): string {
  return isHumanError(error) ? error.message : 'It could not be passed on.';
}

// Never through a link, which could be laid there to have another file written; and never waiting
// for somebody to read from a pipe.
const flags =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

function openRegular(path: string): number {
  const fd = openSync(path, flags, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new HumanError('It is no regular file.');
  }
  return fd;
}

function endsMidLine(fd: number): boolean {
  const lineEnd = Buffer.from('\n');
  const last = Buffer.from(lineEnd);
  readSync(fd, last, 0, 1, Math.max(0, fstatSync(fd).size - 1));
  return !last.equals(lineEnd);
}
