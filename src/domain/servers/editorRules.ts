import { type Sentence, sentence } from '../sentence.ts';
import { variablesIn } from '../variables.ts';
import { type VariableValues, withEnvironment } from './expandLaunch.ts';
import type { Launch } from './launch.ts';

/** A setting of the editor that decides on MCP servers. An organization may set it. */
export type EditorRule = 'chat.mcp.access' | 'chat.mcp.allowedServers' | 'chat.mcp.deniedServers';

/** What forbids a server. `no-page`: the window's page is gone, so nobody can answer a question. */
export type ServerRule = EditorRule | 'no-page';

/** The rules of one scope. Invalid values are ignored, as the editor ignores them. */
export interface EditorRules {
  readonly access?: unknown;
  readonly allowed?: unknown;
  readonly denied?: unknown;
}

/** The names of the settings with these rules, without `chat.mcp`. */
export const ruleSettings = [
  'access',
  'allowedServers',
  'deniedServers',
  'allowManagedServersOnly',
] as const;

type RuleSetting = (typeof ruleSettings)[number];

interface RuleSettings {
  get(name: RuleSetting): unknown;
  /** An organization's setting looks like the default value to an extension. */
  inspect(name: RuleSetting): object | undefined;
}

/** The scopes of settings that a person, a machine or a repository makes. */
const scopes = ['globalLocal', 'globalRemote', 'global', 'workspace', 'workspaceFolder'];

/**
 * Returns the rules that the editor applies, and the rules of each scope. All count, so that
 * no workspace permits what the user forbids. If an organization sets `allowManagedServersOnly`,
 * only its list of allowed servers counts. If another scope sets it, that list counts, too.
 */
export function rulesIn(settings: RuleSettings): readonly EditorRules[] {
  const valuesOf = (name: RuleSetting) => {
    const found = Object(settings.inspect(name));
    return [settings.get(name), ...scopes.map(scope => found[`${scope}Value`])];
  };
  const ofOrganization = (name: RuleSetting) => Object(settings.inspect(name)).defaultValue;
  const isManaged = valuesOf('allowManagedServersOnly').includes(true);
  const isAlone = ofOrganization('allowManagedServersOnly') === true;
  return [
    ...valuesOf('access').map(access => ({ access })),
    ...valuesOf('deniedServers').map(denied => ({ denied })),
    ...(isAlone ? [] : valuesOf('allowedServers')).map(allowed => ({ allowed })),
    ...(isManaged ? [{ allowed: ofOrganization('allowedServers') ?? [] }] : []),
  ];
}

interface RuledServer {
  /** The server's name in its configuration. */
  readonly name: string;
  /** Whether the extension brings the server. The editor's rules on extensions already cover it. */
  readonly isOwn: boolean;
  /** The launch as written, with its variables. */
  readonly launch: Launch;
  /** The values of variables that do not depend on a start. */
  readonly env: VariableValues['env'];
}

/**
 * The rule that forbids a server, as the editor reads the settings; `undefined`: no rule. Judges
 * the server by its own name, command or URL, although the editor sees only our connector.
 *
 * @param started the launch that is about to run. If it is left out, rules that depend on entered
 * values or roots do not apply yet.
 */
export function ruleAgainst(
  rules: readonly EditorRules[],
  server: RuledServer,
  started?: Launch,
): EditorRule | undefined {
  return rules.map(one => ruleIn(one, server, started)).find(rule => rule !== undefined);
}

function ruleIn(
  { access, allowed, denied }: EditorRules,
  { name, isOwn, launch, env }: RuledServer,
  started?: Launch,
): EditorRule | undefined {
  // Nobody here knows the registry's contents, so no server counts as one of the registry.
  if (access === 'none' || (access === 'registry' && !isOwn)) {
    return 'chat.mcp.access';
  }
  const known = started ?? withEnvironment(launch, env);
  const launches = [launch, known];
  const isMeant = (entry: RuleEntry) => launches.some(one => isMatch(entry, name, one));
  if (entriesIn(denied)?.some(isMeant)) {
    return 'chat.mcp.deniedServers';
  }
  const permitted = entriesIn(allowed);
  if (!permitted || permitted.some(isMeant)) {
    return undefined;
  }
  const mayBeMeant = !started && permitted.some(entry => isOpen(entry, known));
  return mayBeMeant ? undefined : 'chat.mcp.allowedServers';
}

export function ruleSentence(rule: ServerRule, label: string): Sentence {
  return rule === 'no-page' ? sentence(noPage, label) : sentence(forbidden, rule, label);
}

