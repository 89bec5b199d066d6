import type { ConfigurationRoute } from '../exposure.ts';
import { printable } from '../printable.ts';
import type { SandboxTerms } from '../sandbox/sandboxTerms.ts';
import type { Launch } from './launch.ts';

/**
 * How a server gets its roots: when it asks, or as values in its arguments or its environment,
 * which only a restart renews.
 */
export const rootsRoutes = ['roots', 'args', 'env'] as const;

export type RootsRoute = (typeof rootsRoutes)[number];

/**
 * The revisions to speak: any that the server knows, the older ones, or the newest.
 * `@modelcontextprotocol/server-filesystem` 2.0.1 knows both, but takes roots only in the older.
 */
export const protocols = ['auto', 'legacy', '2026-07-28'] as const;

export type ProtocolChoice = (typeof protocols)[number];

/** A definition without its launch. Of these terms, only the sandbox is part of the identity. */
export interface ServerTerms {
  /** Names or paths of the folders offered to it; `undefined` for all of the window's folders. */
  readonly offers: readonly string[] | undefined;
  readonly protocol: ProtocolChoice;
  /** Whether it may start automatically as soon as it has roots. */
  readonly autoStart: boolean;
  /** Never empty. */
  readonly rootsAs: readonly RootsRoute[];
  /** `undefined` for no sandbox. A server reached over HTTP never has one. */
  readonly sandbox: SandboxTerms | undefined;
}

/** One MCP server: its name, and how it starts. */
export interface ServerDefinition extends ServerTerms {
  /** Stable across sessions; unique. */
  readonly id: string;
  /** The name to show; safe as it is. */
  readonly label: string;
  readonly launch: Launch;
  /** The settings that define it; `undefined` for the bundled server. */
  readonly from?: 'user' | 'workspace';
  /** Whether a remote machine's settings contribute: the editor merges them with the user's. */
  readonly isOfMachine?: boolean;
  /**
   * A sandbox for machines that have one; on others, the server starts without it. Only for the
   * bundled server, which keeps to its roots by its own checks.
   */
  readonly sandboxIfAny?: SandboxTerms;
}

/** The name of the bundled server, reserved for it. */
export const bundledServerLabel = 'MCP Roots Server';

/** The terms of a server if its definition sets none. */
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

/** The id of the user's server with this name. */
export function userServerId(name: string): string {
  return userPrefix + name;
}

/** The name in the settings for this id; `undefined` if the server is not in the settings. */
export function userServerName(id: string): string | undefined {
  return id.startsWith(userPrefix) ? id.slice(userPrefix.length) : undefined;
}

const userPrefix = 'setting:';

/** The ways besides the protocol to give a server its roots. */
export function configurationRoutes(rootsAs: readonly RootsRoute[]): ConfigurationRoute[] {
  return rootsAs.filter(route => route !== 'roots');
}
