import { createHash } from 'node:crypto';
import type { ServerRules } from '../guard/guardRules.ts';
import { globsFromRoot, guardKey } from '../guard/guardRules.ts';
import { isJsonObject, type JsonObject, type KeyPath } from '../json.ts';
import { sandboxTerms } from '../sandbox/sandboxTerms.ts';
import type { Launch } from '../servers/launch.ts';
import type { ServerTerms } from '../servers/serverDefinition.ts';
import { definitionKeys, readDefinition, readEntry } from '../settings/definitionKeys.ts';
import { type Mistakes, onOff, readKeys } from '../settings/mistakes.ts';
import { inOurForm } from '../settings/otherForms.ts';
import { variablesIn, type WrittenVariable } from '../variables.ts';

export interface HubServer extends Omit<ServerTerms, 'offers' | 'keepAlive'> {
  /** The unique name, as written. It is not safe to show. */
  readonly name: string;
  /** Its texts may use `${env:NAME}`, `${roots}`, `${rootsJoined:separator}`, `${firstRoot}`. */
  readonly launch: Launch;
  readonly guard: ServerRules;
  /** The globs in the server's rules that begin with a slash, as written. */
  readonly globsFromRoot: readonly string[];
  /**
   * A text that changes if the server needs another process: if its start, its address or its way
   * to get roots changed. The server's guard and tools are no part of the text. Never show the text.
   */
  readonly fingerprint: string;
}

/**
 * Reads an entry, as far as possible. Use the server only if no mistake was noted. `undefined` when
 * the entry is not a server or is switched off.
 */
export function readHubServer(
  name: string,
  value: unknown,
  userHome: string,
  mistakes: Mistakes,
): HubServer | undefined {
  const written = readEntry(name, value, mistakes);
  if (!written || isLeftOut(written, mistakes)) {
    return undefined;
  }
  const entry = asRead(written, mistakes);
  const { launch, rootsAs, protocol, sandbox, autoStart, tools } = readDefinition(
    entry,
    {
      // A hub has no workspace folders, so only the user's home is filled in.
      around: { folders: [], userHome },
      keys: Object.keys(hubKeys()),
      secret: '${env:NAME}',
      variableProblem,
      checkPath: checkPathVariables,
    },
    mistakes,
  );
  const { guard } = readKeys(entry, { guard: guardKey() }, mistakes);
  const connected = { launch, rootsAs, protocol, sandbox: sandboxTerms(sandbox) };
  return {
    name,
    ...connected,
    autoStart: autoStart ?? false,
    tools,
    guard,
    globsFromRoot: globsFromRoot(entry['guard']),
    fingerprint: fingerprintOf(connected),
  };
}

/**
 * The keys of a server besides its launch. `roots` is missing, because the client names the roots,
 * and `keepAlive`, because a hub stops no unused server.
 */
export function hubKeys() {
  const { roots: _, keepAlive: __, ...own } = definitionKeys.both;
  return { ...own, guard: guardKey() };
}

/** The keys by which clients switch a server off. */
export const offKeys = { disabled: onOff, enabled: onOff };
/** VS Code's key for a sandbox. */
export const sandboxKey = { sandboxEnabled: onOff };

/**
 * Keys of other clients that do not affect the server's process: whether it is switched off (read
 * by {@link isLeftOut}), how it is shown, how long clients wait, which tools run without a question
 * (the hub's client may ask), whether it runs on without use (here it always does), and who signs
 * in (the hub has no browser).
 */
const idleKeys: readonly string[] = [
  ...['disabled', 'enabled', 'oauth'],
  ...['alwaysAllow', 'autoApprove', 'trust'],
  ...['timeout', 'initTimeout', 'keepAlive'],
  ...['description', 'name', 'icon', 'gallery', 'version', 'dev'],
];

/** Keys that limit a server's tools in other clients. Nobody would notice a missing limit. */
const toolLists: readonly string[] = [
  ...['disabledTools', 'disabled_tools', 'excludeTools'],
  ...['enabledTools', 'enabled_tools', 'includeTools', 'allowedTools'],
];