const noPage = 'The window of "{0}" does not answer. Reload the window, then try again.';
const forbidden = 'The setting {0} of the editor forbids "{1}". An organization may have set it.';

interface RuleEntry {
  readonly serverName?: string;
  /** A pattern for URLs. `*` stands for anything. */
  readonly serverUrl?: string;
  /** The command and its arguments. */
  readonly serverCommand?: readonly string[];
}

/** The setting's list; `undefined` if the value is no list. Invalid entries are ignored. */
function entriesIn(value: unknown): readonly RuleEntry[] | undefined {
  return Array.isArray(value) ? value.filter(isEntry) : undefined;
}

function isEntry(value: unknown): value is RuleEntry {
  const { serverName, serverUrl, serverCommand } = Object(value);
  const isText = (one: unknown) => typeof one === 'string';
  const named = [
    isText(serverName) && serverName !== '',
    isText(serverUrl) && serverUrl !== '',
    Array.isArray(serverCommand) && serverCommand.length > 0 && serverCommand.every(isText),
  ];
  return named.filter(Boolean).length === 1;
}

function isMatch(entry: RuleEntry, name: string, launch: Launch): boolean {
  if (entry.serverName !== undefined) {
    return entry.serverName === name;
  }
  if (launch.type === 'http') {
    return entry.serverUrl !== undefined && isUrlMatch(entry.serverUrl, launch.url);
  }
  const words = [launch.command, ...launch.args];
  const { serverCommand } = entry;
  return (
    serverCommand?.length === words.length && serverCommand.every((word, at) => word === words[at])
  );
}

/** Whether the launch has variables, so that only a start can tell whether the entry matches. */
function isOpen(entry: RuleEntry, launch: Launch): boolean {
  const hasVariable = (text: string) => variablesIn(text).length > 0;
  return launch.type === 'http'
    ? entry.serverUrl !== undefined && hasVariable(launch.url)
    : entry.serverCommand !== undefined && [launch.command, ...launch.args].some(hasVariable);
}

function isUrlMatch(pattern: string, url: string): boolean {
  const known = plainUrl(url);
  if (known === undefined) {
    return false;
  }
  if (!pattern.includes('*')) {
    return plainUrl(pattern)?.toLowerCase() === known.toLowerCase();
  }
  const plain = plainPattern(pattern);
  return plain !== undefined && new RegExp(`^${expressionOf(plain)}$`, 'i').test(known);
}

/** The URL without user name, password and fragment. */
function plainUrl(text: string): string | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const { protocol, origin, pathname, search } = new URL(text);
  return isWeb(protocol) ? origin + pathname + search : text;
}

/** A pattern in the form of {@link plainUrl}. A URL parser can't read patterns. */
function plainPattern(pattern: string): string | undefined {
  const start = authorityStart(pattern);
  const scheme = pattern.slice(0, start).toLowerCase();
  if (start === 0 || !isWeb(scheme.slice(0, -2))) {
    return pattern;
  }
  const end = authorityEnd(pattern);
  const authority = pattern.slice(start, end);
  const part = /^(\[[^\]]*\]|(?!\[).*?)(?::([^:\]]*))?$/s;
  const [, host = '', port] = part.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  if (host === '' && port === undefined) {
    return undefined;
  }
  const isUsual = port === undefined || port === (scheme === 'https://' ? '443' : '80');
  const [path = ''] = pattern.slice(end).replaceAll('\\', '/').split('#');
  return `${scheme}${host}${isUsual ? '' : `:${port}`}${path.replace(/^(?!\/)/, '/')}`;
}

/** Returns a regular expression. A `*` in the host matches no path; `:*`: any port or none. */
function expressionOf(pattern: string): string {
  const end = authorityEnd(pattern);
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = (text: string, any: string) => text.split('*').map(literal).join(any);
  const host = pattern
    .slice(0, end)
    .split(':*')
    .map(one => parts(one, '[^/@\\\\?#]*'));
  return host.join('(?::[^/@\\\\?#]*)?') + parts(pattern.slice(end), '.*');
}

function authorityStart(pattern: string): number {
  const at = pattern.indexOf('://');
  return at < 0 ? 0 : at + '://'.length;
}

function authorityEnd(pattern: string): number {
  const start = authorityStart(pattern);
  const at = pattern.slice(start).search(/[/\\?#]/);
  return at < 0 ? pattern.length : start + at;
}

function isWeb(protocol: string): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
