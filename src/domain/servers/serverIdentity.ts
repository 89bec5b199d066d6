import { createHash } from 'node:crypto';
import { printableWords } from '../printable.ts';
import type { HttpLaunch, Launch, StdioLaunch } from './launch.ts';

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

/** The identity fields of a server, whichever way it is reached. Of secrets only the name counts. */
export function launchFields(launch: Launch): IdentityFields {
  return launch.type === 'http' ? httpFields(launch) : stdioFields(launch);
}

// What is not there adds no field: a definition keeps the identity it had before that field was
// known, and with it the user's answers.
function stdioFields({ command, args, cwd, env, envFile }: StdioLaunch): IdentityFields {
  const fields = { transport: 'stdio', command, args, cwd: cwd ?? '', env: withoutSecrets(env) };
  return envFile === undefined ? fields : { ...fields, envFile };
}

function httpFields({ url, headers }: HttpLaunch): IdentityFields {
  return { transport: 'http', url: urlWithoutSecrets(url), headers: withoutSecrets(headers) };
}

/** Each as `name=value`, of secrets the name alone, in the order of the names. */
function withoutSecrets(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values)
    .sort()
    .map(name => (isSecretName(name) ? name : `${name}=${values[name]}`));
}

function urlWithoutSecrets(url: string): string {
  return url.replace(/([?&])([^=&#]+)=[^&#]*/g, (pair, mark, name) =>
    isSecretName(name) ? `${mark}${name}` : pair,
  );
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
