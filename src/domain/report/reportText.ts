import type { Access } from '../consent/folderAccess.ts';
import type { Era } from '../exposure.ts';
import { type Sentence, withoutTexts } from '../sentence.ts';
import type { ServerDefinition } from '../servers/serverDefinition.ts';
import type { FailureKind } from '../servers/serverFailure.ts';

/** The versions and the kind of window, in the words of the editor and Node. */
interface ReportedWindow {
  readonly extensionVersion: string;
  readonly editor: string;
  readonly editorVersion: string;
  readonly nodeVersion: string;
  /** The operating system and the processor. */
  readonly platform: string;
  /** The kind of remote, as the editor names it; `undefined` when the window is not remote. */
  readonly remote: string | undefined;
  readonly isWeb: boolean;
  readonly isTrusted: boolean;
  readonly folders: number;
}

/** A server in a report. The report holds nothing that a person named or wrote. */
export interface ReportedServer {
  readonly definition: Pick<ServerDefinition, 'launch' | 'from' | 'sandbox'>;
  readonly state: ReportedState;
  /** The server's problem. The report leaves out the values in its sentences. */
  readonly problem: Sentence | undefined;
  readonly access: Access;
}

type ReportedState =
  | { readonly kind: 'starting' | 'stopping' | 'stopped' }
  | { readonly kind: 'running'; readonly era: Era }
  | {
      readonly kind: 'failed';
      readonly failure: {
        readonly kind: FailureKind;
        readonly end?: { readonly code: number | null };
      };
    };

const remoteKinds = [
  'ssh-remote',
  'wsl',
  'dev-container',
  'attached-container',
  'codespaces',
  'tunnel',
] as const;

/**
 * The text of a report: versions, states, counts, and our own sentences without their values. It is
 * in English, because it is for the people who help.
 */
export function reportText(window: ReportedWindow, servers: readonly ReportedServer[]): string {
  return [
    `- MCP Roots ${window.extensionVersion}`,
    `- ${window.editor} ${window.editorVersion}, ${window.isWeb ? 'web' : 'desktop'}, remote: ${remoteText(window.remote)}`,
    `- ${window.platform}, Node ${window.nodeVersion}`,
    `- folders: ${window.folders}, ${window.isTrusted ? 'trusted' : 'Restricted Mode'}`,
    ...servers.map(server => `- ${serverText(server)}`),
    '',
  ].join('\n');
}

/** The kind of a remote. An unknown kind stays hidden, because it may be a machine's address. */
function remoteText(remote: string | undefined): string {
  return remote === undefined ? 'no' : (remoteKinds.find(kind => kind === remote) ?? 'yes');
}

function serverText({ definition, state, problem, access }: ReportedServer): string {
  return [
    `${definition.launch.type} server, ${definition.from ?? 'bundled'}`,
    ...(definition.sandbox ? ['sandbox'] : []),
    stateText(state),
    ...(problem ? [`problem: ${withoutTexts(problem)}`] : []),
    `sees ${access.roots.length} of ${access.folders.length} folders`,
    ...(access.waiting.length > 0 ? [`folders without an answer: ${access.waiting.length}`] : []),
  ].join('; ');
}

function stateText(state: ReportedState): string {
  switch (state.kind) {
    case 'running':
      return `running, ${state.era}`;
    case 'failed': {
      const { kind, end } = state.failure;
      return `failed: ${kind}${end ? `, exit code ${end.code ?? 'none'}` : ''}`;
    }
    default:
      return state.kind;
  }
}
