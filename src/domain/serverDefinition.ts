import type { StdioLaunch } from './launch.ts';
import { printable } from './printable.ts';
import { type IdentityFields, stdioFields } from './serverIdentity.ts';

/** One MCP server: what it is called, how it starts, and what consent to it is bound to. */
export interface ServerDefinition {
  /** Stable across sessions; unique. */
  readonly id: string;
  /** How it is shown: printable as it is. */
  readonly label: string;
  readonly launch: StdioLaunch;
  readonly fields: IdentityFields;
}

/** A server that the user defined under this name. */
export function stdioServer(name: string, launch: StdioLaunch): ServerDefinition {
  return { id: `setting:${name}`, label: printable(name), launch, fields: stdioFields(launch) };
}
