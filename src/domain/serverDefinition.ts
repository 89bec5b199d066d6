import { printableWords } from './printable.ts';
import { type IdentityFields, stdioFields } from './serverIdentity.ts';

/** How to start a server as a process that speaks MCP over stdio. */
export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** `undefined`: the first visible root, else the user's home. */
  readonly cwd: string | undefined;
  /** Variables added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** One MCP server: what it is called, how it starts, and what consent to it is bound to. */
export interface ServerDefinition {
  /** Stable across sessions; unique. */
  readonly id: string;
  readonly label: string;
  readonly launch: StdioLaunch;
  readonly fields: IdentityFields;
}

/** A server that the user defined under this name. */
export function stdioServer(name: string, launch: StdioLaunch): ServerDefinition {
  return { id: `setting:${name}`, label: name, launch, fields: stdioFields(launch) };
}

/** The command line as a person would type it, for prompts and tooltips. */
export function commandLine({ command, args }: StdioLaunch): string {
  return printableWords([command, ...args]);
}
