import { printable } from '../printable.ts';
import type { SandboxTerms } from '../sandbox/sandboxTerms.ts';
import type { Launch } from './launch.ts';

/**
 * How a server gets its roots: when it asks, or as values in its arguments or environment. Only a
 * restart renews those values.
 */
export const rootsRoutes = ['roots', 'args', 'env'] as const;

export type RootsRoute = (typeof rootsRoutes)[number];
export type RouteOfLaunch = Exclude<RootsRoute, 'roots'>;

/**
 * The protocol revisions to use: any that the server knows, the older revisions, or 2026-07-28.
 * `@modelcontextprotocol/server-filesystem` 2.0.1 knows all, but takes roots only in older ones.
 */
export const protocols = ['auto', 'legacy', '2026-07-28'] as const;

export type ProtocolChoice = (typeof protocols)[number];

/** A definition without its launch. Of these terms, the identity has only the sandbox. */
export interface ServerTerms {
  /** Names or paths of its candidate folders; `undefined` for all folders of the window. */
  readonly offers: readonly string[] | undefined;
  readonly protocol: ProtocolChoice;
  /** Whether the server may start automatically when it has roots. */
  readonly autoStart: boolean;
  /** Whether the server's processes stay when nobody uses them. */
  readonly keepAlive: boolean;
  /** The ways in which the server gets its roots, at least one. */
  readonly rootsAs: readonly RootsRoute[];
  /** The sandbox, if any. A server reached over HTTP has no sandbox. */
  readonly sandbox: SandboxTerms | undefined;
  /** The tools that clients get, as lists of patterns for `isLeftIn`. Empty for all tools. */
  readonly tools: readonly (readonly string[])[];
}

/** One MCP server: its name, and how it starts. */
export interface ServerDefinition extends ServerTerms {
  /** Unique, and the same in every session. */
  readonly id: string;
  /** The name to show. It is safe to show. */
  readonly label: string;
  readonly launch: Launch;
  /** The settings that define the server; `undefined` for the bundled server. */
  readonly from?: 'user' | 'workspace';
  /** Whether settings of a remote machine contribute. The editor merges them with the user's. */
  readonly isOfMachine?: boolean;
  /**
   * A sandbox to use if this machine has one; otherwise the server starts without it. Only for the
   * bundled server, which checks each path itself.
   */
  readonly sandboxIfAny?: SandboxTerms;
}

/** The name of the bundled server. No other server can have this name. */
export const bundledServerLabel = 'MCP Roots Server';

/** The terms of a server whose definition does not set them. */
export const defaultTerms: ServerTerms = {
  offers: undefined,
  protocol: 'auto',
  autoStart: true,
  keepAlive: false,
  rootsAs: ['roots'],
  sandbox: undefined,
  tools: [],
};

export function userServer(name: string, launch: Launch, terms: ServerTerms): ServerDefinition {
  return { id: userServerId(name), label: printable(name), launch, ...terms };
}

/** The id of the server with this name in the settings. */
export function userServerId(name: string): string {
  return userPrefix + name;
}

/** The server's name in the settings; `undefined` if the server is not from the settings. */
export function userServerName(id: string): string | undefined {
  return id.startsWith(userPrefix) ? id.slice(userPrefix.length) : undefined;
}

const userPrefix = 'setting:';

/** The ways to give a server its roots without the protocol. */
export function configurationRoutes(rootsAs: readonly RootsRoute[]): RouteOfLaunch[] {
  return rootsAs.filter(route => route !== 'roots');
}
