import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HumanError } from '../../domain/sentence.ts';

/** The files with which other clients start the hub. They stay where they are through updates. */
export class HubFiles {
  /** Names the hub's servers, and is the user's own. */
  readonly config: string;
  /** Runs the installed server. */
  readonly launcher: string;
  private readonly launcherText: string;

  /**
   * @param folder need not be there.
   * @param serverFile the bundled server as it is installed now.
   */
  constructor(folder: string, serverFile: string) {
    this.config = join(folder, 'servers.json');
    this.launcher = join(folder, 'mcp-roots.cjs');
    this.launcherText = launcherText(serverFile);
  }

  /**
   * Makes the files that are missing. A configuration that exists is left as it is.
   *
   * @throws HumanError when the folder can't be written to.
   */
  async prepare(): Promise<void> {
    const folder = dirname(this.config);
    try {
      await mkdir(folder, { recursive: true });
      // For the user alone: people write secrets into such files.
      const once = { flag: 'wx', mode: 0o600 };
      await writeFile(this.config, configTemplate, once).catch(unless('EEXIST'));
      await this.writeLauncher();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new HumanError("The hub's files can't be written to {0}: {1}", folder, reason);
    }
  }

  /** Lets the launcher run the server that is installed now. Without a launcher, nothing happens. */
  async refresh(): Promise<void> {
    const text = await readFile(this.launcher, 'utf8').catch(unless('ENOENT'));
    if (text !== undefined && text !== this.launcherText) {
      await this.writeLauncher();
    }
  }

  /** In one step: a client may run it at any moment. */
  private async writeLauncher(): Promise<void> {
    const draft = `${this.launcher}.${randomUUID()}`;
    await writeFile(draft, this.launcherText);
    await rename(draft, this.launcher);
  }
}

/** Throws an error again unless it has this code. */
function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return error => {
    if (error.code !== code) {
      throw error;
    }
    return undefined;
  };
}

/** The configuration of the hub before the user has written into it: JSON with comments. */
export const configTemplate = `// The MCP servers that the hub of MCP Roots runs for its clients. It tells each
// server its client's roots and checks the paths in calls: a filter, not a
// boundary. What you save takes effect at once.
//
// A server is started ("command", "args", "env", "cwd") or called ("url",
// "headers"). For one that knows no roots, "args" can hold \${roots}. Keep
// secrets out of this file: \${env:NAME}.
{
  "mcpServers": {
    // "files": {
    //   "command": "npx",
    //   "args": ["-y", "@modelcontextprotocol/server-filesystem"]
    // }
  }
}
`;

/**
 * A program that runs the bundled server at `serverFile`, from a place that stays where it is: that
 * of an extension changes with each version. Old releases of Node can read it, to be told so.
 */
export function launcherText(serverFile: string): string {
  return `// Starts the server that MCP Roots brings. MCP Roots keeps this file up to date: do not change it.
'use strict';

const server = ${JSON.stringify(serverFile)};

if (parseInt(process.versions.node, 10) < 20) {
  fail('MCP Roots needs Node 20 or later. This is ' + process.version + '.');
} else if (!require('fs').existsSync(server)) {
  fail('There is no MCP Roots at ' + server + ' any more. Start the editor that holds it once.');
} else {
  require(server);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
`;
}
