import { readFileSync } from 'node:fs';

/** A line of the hub's audit. */
export interface AuditEntry {
  readonly time: string;
  readonly event: string;
  readonly session?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly child?: string;
  readonly state?: string;
  readonly source?: string;
  readonly verdict?: string;
  readonly roots?: readonly string[];
  readonly paths?: readonly string[];
  readonly reason?: string;
}

/** All that the audit says, the oldest first. */
export function auditEntries(file: string): readonly AuditEntry[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
}

/** The verdicts on calls, in order. */
export function verdictsIn(file: string): readonly AuditEntry[] {
  return auditEntries(file).filter(({ event }) => event === 'verdict');
}
