import { parseArgs } from 'node:util';
import { version } from './version.ts';

/** What the command line asks for. */
export type CommandLine =
  | { readonly kind: 'serve'; readonly rootsTimeout: number }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refuse'; readonly message: string };

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  'roots-timeout': { type: 'string' },
} as const;

const help = `MCP Roots ${version}: an MCP server for the files in the folders that its client shares.

It speaks MCP over standard input and output. Which folders it may reach is said by the client
(roots), every path is checked against them, and without roots nothing is reachable.

Usage: node server.js [options]

Options:
  --roots-timeout SECONDS  how long the client may take to name its roots (default: 10)
  -h, --help               show this and exit
  -v, --version            show the version and exit
`;

/** Reads the arguments. Whatever it does not know is refused, so that no mistake goes unseen. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    const message = token.kind === 'option' ? optionProblem(token) : unexpected(token);
    if (message) {
      return { kind: 'refuse', message: `${message} Run with --help to see the options.` };
    }
  }
  if (values.help) {
    return { kind: 'print', text: help };
  }
  if (values.version) {
    return { kind: 'print', text: `${version}\n` };
  }
  return { kind: 'serve', rootsTimeout: Number(values['roots-timeout'] ?? 10) * 1000 };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function optionProblem({ name, rawName, value }: OptionToken): string | undefined {
  if (!Object.hasOwn(options, name)) {
    return `Unknown option ${rawName}.`;
  }
  if (name === 'roots-timeout') {
    const seconds = Number(value || Number.NaN);
    const isUsable = seconds > 0 && seconds <= 3600;
    return isUsable ? undefined : `${rawName} needs a number of seconds from 0.001 to 3600.`;
  }
  return value === undefined ? undefined : `${rawName} takes no value.`;
}

function unexpected(token: { readonly kind: string; readonly value?: string }): string | undefined {
  return token.kind === 'positional' ? `Unexpected argument "${token.value}".` : undefined;
}
