import type { Access } from '../consent/folderAccess.ts';
import type { Era } from '../exposure.ts';
import { isJsonObject } from '../json.ts';
import { type Sentence, withoutTexts } from '../sentence.ts';
import { programName } from '../servers/fetchingPrograms.ts';
import type { Launch } from '../servers/launch.ts';
import type { FailureKind } from '../servers/restarts.ts';
import type { ServerDefinition } from '../servers/serverDefinition.ts';
import { faultsInOrder, type ServerEnding, type ServerFaults } from '../servers/serverFaults.ts';
import type { ServerStatus } from '../servers/serverStatus.ts';
import type { Mistake } from '../settings/mistakes.ts';

/**
 * What a report is made of. It may hold whatever a person wrote or named: of that, no text gets into
 * the report. What does is one of a few words, a count, a version, or a sentence of our own.
 */
export interface ReportFacts {
  readonly versions: Readonly<Record<'extension' | 'editor' | 'node' | 'system', string>>;
  readonly surroundings: Surroundings;
  readonly window: { readonly folders: number; readonly isTrusted: boolean };
  /** Why there is no sandbox on this machine, without what was filled in; `undefined`: there is one. */
  readonly noSandbox: string | undefined;
  /** By the scope and the id. */
  readonly settings: readonly WrittenSetting[];
  readonly mistakes: readonly Pick<Mistake, 'text'>[];
  readonly servers: readonly ReportedServer[];
}

/** In which system and what kind of window it is, as they name themselves. */
interface Surroundings {
  readonly platform: string;
  readonly arch: string;
  readonly editor: string;
  /** `undefined`: the window is not remote. */
  readonly remote: string | undefined;
  readonly isWeb: boolean;
}

/** A setting as it is written in one scope. */
export interface WrittenSetting {
  readonly from: 'user' | 'workspace';
  readonly id: string;
  readonly value: unknown;
}

/** What is known of a server. */
export interface ReportedServer {
  readonly definition: ServerDefinition;
  readonly state: ReportedState;
  readonly status: ServerStatus;
  /** What keeps it from its work, of which what was filled in is left out. */
  readonly problem: Sentence | undefined;
  readonly access: Access;
  readonly exposures: number;
  readonly faults: ServerFaults;
  readonly sandbox: { readonly isPreview: boolean; readonly hasNetwork: boolean } | undefined;
  readonly clients: number;
  readonly isOffered: boolean;
}

/** The state of a server, and of a failure as much as can be told without its words. */
export type ReportedState =
  | { readonly kind: 'starting' | 'stopping' }
  | { readonly kind: 'stopped'; readonly ending?: ServerEnding }
  | { readonly kind: 'running'; readonly era: Era; readonly protocolVersion: string }
  | {
      readonly kind: 'failed';
      readonly failure: {
        readonly kind: FailureKind;
        readonly end?: { readonly code: number | null; readonly signal: string | null };
        readonly rubbishLines?: number;
      };
    };

/** The whole report, for whoever helps. It is in English, whatever the language of the editor is. */
export function diagnosticsText(facts: ReportFacts): string {
  return [...aboutWindow(facts), ...aboutServers(facts.servers, 'Servers')].join('\n');
}

/** The beginning of an issue, for a person to go on with: the report with the servers that failed. */
export function issueText(facts: ReportFacts): string {
  const failed = facts.servers.filter(({ state }) => state.kind === 'failed');
  return [
    ...['### What happened', '', '', '### What I expected', '', ''],
    ...['### How to make it happen again', '', '1. ', '', '---', ''],
    ...aboutWindow(facts),
    ...aboutServers(failed, 'Servers that failed'),
  ].join('\n');
}

function aboutWindow(facts: ReportFacts): readonly string[] {
  const { versions, surroundings, window, noSandbox, settings, mistakes } = facts;
  const told = [...new Set(mistakes.map(({ text }) => withoutTexts(text)))];
  return [
    ...['### Versions and window', ''],
    `- MCP Roots ${versionIn(versions.extension)}`,
    `- ${known(editors, surroundings.editor)} ${versionIn(versions.editor)}, ${surroundings.isWeb ? 'web' : 'desktop'}`,
    `- ${known(platforms, surroundings.platform)} ${versionIn(versions.system)} ${known(architectures, surroundings.arch)}, Node ${versionIn(versions.node)}`,
    `- remote: ${surroundings.remote === undefined ? 'no' : known(remotes, surroundings.remote)}`,
    `- folders: ${window.folders}, ${window.isTrusted ? 'trusted' : 'Restricted Mode'}`,
    `- sandbox: ${noSandbox === undefined ? 'yes' : `no (${noSandbox})`}`,
    '',
    ...['### Settings', ''],
    ...settings.map(({ from, id, value }) => `- ${id} (${from}): ${shapeOf(value)}`),
    ...told.map(text => `- mistake: ${text}`),
    ...(settings.length + told.length === 0 ? ['- none'] : []),
    '',
  ];
}

