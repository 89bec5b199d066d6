import { printable } from '../printable.ts';

/** The clients that a user can give the hub to, by their form of configuration. */
export type HubClient = 'vscode' | 'claude-desktop' | 'cursor' | 'claude-code' | 'other';

/** How the hub is started. */
interface HubStart {
  /** A file that Node runs as the bundled server. */
  readonly launcher: string;
  /** The file that names the hub's servers. */
  readonly config: string;
  /** The folders to name for clients that may name none themselves. */
  readonly roots: readonly string[];
  readonly platform: NodeJS.Platform;
}

/** What the hub is called in the configuration of a client. */
export const hubName = 'mcp-roots-hub';

/** Stands for a folder that is not known yet. There is no such folder, so it opens nothing. */
const placeholder = '/path/to/project';

/**
 * Whether a client tells servers which folders they may work in. Another one may or may not: it is
 * treated as one that does not, since a folder named on the command line does not widen what a
 * client says.
 */
export function tellsRoots(client: HubClient): boolean {
  return client !== 'claude-desktop' && client !== 'other';
}

/** What makes a client start the hub: JSON for its configuration file, or a line for a terminal. */
export function clientSnippet(client: HubClient, start: HubStart): string {
  const args = [start.launcher, '--config', start.config, ...rootArguments(client, start)];
  const server = { command: 'node', args };
  switch (client) {
    case 'vscode':
      return toJson({ servers: { [hubName]: { type: 'stdio', ...server } } });
    case 'claude-code':
      return commandLine(args, start.platform);
    default:
      return toJson({ mcpServers: { [hubName]: server } });
  }
}

function rootArguments(client: HubClient, { roots }: HubStart): string[] {
  if (tellsRoots(client)) {
    return [];
  }
  const named = roots.length > 0 ? roots : [placeholder];
  return named.flatMap(root => ['--root', root]);
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function commandLine(args: readonly string[], platform: NodeJS.Platform): string {
  const isWindows = platform === 'win32';
  // PowerShell takes a bare `--` for itself when what it runs is a script, as `claude` may be.
  const end = isWindows ? '"--"' : '--';
  const words = args.map(isWindows ? quoteForWindows : quoteForPosix);
  return ['claude mcp add --scope user', hubName, end, 'node', ...words].join(' ');
}

function quoteForPosix(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Double quotes are known to both shells there, but PowerShell fills in what begins with a `$`. */
function quoteForWindows(word: string): string {
  if (/^[\w.:\\/-]+$/.test(word)) {
    return word;
  }
  return /[$`]/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

/**
 * What a client is given as a text to read: the advice as comments in short lines, and below them
 * the snippet as it is.
 */
export function snippetDocument(
  client: HubClient,
  snippet: string,
  advice: readonly string[],
): { readonly language: 'jsonc' | 'shellscript'; readonly content: string } {
  const isCommand = client === 'claude-code';
  const mark = isCommand ? '# ' : '// ';
  const comments = advice
    .flatMap(sentences => wrapped(printable(sentences), longestLine - mark.length))
    .map(line => `${mark}${line}\n`);
  return {
    language: isCommand ? 'shellscript' : 'jsonc',
    content: `${comments.join('')}\n${snippet.trimEnd()}\n`,
  };
}

const longestLine = 80;

/** A word that is longer than a line has one of its own. */
function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
