import { createHash, createHmac } from 'node:crypto';
import { shownPath } from '../json.ts';
import { printableWords } from '../printable.ts';
import type { SandboxTerms } from '../sandbox/sandboxTerms.ts';
import { isList, type Launch, launchAsShown, launchTexts, launchValues } from './launch.ts';
import type { ServerDefinition, ServerTerms } from './serverDefinition.ts';

/**
 * A server's identity by fields: the part of its definition that consent covers. Texts that may be
 * shown are here as written. For each other text, `sealed` has a keyed hash.
 */
export type IdentityFields = Readonly<Record<string, string | readonly string[]>>;

/** One difference between the server as the user allowed it and the server now. */
interface FieldChange {
  readonly field: string;
  /** Empty if the field was missing before. */
  readonly before: string;
  readonly after: string;
}

/** Hashes a text that must stay hidden. Equal texts have equal hashes on this installation only. */
export type Seal = (text: string) => string;

export interface IdentityTerms extends ServerTerms {
  /** The place of the definition, which shows who wants the server to run. */
  readonly origin: string;
  readonly seal: Seal;
  /** The seal of the contents of the `envFile`; `undefined` if the definition names no file. */
  readonly envFileSeal: string | undefined;
}

/** Where a definition is. A workspace is identified by the URI of its file or only folder. */
export function originOf(
  { from, isOfMachine }: Pick<ServerDefinition, 'from' | 'isOfMachine'>,
  workspace: string,
): string {
  const user = isOfMachine ? 'remote machine' : 'user';
  return from === 'user' ? user : `workspace ${workspace}`;
}

/** Whether these fields are of a server that a workspace defines. */
export function isOfWorkspace({ origin = '' }: IdentityFields): boolean {
  return String(origin).startsWith('workspace ');
}

/** A server's identity fields, for stdio or HTTP. They cover every value of its launch. */
export function launchFields(launch: Launch, terms: IdentityTerms): IdentityFields {
  const asShown = launchAsShown(launch);
  const sealed = sealedTexts(launch, asShown, terms);
  // Terms with `{}` may change without a question. If a term is missing, nothing compiles.
  const ofTerms: Readonly<Record<keyof ServerTerms, IdentityFields>> = {
    ...{ offers: {}, protocol: {}, autoStart: {}, keepAlive: {}, rootsAs: {}, tools: {} },
    sandbox: sandboxFields(terms.sandbox),
  };
  return {
    origin: terms.origin,
    ...shownFields(asShown),
    ...Object.assign({}, ...Object.values(ofTerms)),
    ...(sealed.length > 0 && { sealed }),
  };
}

/** Hashes by HMAC-SHA-256 with this key, in hexadecimal. */
export function sealWith(key: string): Seal {
  return text => createHmac('sha256', key).update(text).digest('hex');
}

export function sealOfContents(text: string, seal: Seal): string {
  return seal(JSON.stringify([contentsPlace, text]));
}

/** Whether the fields include an `envFile` whose contents have this seal. */
export function bindsContents({ sealed = [] }: IdentityFields, envFileSeal: string): boolean {
  return sealed.includes(`${contentsPlace} ${envFileSeal}`);
}

/**
 * SHA-256, in hexadecimal, of the fields in any order. The user's answers (`consent/grants`,
 * `consent/launchConsent`) name an identity, and hold only for that identity.
 */
export function identityOf(fields: IdentityFields): string {
  const canonical = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('hex');
}

/** The identity of the program, without its sandbox. */
export function programIdentity(fields: IdentityFields): string {
  const others = Object.entries(fields).filter(([name]) => !isOfSandbox(name));
  return identityOf(Object.fromEntries(others));
}

/**
 * The key for stored data of the server with this id. The key stays when the definition changes.
 * The question about a change tells the user that the stored data stays.
 */
export function storageKey({ origin = '' }: IdentityFields, id: string): string {
  return JSON.stringify([origin, id]);
}

function isOfSandbox(field: string): boolean {
  return Object.hasOwn(sandboxFields(everyTerm), field);
}

/**
 * The fields that differ, in a form to show, without secrets. Sandbox fields come first. If a
 * sandbox is added or removed, that is one change. Other fields are in alphabetical order.
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

/** The places of hidden values that are new or have changed. */
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

/** A sandbox with every term, to find all fields. If a term is missing, nothing compiles. */
const everyTerm: Required<SandboxTerms> = {
  read: ['/'],
  write: ['/'],
  network: true,
  unixSockets: true,
};

/** Returns a sandbox's fields; empty without a sandbox. If a term is missing, nothing compiles. */
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

/** Each value as `name=value`, sorted by name. */
function byName(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values)
    .sort()
    .map(name => `${name}=${values[name]}`);
}

/** The place and the seal of each text with hidden parts, sorted by place. */
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

/** Differs from every other place, because the others have no blank before the first dot. */
const contentsPlace = 'envFile contents';

function placeOfSeal(seal: string): string {
  return seal.slice(0, seal.lastIndexOf(' '));
}

function shown(value: IdentityFields[string] = ''): string {
  return typeof value === 'string' ? value : printableWords(value);
}