function aboutServers(servers: readonly ReportedServer[], title: string): readonly string[] {
  return [
    ...[`### ${title}`, ''],
    ...servers.map((server, index) => `${index + 1}. ${serverText(server)}`),
    ...(servers.length === 0 ? ['- none'] : []),
    '',
  ];
}

function serverText(server: ReportedServer): string {
  const { definition, state, status, problem, access, exposures, sandbox, clients } = server;
  const ending = state.kind === 'stopped' ? state.ending : undefined;
  const faults = faultsInOrder(server.faults, ending).map(({ kind }) => kind);
  return [
    `${launchText(definition.launch)}, ${definition.from ?? 'bundled'}`,
    stateText(state),
    ...(status.kind === 'plain' ? [] : [`status ${status.kind}`]),
    ...(problem ? [`problem: ${withoutTexts(problem)}`] : []),
    `sees ${access.roots.length} of ${access.folders.length} folders`,
    ...(access.waiting.length > 0 ? [`waiting for an answer: ${access.waiting.length}`] : []),
    ...exclusionsOf(access),
    `handed roots ${exposures}×`,
    `roots as ${definition.rootsAs.join('+')}`,
    `protocol ${definition.protocol}`,
    ...(definition.autoStart ? [] : ['by hand only']),
    ...(definition.sandbox ? ['sandbox asked for'] : []),
    ...(sandbox ? [sandboxText(sandbox)] : []),
    ...(server.isOffered ? ['offered'] : []),
    ...(clients > 0 ? [`clients: ${clients}`] : []),
    ...(faults.length > 0 ? [`faults: ${[...new Set(faults)].join(', ')}`] : []),
  ].join('; ');
}

function exclusionsOf({ folders }: Access): readonly string[] {
  const reasons = [...new Set(folders.flatMap(({ exclusion }) => exclusion ?? []))];
  return reasons.length > 0 ? [`left out as ${reasons.join(', ')}`] : [];
}

function sandboxText({ isPreview, hasNetwork }: NonNullable<ReportedServer['sandbox']>): string {
  const network = hasNetwork ? 'with the network' : 'without a network';
  return `confined ${network}${isPreview ? ', preview' : ''}`;
}

function stateText(state: ReportedState): string {
  switch (state.kind) {
    case 'running':
      return `running ${state.era} ${versionIn(state.protocolVersion)}`;
    case 'failed': {
      const { kind, end, rubbishLines } = state.failure;
      const code = end && end.code !== null ? `, exit code ${end.code}` : '';
      const signal = end?.signal ? `, ${known(signals, end.signal)}` : '';
      const rubbish = rubbishLines ? `, lines that are no MCP: ${rubbishLines}` : '';
      return `failed: ${kind}${code}${signal}${rubbish}`;
    }
    default:
      return state.kind;
  }
}

/** How a server is started or reached: which keys there are, and not what they hold. */
function launchText(launch: Launch): string {
  if (launch.type === 'http') {
    const headers = Object.keys(launch.headers).length;
    return `http${launch.transport === 'sse' ? ' (sse)' : ''}, headers: ${headers}`;
  }
  return [
    `stdio by ${known(programs, programName(launch.command))}`,
    `arguments: ${launch.args.length}`,
    `variables: ${Object.keys(launch.env).length}`,
    ...(launch.envFile === undefined ? [] : ['envFile']),
    ...(launch.cwd === undefined ? [] : ['cwd']),
  ].join(', ');
}

// Names that everybody knows, so that nobody's own are told.
const editors = [
  ...['Visual Studio Code', 'Visual Studio Code - Insiders', 'VSCodium', 'Code - OSS'],
  ...['code-server', 'Cursor', 'Windsurf'],
];
const platforms = ['linux', 'darwin', 'win32', 'freebsd', 'openbsd'];
const architectures = ['x64', 'arm64', 'arm', 'ia32', 'riscv64', 'ppc64', 's390x', 'loong64'];
const remotes = [
  ...['ssh-remote', 'wsl', 'dev-container', 'attached-container', 'codespaces', 'tunnel'],
  ...['k8s-container'],
];
const signals = [
  ...['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE'],
  ...['SIGKILL', 'SIGSEGV', 'SIGPIPE', 'SIGALRM', 'SIGTERM', 'SIGSYS', 'SIGXCPU'],
];
const programs: readonly string[] = [
  ...['npx', 'npm', 'pnpm', 'yarn', 'bun', 'bunx', 'node', 'deno', 'tsx', 'uvx', 'uv', 'pipx'],
  ...[
    'python',
    'python3',
    'docker',
    'podman',
    'cmd',
    'sh',
    'bash',
    'java',
    'dotnet',
    'go',
    'cargo',
  ],
];

/** What form a value has, without anything of it. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `list of ${value.length}`;
  }
  return isJsonObject(value) ? `object of ${Object.keys(value).length}` : typeof value;
}

/** A name, if it is one of these. */
function known(names: readonly string[], name: string): string {
  return names.includes(name) ? name : 'another';
}

/** Of a version no more than its numbers: what follows may name whoever built it. */
function versionIn(text: string): string {
  return /^v?(\d{1,5}(?:[.-]\d{1,5}){0,3})/.exec(text)?.[1] ?? 'unknown';
}
