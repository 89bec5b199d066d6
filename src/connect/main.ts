#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { afterReal } from '../base/clock.ts';
import { whenRead } from '../base/endOfInput.ts';
import { version } from '../base/version.ts';
import { writeTogether } from '../base/writeTogether.ts';
import { Connector } from './connector.ts';
import { intoOnePiece, reachGateway } from './gatewayLink.ts';
import { lineReader } from './messages.ts';
import { lastSaid } from './snapshot.ts';
import {
  barredText,
  chooseWindow,
  isNoWorkFolder,
  unseenText,
  type WindowWish,
} from './windowChoice.ts';
import { readWindows, realFolder, whyUnseen, windowsFolder } from './windowFiles.ts';
import type { ClientWords } from './windowSearch.ts';

const usage = `Usage: mcp-roots-connect --server NAME [--workspace PATH]

Connects an MCP client to a server of the window that has PATH open.
Default PATH: the client's folder.
`;

const { server, workspace, problem = 'Name a server with --server', ...asked } = wanted();
if (asked.help || asked.version) {
  process.stdout.write(asked.help ? usage : `${version}\n`);
} else if (server !== undefined) {
  void connectClient(server, workspace);
} else {
  process.stderr.write(`${problem}.\n\n${usage}`);
  process.exitCode = 2;
}

interface Wanted {
  readonly server?: string;
  readonly workspace?: string;
  readonly help?: boolean;
  readonly version?: boolean;
  readonly problem?: string | undefined;
}

function wanted(): Wanted {
  const [value, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  const flags = { help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } };
  try {
    return parseArgs({ options: { server: value, workspace: value, ...flags } }).values;
  } catch (error) {
    // The first sentence of Node's message names the argument. The others are for programmers.
    return { problem: (error as Error).message.split('. ', 1)[0] };
  }
}

async function connectClient(server: string, workspace?: string): Promise<void> {
  const { stdout: output, stderr, platform } = process;
  const home = homedir();
  const window = process.env['MCP_ROOTS_WINDOW'] || undefined;
  const cwd = (await realFolder('.')) ?? '/';
  const places = {
    home: (await realFolder(home)) ?? home,
    program: dirname(process.execPath),
    system: process.env['SystemRoot'],
  };
  const isNowhere = isNoWorkFolder(cwd, places, platform);
  const wishOf = async ({ client, roots }: ClientWords): Promise<WindowWish> => {
    const real = await Promise.all(roots.map(realFolder));
    const named = workspace && ((await realFolder(workspace)) ?? workspace);
    return {
      cwd,
      isNowhere,
      roots: real.filter(path => path !== undefined),
      workspace: named,
      isGone: named !== undefined && !existsSync(named),
      window,
      client,
      server,
    };
  };
  const choice = async (words: ClientWords) =>
    chooseWindow(await readWindows(windowsFolder(home)), await wishOf(words), platform);
  const connector = new Connector({
    label: server,
    write: line => void writeTogether(output, line),
    async reach(words, isUsed = false) {
      const chosen = await choice(words);
      if ('problem' in chosen) {
        const shown = [cwd, process.execPath, process.argv[1] ?? ''];
        const unseen = whyUnseen(home, window !== undefined, shown);
        return unseen ? { refused: unseenText(home, unseen) } : { away: chosen.problem };
      }
      const { barredBy, name } = chosen.window;
      return barredBy === undefined
        ? reachGateway(chosen.window, { server, cwd, isUsed }, { input, output })
        : { refused: barredText(home, name, barredBy) };
    },
    async meant(words) {
      const chosen = await choice(words);
      return 'window' in chosen ? chosen.window.id : undefined;
    },
    needsRoots: workspace === undefined && window === undefined,
    known: async words => lastSaid(home, server, await wishOf(words), platform),
    after: afterReal,
    report: sentence => stderr.write(`${sentence}\n`),
    end: () => {
      process.exitCode = 1;
      connector.dispose();
      input.destroy();
    },
  });
  const lines = lineReader(line => connector.takeFromClient(line));
  const input = clientInput(chunk => void lines.push(chunk));
  input
    .on('end', async () => {
      await connector.finish();
      await whenRead(output);
      process.exit();
    })
    .on('error', () => process.exit());
  output.on('error', () => process.exit());
  connector.start();
}

/** Opens the client's stream of bytes. `take` may use each chunk only until it returns. */
function clientInput(take: (chunk: Buffer) => void): Readable {
  try {
    const onread = intoOnePiece(take);
    return new Socket({ fd: 0, readable: true, writable: false, onread }).resume();
  } catch {
    // Standard input is a file or a terminal, for example when a person tries the program.
    return process.stdin.on('data', take);
  }
}
