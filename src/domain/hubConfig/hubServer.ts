import { createHash } from 'node:crypto';
import type { ServerRules } from '../guard/guardRules.ts';
import { globsFromRoot, readServerRules, ruleKeys, tools } from '../guard/guardRules.ts';
import { isJsonObject, type JsonObject, type KeyPath } from '../json.ts';
import { sandboxTerms } from '../sandbox/sandboxTerms.ts';
import type { Launch } from '../servers/launch.ts';
import type { ServerTerms } from '../servers/serverDefinition.ts';
import {
  definitionKeys,
  httpTypes,
  readDefinition,
  readEntry,
} from '../settings/definitionKeys.ts';
import { type Mistakes, onOff, readKeys } from '../settings/mistakes.ts';
import { variablesIn, type WrittenVariable } from '../settings/variables.ts';

export interface HubServer extends Omit<ServerTerms, 'offers'> {
  /** The name as written, and unique. It has to be made printable before it is shown. */
  readonly name: string;
  /** Its texts may hold `${env:NAME}`, `${roots}`, `${rootsJoined:separator}` and `${firstRoot}`. */
  readonly launch: Launch;
  readonly guard: ServerRules;
  /** The globs in its rules that begin with a slash, as they are written. */
  readonly globsFromRoot: readonly string[];
  /**
   * Another one when it is started, reached or told of its roots in another way, and so takes another
   * process; the same when only its rules changed. To be compared, never to be shown.
   */
  readonly fingerprint: string;
}

/**
 * The server of an entry, as far as it can be read: to be used only when no mistake was noted.
 * `undefined`: there is none, or it is switched off.
 */
export function readHubServer(
  name: string,
  value: unknown,
  userHome: string,
  mistakes: Mistakes,
): HubServer | undefined {
  const entry = readEntry(name, value, mistakes);
  return !entry || isLeftOut(entry, mistakes)
    ? undefined
    : readServer(name, inOurWords(entry, mistakes), userHome, mistakes);
}

function readServer(
  name: string,
  entry: JsonObject,
  userHome: string,
  mistakes: Mistakes,
): HubServer {
  // All other keys go on to the server, those included that are not there yet.
  const {
    roots: _,
    sandbox,
    autoStart,
    ...others
  } = readDefinition(
    entry,
    {
      // A hub has no folders of its own, so that nothing but the home is put in.
      around: { folders: [], userHome },
      keys: Object.keys(hubKeys()),
      secret: '${env:NAME}',
      variableProblem,
      checkPath: checkPathVariables,
    },
    mistakes,
  );
  const connected = { ...others, sandbox: sandboxTerms(sandbox) };
  return {
    name,
    ...connected,
    autoStart: autoStart ?? false,
    guard: readServerRules(entry, mistakes),
    globsFromRoot: globsFromRoot(entry),
    fingerprint: fingerprintOf(connected),
  };
}

/** The keys of a server besides those of its launch, without `roots`: the client names those. */
export function hubKeys() {
  const { roots: _, ...own } = definitionKeys.both;
  return { ...own, ...ruleKeys, tools };
}

/** The keys of clients that switch a server off. */
export const offKeys = { disabled: onOff, enabled: onOff };
/** The word of VS Code for a sandbox. */
export const sandboxKey = { sandboxEnabled: onOff };

/**
 * Keys of other clients that the process behind the entry does not follow from: whether it is switched
 * off ({@link isLeftOut} has read that), how a server is shown, how long it is waited for,
 * and which tools are called without asking, because the hub leaves asking to its client.
 */
const idleKeys: readonly string[] = [
  ...['disabled', 'enabled'],
  ...['alwaysAllow', 'autoApprove', 'trust'],
  ...['timeout', 'initTimeout'],
  ...['description', 'name', 'icon', 'gallery', 'version', 'dev'],
];

/** Keys by which other clients narrow a server. Ignoring them would widen it, unnoticed. */
const toolLists: readonly string[] = [
  ...['disabledTools', 'disabled_tools', 'excludeTools'],
  ...['enabledTools', 'enabled_tools', 'includeTools', 'allowedTools'],
];

function isLeftOut(entry: JsonObject, mistakes: Mistakes): boolean {
  const { disabled = false, enabled = true } = readKeys(entry, offKeys, mistakes);
  return disabled || !enabled;
}

