import { writeSync } from 'node:fs';
import type { IDisposable } from '../../../base/disposable.ts';
import { HumanError, isHumanError } from '../../../domain/errors.ts';
import { quotePath } from '../../../domain/paths/pathNames.ts';
import { codeOf, reasonOf } from '../../writing/reasons.ts';
import type { AuditEvent } from './auditEvent.ts';
import { auditLine } from './auditLine.ts';
import { LineFile, type LineFileOptions } from './lineFile.ts';

export type { AuditEvent };

/** The log, or finished sentences that say why there is none. */
export type OpenedAudit =
  | { readonly ok: true; readonly log: AuditLog }
  | { readonly ok: false; readonly reason: string };

/** How an audit log is kept; only tests keep it in another way than usual. */
export interface AuditLogOptions extends Omit<LineFileOptions, 'onStuck'> {
  /** Is told what somebody should look into, in finished sentences. Nothing is lost by it. */
  readonly onProblem: (problem: string) => void;
}

/**
 * What the hub did, as JSON Lines in a file that several hubs may share. FILE.1 to FILE.3 are the
 * full ones before it, each of 10 MB; what is older is gone.
 */
export class AuditLog implements IDisposable {
  private readonly path: string;
  private readonly file: LineFile;

  private constructor(path: string, file: LineFile) {
    this.path = path;
    this.file = file;
  }

  /** Appends to what is there already. A new file is for its owner alone to read. */
  static open(path: string, options: Partial<AuditLogOptions> = {}): OpenedAudit {
    const { onProblem, ...kept } = { ...usual, ...options };
    const onStuck = () => onProblem(stuck(path));
    try {
      return { ok: true, log: new AuditLog(path, new LineFile(path, { ...kept, onStuck })) };
    } catch (error) {
      const reason = `The audit log ${quotePath(path)} cannot be opened. ${whyNot(error)}`;
      return { ok: false, reason };
    }
  }

  /**
   * Once it returns, the event is in the file and outlives this process.
   *
   * @throws {HumanError} when it can't be written: what nobody can look up later must not be done.
   */
  write(event: AuditEvent): void {
    try {
      this.file.append(auditLine(event, new Date()));
    } catch (error) {
      const problem = 'The audit log {0} cannot be written, and without it nothing is called. {1}';
      throw new HumanError(problem, quotePath(this.path), whyNot(error));
    }
  }

  /** Whether it is written into the file that this path leads to. */
  isAt(path: string): boolean {
    return this.file.isAt(path);
  }

  dispose(): void {
    this.file.dispose();
  }
}

const usual: AuditLogOptions = {
  capacity: 10 * 1024 * 1024,
  kept: 3,
  write: writeSync,
  onProblem: () => {},
};

function stuck(path: string): string {
  return (
    `The audit log ${quotePath(path)} is full and cannot be set aside, so it goes on growing. ` +
    `Look whether something is in the way, such as a folder named ${quotePath(`${path}.lock`)}.`
  );
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
