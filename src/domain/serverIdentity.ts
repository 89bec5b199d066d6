import { createHash } from 'node:crypto';
import type { StdioLaunch } from './launch.ts';
import { printableWords } from './printable.ts';

/** What a server *is*, field by field: the part of its definition that consent is bound to. */
export type IdentityFields = Readonly<Record<string, string | readonly string[]>>;

/** One difference between what the user once allowed and what the server is now. */
export interface FieldChange {
  readonly field: string;
  /** Empty when the field was not there. */
  readonly before: string;
  readonly after: string;
}

const secretName =
  /token|secret|passw|passphrase|credential|auth|private|cookie|bearer|(?:api|access)[-_]?key|(?:^|[-_])key|(?:^|[-_])(?:pass|pwd|pat|dsn)(?:$|[-_])/i;

/** Whether a name suggests that its value must be kept out of logs, prompts and stored state. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The identity fields of a server started as a process. Of secrets only the name counts. */
export function stdioFields({ command, args, cwd, env }: StdioLaunch): IdentityFields {
  const variables = Object.keys(env)
    .sort()
    .map(name => (isSecretName(name) ? name : `${name}=${env[name]}`));
  return { transport: 'stdio', command, args, cwd: cwd ?? '', env: variables };
}

/** SHA-256, in hexadecimal, over the fields in a spelling that does not depend on their order. */
export function identityOf(fields: IdentityFields): string {
  const canonical = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('hex');
}

/** The fields that differ, in alphabetical order, for a person to read. */
export function changedFields(before: IdentityFields, after: IdentityFields): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map(field => ({ field, before: shown(before[field]), after: shown(after[field]) }))
    .filter(change => change.before !== change.after);
}

function shown(value: IdentityFields[string] | undefined): string {
  return typeof value === 'string' || value === undefined ? (value ?? '') : printableWords(value);
}