function isLeftOut(entry: JsonObject, mistakes: Mistakes): boolean {
  const { disabled = false, enabled = true } = readKeys(entry, offKeys, mistakes);
  return disabled || !enabled;
}

/** The entry without other clients' keys. Notes the keys that are not safe to ignore. */
function withoutForeignKeys(entry: JsonObject, mistakes: Mistakes): JsonObject {
  const own = Object.entries(entry).filter(([key, value]) => {
    const isIdle = idleKeys.includes(key);
    const isEmptyList = Array.isArray(value) && value.length === 0;
    const problem =
      key === 'roots' ? rootsOfClient : toolLists.includes(key) ? everyTool : undefined;
    if (!isIdle && problem !== undefined && !(problem === everyTool && isEmptyList)) {
      mistakes.addAt(key, problem);
    }
    return !isIdle && problem === undefined;
  });
  return Object.fromEntries(own);
}

const rootsOfClient =
  'cannot stand here, because the client names the roots. To narrow the roots, write "guard": { "allow": … }.';
const everyTool =
  'is not read by the hub. Write for example "tools": ["get_*", "!delete_*"], and leave out this key.';

/** Returns the entry in our words: translates sandbox keys, and drops keys of other clients. */
function asRead(entry: JsonObject, mistakes: Mistakes): JsonObject {
  const { sandboxEnabled: _, ...rest } = inOurForm(withoutForeignKeys(entry, mistakes));
  const { sandboxEnabled } = readKeys(entry, sandboxKey, mistakes);
  const { sandbox, ...others } = rest;
  if (isJsonObject(sandbox) && ('filesystem' in sandbox || isJsonObject(sandbox['network']))) {
    if (sandboxEnabled !== false) {
      mistakes.addAt('sandbox', ofVsCode);
    }
    return others;
  }
  if (sandboxEnabled && sandbox === 'off') {
    mistakes.addAt('sandbox', 'cannot be "off" beside "sandboxEnabled". Leave out one of the two.');
  }
  return sandboxEnabled && sandbox === undefined ? { ...rest, sandbox: 'on' } : rest;
}

const ofVsCode =
  'has the form of VS Code, which has other rules. Write "on", or { "read": ["/path"], "write": ["/path"], "network": true } for what the server may reach besides its roots.';

function checkPathVariables(place: KeyPath, text: string, mistakes: Mistakes): void {
  for (const { variable } of variablesIn(text)) {
    if (variable?.kind !== 'userHome') {
      mistakes.addAt(place, 'can hold ${userHome}, and no other variable.');
    }
  }
}

/** Why a hub can't fill in a variable; `undefined` when it can. */
function variableProblem({ variable }: WrittenVariable): string | undefined {
  switch (variable?.kind) {
    case undefined:
      // Does not repeat the braces: Claude Code's form has a default there, maybe a secret.
      return 'holds an unknown variable. Known are ${env:NAME}, ${env:NAME:-x}, ${userHome}, ${roots}, ${rootsJoined:separator} and ${firstRoot}. Write $${NAME} to pass ${NAME} to the program.';
    case 'workspaceFolder':
      return 'names a folder of the editor. A hub has no editor: write ${firstRoot}.';
    case 'input':
      return "holds ${input:…}, but a hub can't ask anybody. Write ${env:NAME}.";
    default:
      return undefined;
  }
}

/**
 * SHA-256, in hexadecimal, of everything that needs another process or connection when it changes.
 * The order of keys does not matter. The hash covers secrets, so never show it.
 */
function fingerprintOf(server: Pick<HubServer, 'launch' | 'rootsAs' | 'protocol'>): string {
  // Writes each object as a list of pairs, because a key like `__proto__` is harmless in a list.
  const canonical = JSON.stringify(server, (_, part) =>
    isJsonObject(part) ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)) : part,
  );
  return createHash('sha256').update(canonical).digest('hex');
}
