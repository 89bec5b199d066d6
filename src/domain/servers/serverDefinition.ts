import type { ConfigurationRoute } from '../exposure.ts';
import { printable } from '../printable.ts';
import type { SandboxTerms } from '../sandbox/sandboxTerms.ts';
import type { Launch } from './launch.ts';

/**
 * The ways on which a server learns of its roots: when it asks for them, or as values in its
 * arguments or its environment, which a restart renews.
 */
export const rootsRoutes = ['roots', 'args', 'env'] as const;

export type RootsRoute = (typeof rootsRoutes)[number];

/**
 * The revisions to speak: any that the server knows, the older ones, or the newest.
 * `@modelcontextprotocol/server-filesystem` 2.0.1 knows both, and takes roots in the older ones alone.
 */
export const protocols = ['auto', 'legacy', '2026-07-28'] as const;

export type ProtocolChoice = (typeof protocols)[number];

/** A definition's terms besides how the server is started. Of them, only the sandbox is in its identity. */
export interface ServerTerms {
  /** Names or paths of the folders offered to it; `undefined`: all of the window. */
  readonly offers: readonly string[] | undefined;
  readonly protocol: ProtocolChoice;
  /** Whether it may start by itself as soon as there are roots for it. */
  readonly autoStart: boolean;
  /** Never empty. */
  readonly rootsAs: readonly RootsRoute[];
  /** `undefined`: none. A server reached over HTTP has none. */
  readonly sandbox: SandboxTerms | undefined;
}

/** One MCP server: what it is called, and how it starts. */
export interface ServerDefinition extends ServerTerms {
  /** Stable across sessions; unique. */
  readonly id: string;
  /** The name to be shown: printable as it is. */
  readonly label: string;
  readonly launch: Launch;
  /** The settings that define it; `undefined` for the server that comes with the extension. */
  readonly from?: 'user' | 'workspace';
  /** Whether a remote machine's settings say something of it: the editor mixes them with the user's. */
  readonly isOfMachine?: boolean;
  /**
   * Its sandbox where one can be had; where not, it is started all the same. For the one that comes
   * with the extension alone, which keeps to its roots by itself.
   */
  readonly sandboxIfAny?: SandboxTerms;
}

/** The name of the server that comes with the extension. No other one may have it. */
export const bundledServerLabel = 'MCP Roots Server';

/** The terms of a server of which nothing is said. */
export const defaultTerms: ServerTerms = {
  offers: undefined,
  protocol: 'auto',
  autoStart: true,
  rootsAs: ['roots'],
  sandbox: undefined,
};

export function userServer(name: string, launch: Launch, terms: ServerTerms): ServerDefinition {
  return { id: userServerId(name), label: printable(name), launch, ...terms };
}

/** The id of the server that the user defined under this name. */
export function userServerId(name: string): string {
  return userPrefix + name;
}

/** The name in the settings of the server of this id; `undefined`: it does not stand there. */
export function userServerName(id: string): string | undefined {
  return id.startsWith(userPrefix) ? id.slice(userPrefix.length) : undefined;
}

const userPrefix = 'setting:';

/** The ways other than the protocol in which a server gets its roots. */
export function configurationRoutes(rootsAs: readonly RootsRoute[]): ConfigurationRoute[] {
  return rootsAs.filter(route => route !== 'roots');
}
