import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../base/logger.ts';
import type { PathPlatform } from '../domain/pathNames.ts';
import { printable } from '../domain/printable.ts';
import { afterReal } from './after.ts';
import { parseCommandLine, type ServeRequest } from './commandLine.ts';
import { createServer } from './createServer.ts';
import { givenUris } from './givenRoots.ts';
import { watchParent } from './parentWatch.ts';
import { RootSources } from './rootSources.ts';
import type { ServerOptions } from './serverOptions.ts';
import { Turns } from './turns.ts';
import { version } from './version.ts';

const commandLine = parseCommandLine(process.argv.slice(2), process.env);
switch (commandLine.kind) {
  case 'print':
    process.stdout.write(commandLine.text);
    break;
  case 'refuse':
    refuse(commandLine.message);
    break;
  case 'serve':
    serve(commandLine.request);
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

function serve(request: ServeRequest): void {
  const platform = currentPlatform();
  const given = givenUris(request.roots, platform, process.cwd());
  if (!given.ok) {
    refuse(given.message);
    return;
  }
  const logger = stderrLogger();
  const options: ServerOptions = {
    sources: new RootSources({ uris: given.uris, withoutRoots: request.withoutRoots }, platform),
    turns: new Turns({ running: 32, waiting: 1000 }),
    logger,
    after: afterReal,
    limit: request.rootsTimeout,
    allowWrite: request.allowWrite,
    ripgrep: request.ripgrep,
  };
  if (request.withoutRoots === 'allow' && given.uris.length === 0) {
    logger.warn('A client that names no roots may reach every file (--without-roots=allow).');
  }
  serveStdio(({ era }) => createServer(era, options), { onerror: error => logger.error(error) });
  process.stdin.once('close', leave);
  process.stdin.once('end', leave);
  watchParent(leave);
  console.error(greeting(request));
}

function greeting({ roots, allowWrite }: ServeRequest): string {
  const where = roots.length > 0 ? 'the folders given by --root' : 'the roots its client names';
  const how = allowWrite ? 'for reading and writing' : 'for reading';
  return `MCP Roots ${version} serves the files in ${where} over stdio, ${how}.`;
}

/** Lets answers that are being written go out, and then does not wait for anything. */
function leave(): void {
  setTimeout(() => process.exit(), 100).unref();
}

function currentPlatform(): PathPlatform {
  return process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';
}

// Standard output is the protocol. One message is one line, whoever wrote it.
function stderrLogger(): Logger {
  const write = (level: string) => (message: string | Error) => {
    const text = message instanceof Error ? message.message : message;
    console.error(printable(`[${level}] ${text.slice(0, 1000)}`));
  };
  const ignore = () => {};
  return {
    trace: ignore,
    debug: ignore,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
