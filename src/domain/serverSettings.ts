import type { StdioLaunch } from './launch.ts';
import { type Sentence, sentence } from './sentence.ts';
import { type ServerDefinition, stdioServer } from './serverDefinition.ts';

/** The servers a settings value defines, and what is wrong with each that was left out. */
export interface ReadServers {
  readonly servers: readonly ServerDefinition[];
  readonly problems: readonly Sentence[];
}

const knownKeys = ['type', 'command', 'args', 'cwd', 'env'];

/**
 * Reads the value of the setting `mcpRoots.servers`: an object from server name to launch, in the
 * form of the editor's `mcp.json`. A mistake costs the server it is in, never the others.
 */
export function readServerSettings(value: unknown): ReadServers {
  if (!isObject(value)) {
    const problem = sentence('The setting mcpRoots.servers must be an object of servers by name.');
    return { servers: [], problems: [problem] };
  }
  const servers: ServerDefinition[] = [];
  const problems: Sentence[] = [];
  for (const [name, entry] of Object.entries(value)) {
    const problem = problemWith(name, entry);
    if (problem) {
      problems.push(problem);
    } else {
      servers.push(stdioServer(name, toLaunch(entry as Partial<StdioLaunch>)));
    }
  }
  return { servers, problems };
}

function toLaunch({ command = '', args = [], cwd, env = {} }: Partial<StdioLaunch>): StdioLaunch {
  return { command, args, cwd, env };
}

function problemWith(name: string, entry: unknown): Sentence | undefined {
  if (!isObject(entry)) {
    return sentence('Server "{0}" in mcpRoots.servers: must be an object with a "command".', name);
  }
  const { type, command, args, cwd, env } = entry;
  const unknown = Object.keys(entry).find(key => !knownKeys.includes(key));
  if (unknown) {
    return sentence(
      'Server "{0}" in mcpRoots.servers: "{1}" is not a known key. Known keys: {2}.',
      name,
      unknown,
      knownKeys.join(', '),
    );
  }
  if (type !== undefined && type !== 'stdio') {
    return sentence('Server "{0}" in mcpRoots.servers: "type" must be "stdio".', name);
  }
  if (typeof command !== 'string' || command.trim() === '') {
    return sentence(
      'Server "{0}" in mcpRoots.servers: "command" must name the program to start.',
      name,
    );
  }
  if (args !== undefined && !isListOfStrings(args)) {
    return sentence('Server "{0}" in mcpRoots.servers: "args" must be a list of strings.', name);
  }
  if (cwd !== undefined && (typeof cwd !== 'string' || cwd.trim() === '')) {
    return sentence('Server "{0}" in mcpRoots.servers: "cwd" must be the path of a folder.', name);
  }
  if (env !== undefined && !(isObject(env) && isListOfStrings(Object.values(env)))) {
    return sentence(
      'Server "{0}" in mcpRoots.servers: "env" must be an object of strings by variable name.',
      name,
    );
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
