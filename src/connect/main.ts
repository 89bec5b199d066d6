import { Socket } from 'node:net';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterReal } from '../base/clock.ts';
import { MutableDisposable } from '../base/disposable.ts';
import { type ClientWords, Connector } from './connector.ts';
import { intoOnePiece, reachGateway } from './gatewayLink.ts';
import { readSnapshot, snapshotFile } from './snapshot.ts';
import { WholeLines } from './wholeLines.ts';
import { chooseWindow } from './windowChoice.ts';
import { readWindows, realFolder, windowsFolder } from './windowFiles.ts';

const usage = `Usage: node connect.js --server NAME [--workspace PATH]

Joins an MCP client to a server of MCP Roots in an editor window, by default that of its folder.
`;

/** From how many bytes in a piece on its garbage is collected, once the client was left in peace for so many milliseconds. */
const [large, quiet] = [1024 * 1024, 500];

function wanted(): { readonly server?: string; readonly workspace?: string } {
  const options = { server: { type: 'string' }, workspace: { type: 'string' } } as const;
  try {
    return parseArgs({ options }).values;
  } catch {
    return {};
  }
}

async function connectClient(server: string, workspace?: string): Promise<void> {
  const { stdout: output, stderr } = process;
  const home = homedir();
  const window = process.env['MCP_ROOTS_WINDOW'] || undefined;
  const cwd = (await realFolder('.')) ?? '/';
  const choice = async ({ client, roots }: ClientWords) => {
    const real = await Promise.all(roots.map(realFolder));
    return chooseWindow(
      await readWindows(windowsFolder(home)),
      {
        cwd,
        roots: real.filter(path => path !== undefined),
        workspace: workspace && ((await realFolder(workspace)) ?? workspace),
        window,
        client,
      },
      process.platform,
    );
  };
  const collection = new MutableDisposable();
  const connector = new Connector({
    label: server,
    write: lines => {
      output.write(lines);
      if (lines.length > large) {
        // By itself, a process that only waits keeps what it used once.
        collection.value = afterReal(quiet, () => runInNewContext('gc')());
      }
    },
    async reach(words) {
      const chosen = await choice(words);
      return 'problem' in chosen
        ? { away: chosen.problem }
        : reachGateway(chosen.window, { server, cwd, window }, { input, output });
    },
    async meant(words) {
      const chosen = await choice(words);
      return 'window' in chosen ? chosen.window.id : undefined;
    },
    needsRoots: workspace === undefined && window === undefined,
    snapshot: async () => readSnapshot(snapshotFile(home, server)),
    after: afterReal,
    report: sentence => stderr.write(`${sentence}\n`),
    end: () => {
      process.exitCode = 1;
      connector.dispose();
      input.destroy();
    },
  });
  const lines = new WholeLines();
  const input = clientInput(chunk => {
    const whole = lines.push(chunk);
    if (whole) {
      connector.takeFromClient(whole);
    }
  });
  // The client has left: nobody is there for what is still on its way.
  input.on('end', () => process.exit()).on('error', () => process.exit());
  output.on('error', () => process.exit());
  connector.start();
}

/** What the client says, which `take` may use until it returns. */
function clientInput(take: (chunk: Buffer) => void): Readable {
  try {
    const onread = intoOnePiece(take);
    return new Socket({ fd: 0, readable: true, writable: false, onread }).resume();
  } catch {
    // A file or a terminal, as when a person tries it.
    return process.stdin.on('data', take);
  }
}

const { server, workspace } = wanted();
if (server !== undefined) {
  void connectClient(server, workspace);
} else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