/** The entry without the keys of other clients; notes those that are unsafe to ignore. */
function withoutForeignKeys(entry: JsonObject, mistakes: Mistakes): JsonObject {
  const own = Object.entries(entry).filter(
    ([key, value]) => !(idleKeys.includes(key) || isNarrowing(key, value, mistakes)),
  );
  return Object.fromEntries(own);
}

function isNarrowing(key: string, value: unknown, mistakes: Mistakes): boolean {
  if (key === 'roots') {
    mistakes.addAt(
      key,
      'cannot be said here: the client names the roots. Narrow them with "allow".',
    );
  } else if (toolLists.includes(key)) {
    if (!(Array.isArray(value) && value.length === 0)) {
      mistakes.addAt(key, 'cannot be kept: the hub offers every tool. Leave it out to do so.');
    }
  } else {
    return false;
  }
  return true;
}

/** The entry with what other clients call HTTP, and say of a sandbox, in our words, and without their keys. */
function inOurWords(entry: JsonObject, mistakes: Mistakes): JsonObject {
  const { sandboxEnabled: _, ...own } = withoutForeignKeys(entry, mistakes);
  const rest = httpTypes.includes(own['type']) ? { ...own, type: 'http' } : own;
  const { sandboxEnabled } = readKeys(entry, sandboxKey, mistakes);
  const { sandbox, ...others } = rest;
  if (isJsonObject(sandbox) && ('filesystem' in sandbox || isJsonObject(sandbox['network']))) {
    if (sandboxEnabled !== false) {
      mistakes.addAt('sandbox', ofVsCode);
    }
    return others;
  }
  if (sandboxEnabled && sandbox === 'off') {
    mistakes.addAt('sandbox', 'cannot be "off" beside "sandboxEnabled". Leave out one of them.');
  }
  return sandboxEnabled && sandbox === undefined ? { ...rest, sandbox: 'on' } : rest;
}

const ofVsCode =
  'has the form of VS Code, whose rules are others. Write "on", or { "read": ["/path"], "write": ["/path"], "network": true } for what it may reach besides its roots.';

function checkPathVariables(place: KeyPath, text: string, mistakes: Mistakes): void {
  for (const { variable } of variablesIn(text)) {
    if (variable?.kind !== 'userHome') {
      mistakes.addAt(place, 'can hold ${userHome}, and no other variable.');
    }
  }
}

/** Why a hub cannot put in a variable; `undefined`: it can. */
function variableProblem({ asWritten, variable }: WrittenVariable): string | undefined {
  switch (variable?.kind) {
    case undefined:
      return adviceFor(asWritten);
    case 'workspaceFolder':
      return noWindow;
    case 'input':
      return 'holds ${input:…}, but a hub can ask nobody. Write ${env:NAME}.';
    default:
      return undefined;
  }
}

const noWindow = 'names a folder of the editor, which a hub has not. Write ${firstRoot}.';

/** Does not repeat the text between the braces: a default of Claude Code's may be a secret. */
function adviceFor(asWritten: string): string {
  if (/^\$\{(?:workspaceFolderBasename|workspaceRoot|CLAUDE_PROJECT_DIR)\b/.test(asWritten)) {
    return noWindow;
  }
  return /^\$\{[A-Za-z_]\w*(?::-[^}]*)?\}$/.test(asWritten)
    ? 'holds a variable in the form ${NAME} or ${NAME:-default}. Write ${env:NAME}.'
    : 'holds a variable that there is not. There are ${env:NAME}, ${userHome}, ${roots}, ${rootsJoined:separator} and ${firstRoot}.';
}

/**
 * SHA-256, in hexadecimal, over all that makes a server another process or connection, in whatever
 * order its keys are. It covers secrets, so it must be shown nowhere.
 */
function fingerprintOf(server: Pick<HubServer, 'launch' | 'rootsAs' | 'protocol'>): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(server)))
    .digest('hex');
}

/** The value with the keys of its objects as pairs, in their order: no key is special in a list. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(canonical);
  }
  return isJsonObject(value)
    ? {
        pairs: Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, part]) => [key, canonical(part)]),
      }
    : value;
}
