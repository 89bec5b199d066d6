import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { IDisposable } from '../../base/disposable.ts';
import { isSameFile } from '../../base/fileIdentity.ts';
import type { Logger } from '../../base/logger.ts';
import { codeOf } from '../../base/messageOf.ts';
import { cut, jsonLine, quotePath } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import { reasonOf } from '../../server/writing/reasons.ts';
import { lookAt } from '../../server/writing/writableFolder.ts';

/** Writes the whole text into the file. If it throws, the file may have a part of the text. */
export type WriteText = (fd: number, text: string) => void;

/**
 * The audit log of the hub, as JSON Lines in a file that several hubs may share. The file grows
 * until somebody or a program such as `logrotate` moves it away. Then the log begins a new file.
 */
export class AuditLog implements IDisposable {
  private readonly path: string;
  private readonly writeText: WriteText;
  private fd: number | undefined;
  /** Whether the last line may be incomplete, for example after a crash or on a full disk. */
  private isUnsure = true;

  /**
   * Appends to an existing file. A new file is readable by its owner alone.
   *
   * @param writeText for tests. Left out: writes into the file.
   * @throws {HumanError} when the file can't be opened.
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
   * Writes an event into the file, where it outlives this process. Each event is one write, in order.
   *
   * @throws {HumanError} when the write fails, because an act without a record must not happen.
   */
  write(event: AuditEvent): void {
    try {
      const fd = this.presentFile();
      // After an unfinished line, the next event still begins a line.
      const start = this.isUnsure && endsMidLine(fd) ? '\n' : '';
      this.isUnsure = true;
      this.writeText(fd, `${start}${auditLine(event, new Date())}`);
      this.isUnsure = false;
    } catch (error) {
      const problem = "The hub can't write the audit log {0}, and refuses calls until it can. {1}";
      throw new HumanError(problem, quotePath(this.path), whyNot(error));
    }
  }

  /** Writes an event that has happened already. If the write fails, logs the failure and goes on. */
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

  /** Returns the descriptor of the file that the path leads to now. Opens the file if it is new. */
  private presentFile(): number {
    const { fd } = this;
    if (fd === undefined) {
      throw new HumanError(closed);
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

const closed = 'The audit log is closed.';

const openingReasons: Readonly<Record<string, string>> = {
  EISDIR: 'The path is a folder.',
  ELOOP: 'The path is a link. Name the target of the link.',
  ENOENT: 'The folder of the audit log does not exist.',
  ENOTDIR: 'The folder of the audit log does not exist.',
};

/**
 * An event of the audit: the server called, the paths, and the decision. An event has no place for
 * the contents of a call or an answer.
 */
export interface AuditEvent {
  /** The manual explains each value. */
  readonly event: 'roots' | 'roots-changed' | 'verdict' | 'round-refused' | 'exposure' | 'child';
  readonly session?: string;
  readonly server?: string;
  /** The name of the server's instance. After a change of its configuration, a server is a new instance. */
  readonly child?: string;
  readonly tool?: string;
  /** `not-sent`: the call ended before the server got it, though nobody refused it. */
  readonly verdict?: 'allowed' | 'denied' | 'unchecked' | 'not-sent';
  readonly state?: string;
  /** The side that named the roots. */
  readonly source?: string;
  /** The paths of the client's roots, or the URIs of the roots that a server got. */
  readonly roots?: readonly string[];
  /** The paths that the hub judged. Existing paths are real paths. */
  readonly paths?: readonly string[];
  readonly reason?: string | undefined;
}

/** Limits of an entry: characters of each text, items of a list. */
const longest = { text: 1000, list: 50 };

/**
 * The event as one line of JSON, with the line end. No character can forge a line, or reverse the
 * direction of text. A shortened text ends in `…`, and `more` counts the missing items of a list.
 */
export function auditLine(event: AuditEvent, time: Date): string {
  const entry: Record<string, unknown> = { time: time.toISOString() };
  // Writes only these fields, because an object may hold more than its type says.
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

const fields = [
  ...(['event', 'session', 'server', 'child', 'tool', 'verdict', 'state', 'source'] as const),
  ...(['roots', 'paths', 'reason'] as const),
] satisfies readonly (keyof AuditEvent)[];

/** Writes the roots of one session, and the verdicts on its calls, to the audit. */
export class SessionAudit {
  /** The session's name in the audit. The name is not secret. */
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
    // The roots are in force even if this write fails. But a call without a written verdict is refused.
    const event = isChange ? 'roots-changed' : 'roots';
    this.log?.note({ event, session, roots, source }, this.logger);
  }

  /** @param isLaterRound whether the request resumes a call that already has its verdict. */
  verdictOn(called: Called, isLaterRound: boolean): VerdictRecord {
    return new VerdictRecord({ session: this.session, ...called }, isLaterRound, this.log);
  }
}

type Called = Pick<AuditEvent, 'server' | 'tool'>;

/**
 * Writes the verdict on one call to the audit, once, however the call ends. A later round of a suspended call
 * writes only a refusal, as the event `round-refused`. So the audit has as many verdicts as calls.
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

  /** @throws {HumanError} when the write fails, because a call without a record is not made. */
  note(said: Pick<AuditEvent, 'verdict' | 'paths' | 'reason'>): void {
    this.isNoted = true;
    const { verdict, paths, reason } = said;
    if (!this.isLaterRound) {
      this.log?.write({ event: 'verdict', ...this.called, ...said });
    } else if (verdict === 'denied' || verdict === 'not-sent') {
      this.log?.write({ event: 'round-refused', ...this.called, paths, reason });
    }
  }

  /** Notes the end of a request. A request without a verdict never reached its server. */
  noteEnd(error: unknown, { aborted }: AbortSignal): void {
    if (!this.isNoted) {
      const reason = aborted ? 'The client cancelled the call.' : endOf(error);
      this.note({ verdict: 'not-sent', paths: [], reason });
    }
  }
}

function endOf(error: unknown): string {
  return isHumanError(error) ? error.message : 'The hub could not send the call to the server.';
}

// Follows no link, because an attacker could place one to make the hub write another file. Does not
// wait for the reader of a pipe.
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
    throw new HumanError('The path is not a regular file.');
  }
  return fd;
}

function endsMidLine(fd: number): boolean {
  const lineEnd = Buffer.from('\n');
  const last = Buffer.from(lineEnd);
  readSync(fd, last, 0, 1, Math.max(0, fstatSync(fd).size - 1));
  return !last.equals(lineEnd);
}
