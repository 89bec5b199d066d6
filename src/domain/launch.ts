import { printableWords } from './printable.ts';

/** How to start a server as a process that speaks MCP over stdio. */
export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** `undefined`: the first visible root, else the user's home. */
  readonly cwd: string | undefined;
  /** Variables added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The command line as a person would type it, for prompts and tooltips. */
export function commandLine({ command, args }: StdioLaunch): string {
  return printableWords([command, ...args]);
}
