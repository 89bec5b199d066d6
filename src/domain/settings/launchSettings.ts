import type { HttpLaunch, Launch, StdioLaunch } from '../servers/launch.ts';
import { type SecretVariable, urlProblem } from '../servers/urlProblem.ts';
import { replaceVariables } from '../variables/variableNames.ts';
import type { Transport } from './keys.ts';
import type { Mistakes } from './mistakes.ts';
import {
  type JsonObject,
  type NamedValues,
  readNamedTexts,
  readText,
  readTexts,
} from './values.ts';

const variables: NamedValues = {
  place: 'env',
  name: /^[^=\0]+$/,
  advice: 'must be the name of a variable, without "=".',
};

const headers: NamedValues = {
  place: 'headers',
  name: /^[\w!#$%&'*+.^`|~-]+$/,
  advice: 'must be the name of a header: letters, digits and hyphens.',
};

/** How to start or reach a server. To be used only when no mistake was noted. */
export function readLaunch(
  entry: JsonObject,
  transport: Transport,
  mistakes: Mistakes,
  secret?: SecretVariable,
): Launch {
  return transport === 'http' ? readHttp(entry, mistakes, secret) : readStdio(entry, mistakes);
}

function readStdio(entry: JsonObject, mistakes: Mistakes): StdioLaunch {
  const { command, args, cwd, env, envFile } = entry;
  if (command === undefined) {
    mistakes.addAt('command', 'must name the program to start (or "url" the server to call).');
  }
  const program = 'must name the program to start.';
  return {
    type: 'stdio',
    command: readText(command, 'command', program, mistakes) ?? '',
    // With something for each of them, so that other mistakes are told with the right number.
    args: readTexts(args, 'args', mistakes, ['']) ?? [],
    cwd: readText(cwd, 'cwd', 'must be the path of a folder.', mistakes),
    env: readNamedTexts(env, variables, mistakes),
    envFile: readText(envFile, 'envFile', 'must be the path of a file.', mistakes),
  };
}

function readHttp(entry: JsonObject, mistakes: Mistakes, secret?: SecretVariable): HttpLaunch {
  const url = typeof entry.url === 'string' ? entry.url : '';
  const problem = urlProblem(withSamples(url), secret);
  if (problem) {
    mistakes.addAt('url', problem);
  }
  return {
    type: 'http',
    ...(entry.type === 'sse' && { transport: 'sse' }),
    url,
    headers: readNamedTexts(entry.headers, headers, mistakes),
  };
}

/** The URL with something in the place of each variable that could stand there. */
function withSamples(url: string): string {
  // A digit can stand in a host, a port, a path and a query. Before those stands the scheme.
  const whole = url.replace(/^\$\{[^}]*\}(?=$|[/?#:])/, 'https://sample');
  return replaceVariables(whole, () => '1');
}
