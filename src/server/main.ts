import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../base/logger.ts';
import type { PathPlatform } from '../domain/pathNames.ts';
import { printable } from '../domain/printable.ts';
import { afterReal } from './after.ts';
import { parseCommandLine } from './commandLine.ts';
import { createServer } from './createServer.ts';
import { watchParent } from './parentWatch.ts';
import { version } from './version.ts';

const commandLine = parseCommandLine(process.argv.slice(2));
switch (commandLine.kind) {
  case 'print':
    process.stdout.write(commandLine.text);
    break;
  case 'refuse':
    console.error(commandLine.message);
    process.exitCode = 2;
    break;
  case 'serve':
    serve(commandLine.rootsTimeout);
}

function serve(limit: number): void {
  const logger = stderrLogger();
  const options = { platform: currentPlatform(), logger, after: afterReal, limit };
  serveStdio(({ era }) => createServer(era, options), { onerror: error => logger.error(error) });
  process.stdin.once('close', leave);
  process.stdin.once('end', leave);
  watchParent(leave);
  console.error(`MCP Roots ${version} serves files over stdio, in the roots its client names.`);
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
