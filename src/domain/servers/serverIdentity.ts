import { createHash } from 'node:crypto';
import { printableWords } from '../printable.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { argumentsAsShown, textAsShown } from '../secrets/shownTexts.ts';
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

/**
 * The identity fields of a server, whichever way it is reached. Of secrets only the name counts,
 * wherever they stand: what is asked about and kept is what can be shown.
 */
export function launchFields(launch: Launch): IdentityFields {
  return launch.type === 'http' ? httpFields(launch) : stdioFields(launch);
}

// What is not there adds no field: a definition keeps the identity it had before that field was
// known, and with it the user's answers.
function stdioFields({ command, args, cwd, env, envFile }: StdioLaunch): IdentityFields {
  const shown = { args: argumentsAsShown(args), env: withoutSecrets(env) };
  const fields = { transport: 'stdio', command, cwd: cwd ?? '', ...shown };
  return envFile === undefined ? fields : { ...fields, envFile };
}

function httpFields({ url, headers }: HttpLaunch): IdentityFields {
  return {
    transport: 'http',
    url: textAsShown(urlWithoutSecrets(url)),
    headers: withoutSecrets(headers),
  };
}

/** Each as `name=value`, of secrets the name alone, in the order of the names. */
function withoutSecrets(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values)
    .sort()
    .map(name => (isSecretName(name) ? name : `${name}=${textAsShown(values[name] ?? '')}`));
}

function urlWithoutSecrets(url: string): string {
  // What has no value is taken as well: looked for from each of many `?` it would take for ever.
  return url.replace(/([?&])([^=&#]+)(=[^&#]*)?/g, (pair, mark, name, value) =>
    value !== undefined && isSecretName(name) ? `${mark}${name}` : pair,
  );
}

/** SHA-256, in hexadecimal, over the fields in a spelling that does not depend on their order. */
export function identityOf(fields: IdentityFields): string {
  const canonical = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('hex');
}

/** The fields that differ, in alphabetical order, for a person to read: without secrets. */
export function changedFields(before: IdentityFields, after: IdentityFields): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter(field => JSON.stringify(before[field] ?? '') !== JSON.stringify(after[field] ?? ''))
    .map(field => ({ field, before: shown(before[field]), after: shown(after[field]) }));
}

/** What was kept before secrets were left out everywhere may hold some. */
function shown(value: IdentityFields[string] = ''): string {
  return typeof value === 'string' ? textAsShown(value) : printableWords(argumentsAsShown(value));
}
