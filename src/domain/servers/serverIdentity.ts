import { createHash, createHmac } from 'node:crypto';
import { shownPath } from '../json.ts';
import { printableWords } from '../printable.ts';
import type { SandboxTerms } from '../sandbox/sandboxTerms.ts';
import { isList, type Launch, launchAsShown, launchTexts, launchValues } from './launch.ts';
import type { ServerDefinition } from './serverDefinition.ts';

/**
 * A server's identity, field by field: the part of its definition that consent is bound to. Texts
 * that may be shown are here as they are; `sealed` has a keyed hash for each of the others.
 */
export type IdentityFields = Readonly<Record<string, string | readonly string[]>>;

/** One difference between the server that the user allowed and the server now. */
interface FieldChange {
  readonly field: string;
  /** Empty if the field was missing. */
  readonly before: string;
  readonly after: string;
}

/** Hashes a text that can't be shown. Equal texts have equal hashes, in this installation only. */
export type Seal = (text: string) => string;

export interface IdentityTerms {
  /** The place of the definition, which shows who wants the server to run. */
  readonly origin: string;
  readonly seal: Seal;
  /** The seal of its `envFile`'s contents; `undefined` if it names no file. */
  readonly envFileSeal: string | undefined;
  readonly sandbox: SandboxTerms | undefined;
}

/** The place of a definition. A workspace is named by the URI of its file or its only folder. */
export function originOf(
  { from, isOfMachine }: Pick<ServerDefinition, 'from' | 'isOfMachine'>,
  workspace: string,
): string {
  const user = isOfMachine ? 'remote machine' : 'user';
  return from === 'user' ? user : `workspace ${workspace}`;
}

/** Whether a workspace defines the server with these fields, not the user. */
export function isOfWorkspace({ origin = '' }: IdentityFields): boolean {
  return String(origin).startsWith('workspace ');
}

/** The identity fields of a server, over stdio or HTTP. They cover every value of its launch. */
export function launchFields(launch: Launch, terms: IdentityTerms): IdentityFields {
  const asShown = launchAsShown(launch);
  const sealed = sealedTexts(launch, asShown, terms);
  return {
    origin: terms.origin,
    ...shownFields(asShown),
    ...sandboxFields(terms.sandbox),
    ...(sealed.length > 0 && { sealed }),
  };
}

/** HMAC-SHA-256 with this key, in hexadecimal. */
export function sealWith(key: string): Seal {
  return text => createHmac('sha256', key).update(text).digest('hex');
}

export function sealOfContents(text: string, seal: Seal): string {
  return seal(JSON.stringify([contentsPlace, text]));
}

/** Whether the fields bind an `envFile` with this seal. */
export function bindsContents({ sealed = [] }: IdentityFields, envFileSeal: string): boolean {
  return sealed.includes(`${contentsPlace} ${envFileSeal}`);
}

/**
 * SHA-256, in hexadecimal, of the fields in any order. The user's answers (`consent/grants`,
 * `consent/launchConsent`) are compared with it: an answer under another identity is void.
 */
export function identityOf(fields: IdentityFields): string {
  const canonical = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('hex');
}

/** The identity of the program alone, without its sandbox. */
export function programIdentity(fields: IdentityFields): string {
  const others = Object.entries(fields).filter(([name]) => !isOfSandbox(name));
  return identityOf(Object.fromEntries(others));
}

/**
 * The key for stored data of the server with this id. It survives changes of the definition: the
 * user is asked about a change, and learns that the stored data stays.
 */
export function storageKey({ origin = '' }: IdentityFields, id: string): string {
  return JSON.stringify([origin, id]);
}

function isOfSandbox(field: string): boolean {
  return Object.hasOwn(sandboxFields(everyTerm), field);
}

/**
 * The differing fields for a person to read, without secrets. Sandbox fields come first. A sandbox
 * that is added or removed is one change. Other fields are in alphabetical order.
 */
export function changedFields(before: IdentityFields, after: IdentityFields): FieldChange[] {
  const differs = (field: string) =>
    JSON.stringify(before[field] ?? '') !== JSON.stringify(after[field] ?? '');
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(field => field !== 'sealed' && differs(field))
    .sort();
  const ofSandbox = differs('sandbox') ? ['sandbox'] : changed.filter(isOfSandbox);
  return [...ofSandbox, ...changed.filter(field => !isOfSandbox(field))].map(field => ({
    field,
    before: shown(before[field]),
    after: shown(after[field]),
  }));
}

/** The places of hidden values that are changed or new. */
export function changedSeals(before: IdentityFields, after: IdentityFields): string[] {
  const known = new Set([before['sealed'] ?? []].flat());
  return [after['sealed'] ?? []]
    .flat()
    .filter(seal => !known.has(seal))
    .map(placeOfSeal);
}

function shownFields(launch: Launch): IdentityFields {
  const values = launchValues(launch).map(([key, value]) => [
    key,
    typeof value === 'string' || isList(value) ? value : byName(value),
  ]);
  return {
    transport: launch.type === 'http' ? (launch.transport ?? 'http') : 'stdio',
    ...(launch.type === 'stdio' && { cwd: '' }),
    ...Object.fromEntries(values),
  };
}

/** Every term with a value that yields a field. A missing term does not compile. */
const everyTerm: Required<SandboxTerms> = {
  read: ['/'],
  write: ['/'],
  network: true,
  unixSockets: true,
};

/** Empty without a sandbox. A missing term does not compile. */
function sandboxFields(sandbox: SandboxTerms | undefined): IdentityFields {
  if (!sandbox) {
    return {};
  }
  const { read, write, network, unixSockets } = sandbox;
  const fields: Readonly<Record<keyof SandboxTerms, IdentityFields>> = {
    read: read.length > 0 ? { reads: read } : {},
    write: write.length > 0 ? { writes: write } : {},
    network: { network: network ? 'open' : 'closed' },
    unixSockets: unixSockets ? { unixSockets: 'open' } : {},
  };
  return Object.assign({ sandbox: 'on' }, ...Object.values(fields));
}

/** Each as `name=value`, sorted by name. */
function byName(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values)
    .sort()
    .map(name => `${name}=${values[name]}`);
}

/** The place and the seal of each partly hidden text, sorted by place. */
function sealedTexts(launch: Launch, asShown: Launch, { seal, envFileSeal }: IdentityTerms) {
  const shown = launchTexts(asShown);
  const sealed = launchTexts(launch)
    .filter(({ text }, index) => text !== shown[index]?.text)
    .map(({ place, text }) => {
      const path = shownPath(place);
      return `${path} ${seal(JSON.stringify([path, text]))}`;
    });
  const contents = envFileSeal === undefined ? [] : [`${contentsPlace} ${envFileSeal}`];
  return [...sealed, ...contents].sort();
}

/** No place in a definition has a blank before its first dot. */
const contentsPlace = 'envFile contents';

function placeOfSeal(seal: string): string {
  return seal.slice(0, seal.lastIndexOf(' '));
}

function shown(value: IdentityFields[string] = ''): string {
  return typeof value === 'string' ? value : printableWords(value);
}
