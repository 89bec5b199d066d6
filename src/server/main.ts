#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { config } from 'zod';
import { afterReal } from '../base/clock.ts';
import { Limiter } from '../base/limiter.ts';
import type { Logger } from '../base/logger.ts';
import { codeOf } from '../base/messageOf.ts';
import { version } from '../base/version.ts';
import type { Era } from '../domain/exposure.ts';
import type { PathPlatform } from '../domain/paths/pathNames.ts';
import { printable, quotePath } from '../domain/printable.ts';
import { isHumanError } from '../domain/sentence.ts';
import { parseCommandLine, type ServeRequest } from './commandLine.ts';
import { createServer, type ServerOptions } from './createServer.ts';
import type { ListenAddress } from './http/headCheck.ts';
import { serveHttp } from './http/serveHttp.ts';
import type { Hub } from './hubHost.ts';
import { Disks } from './roots/disks.ts';
import { pinGivenRoots, RootSources } from './roots/rootSources.ts';
import { StdioServerTransport } from './stdio/stdioServerTransport.ts';

// Zod would compile code for each schema at its first use, which costs more here than it saves.
config({ jitless: true });

const callLimits = { running: 32, waiting: 1000 };
/** Few searches run at a time, because another call may wait for a time slice of each search. */
const searchLimits = { running: 2, waiting: 1000 };
const commandLine = parseCommandLine(process.argv.slice(2), process.env);
switch (commandLine.kind) {
  case 'print':
    process.stdout.write(commandLine.text);
    break;
  case 'refuse':
    refuse(commandLine.message);
    break;
  case 'serve':
    void serve(commandLine.request);
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

async function serve(request: ServeRequest): Promise<void> {
  const platform = currentPlatform();
  const disks = new Disks();
  // Kills this process, because an exit waits for all calls to disks, and some never return.
  process.once('exit', () => disks.isAsking && process.kill(process.pid, 'SIGKILL'));
  const given = await pinGivenRoots(request.roots, platform, process.cwd(), disks);
  if (!given.ok) {
    refuse(given.message);
    return;
  }
  const logger = stderrLogger();
  let hub: Hub | undefined;
  try {
    hub = await openHub(request.hub, logger);
  } catch (error) {
    if (!isHumanError(error)) {
      throw error;
    }
    refuse(error.message);
    return;
  }
  const options: ServerOptions = {
    sources: new RootSources(
      { roots: given.roots, withoutRoots: request.withoutRoots },
      platform,
      disks,
    ),
    limiter: new Limiter(callLimits),
    logger,
    after: afterReal,
    limit: request.rootsTimeout,
    allowWrite: request.allowWrite,
    searches: new Limiter(searchLimits),
    hub,
  };
  warnOf(request, logger);
  if (request.http) {
    await serveOverHttp({ ...request.http, token: request.token }, request, options);
    return;
  }
  serveOverStdio(options);
  console.error(greeting(request, 'over stdio'));
}

/** Opens the hub, if the options name one. Other starts do not load the hub's separate bundle. */
async function openHub(wanted: ServeRequest['hub'], logger: Logger): Promise<Hub | undefined> {
  return (
    wanted &&
    (await import('../hub/main.ts')).Hub.open({ ...wanted, version, logger, after: afterReal })
  );
}

/** Warns if the options give more access than the user perhaps meant to give. */
function warnOf({ roots, withoutRoots }: ServeRequest, logger: Logger): void {
  if (withoutRoots === 'allow' && roots.length === 0) {
    logger.warn('Clients that do not support roots can reach all files (--without-roots=allow).');
  }
}

/** Serves until the client is gone, or the process that started this server is gone. */
function serveOverStdio(options: ServerOptions): void {
  const { logger, limiter, searches, hub } = options;
  const { stdin: input, stdout: output } = process;
  const leave = () => void endWith(hub);
  const transport = new StdioServerTransport({
    input,
    output,
    work: [limiter, searches],
    logger,
    leave,
  });
  const onerror = (error: Error) => logger.error(error);
  serveStdio(({ era }) => createServer(era, options), { transport, onerror });
  watchParent(leave);
  // Without a handler, a signal would end this process and leave the hub's servers running.
  onSignals(leave);
}

/** Ends the hub's servers, gives unsent answers 100 ms to go out, and exits. */
async function endWith(hub: ServerOptions['hub']): Promise<void> {
  await hub?.close();
  setTimeout(() => process.exit(), 100).unref();
}

function onSignals(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, end);
  }
}

/** Serves until a signal arrives, even after the end of standard input or of the parent process. */
async function serveOverHttp(
  address: ListenAddress,
  request: ServeRequest,
  options: ServerOptions,
): Promise<void> {
  const { logger, after } = options;
  // Each legacy session has its own queue: a wait for its client's roots must not block others.
  const newServer = (era: Era) =>
    createServer(
      era,
      era === 'legacy' ? { ...options, limiter: new Limiter(callLimits) } : options,
    );
  const service = await serveHttp({ ...address, logger, after }, newServer);
  if (!service.ok) {
    refuse(service.reason);
    return;
  }
  onSignals(() => void service.close().then(() => endWith(undefined)));
  console.error(greeting(request, `over HTTP at ${service.url}`));
  if (address.token === undefined && request.roots.length === 0) {
    logger.warn(
      'Every program on this machine can use this server and name any folder as its root. ' +
        'To prevent this, set a token (--token-env) or a limit (--root).',
    );
  }
}

function greeting({ roots, allowWrite, hub }: ServeRequest, how: string): string {
  const given = roots.map(quotePath).join(', ');
  const where = given === '' ? 'the roots its client names' : `${given} (--root)`;
  const what = allowWrite ? 'for reading and writing' : 'for reading';
  const behind = hub ? ` This server is a hub for the servers in ${quotePath(hub.config)}.` : '';
  return `MCP Roots ${version} serves the files in ${where} ${how}, ${what}.${behind}`;
}

function currentPlatform(): PathPlatform {
  return process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';
}

/**
 * Logs to standard error, because standard output carries the protocol. One message is one line of
 * at most 1,000 characters.
 */
function stderrLogger(): Logger {
  const write = (level: string) => (message: string | Error) => {
    const text = message instanceof Error ? message.message : message;
    process.stderr.write(`${printable(`[${level}] ${text.slice(0, 1000)}`)}\n`);
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

/**
 * Calls `onGone` when the process that started this process is gone.
 *
 * The end of standard input is no sure sign, because another process may hold the input open. The
 * timer does not keep this process alive.
 */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isRunning(parent)) {
      clearInterval(timer);
      onGone();
    }
  }, 1000).unref();
}

// On Windows, `ppid` keeps the id of a parent that is gone. Id 0 is a parent outside the container.
function isRunning(id: number): boolean {
  try {
    return id === 0 || process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
