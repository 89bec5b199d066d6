import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/messageOf.ts';
import { HumanError } from '../../domain/sentence.ts';
import { replacePrivate, unless } from '../privateFolder.ts';
import type * as vscode from '../vscode.ts';

/** The files by which other clients start the extension's programs. They are in one folder. */
export interface Launchers {
  /** Starts the bundled server, which can be the hub. */
  readonly hub: Launcher;
  /** Starts the connector, which joins a client to a server of a window. */
  readonly connector: Launcher;
}

/** The launchers for the installed extension. Their files may be missing. */
export function launchersIn({
  globalStorageUri,
  extensionPath,
}: vscode.ExtensionContext): Launchers {
  const launcher = (file: string, program: string) =>
    new Launcher(join(globalStorageUri.fsPath, 'hub', file), join(extensionPath, 'dist', program));
  return {
    hub: launcher('mcp-roots.cjs', 'server.js'),
    connector: launcher('connect.cjs', 'connect.js'),
  };
}

/** A file that starts an installed program. Updates of the extension do not move the file. */
export class Launcher {
  readonly path: string;
  private readonly text: string;

  /**
   * @param path the path of the file. Its folder may be missing.
   * @param program the program as it is installed now.
   */
  constructor(path: string, program: string) {
    this.path = path;
    this.text = launcherText(program);
  }

  /**
   * Makes or updates the file.
   *
   * @throws HumanError when the folder can't be written to.
   */
  async prepare(): Promise<void> {
    await writing(dirname(this.path), () => this.update());
  }

  /** Makes an existing file start the installed program. If the file is missing, does nothing. */
  async refresh(): Promise<void> {
    if ((await this.read()) !== undefined) {
      await this.update();
    }
  }

  private read(): Promise<string | undefined> {
    return readFile(this.path, 'utf8').catch(unless('ENOENT'));
  }

  /** Writes in one step, because a client may start the file at any moment. */
  private async update(): Promise<void> {
    if ((await this.read()) !== this.text) {
      replacePrivate(this.path, this.text);
    }
  }
}

/**
 * Makes the folder, and then writes into it.
 *
 * @throws HumanError when the folder can't be made, or `write` fails.
 */
export async function writing(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await write();
  } catch (error) {
    const reason = messageOf(error);
    throw new HumanError("The files for clients can't be written to {0}: {1}", folder, reason);
  }
}

/**
 * The text of a launcher of `program`, whose path changes with each version of the extension. An
 * old release of Node can parse the text, too, and then says that Node is too old.
 */
export function launcherText(program: string): string {
  return `// Starts what MCP Roots brings. MCP Roots keeps this file up to date: do not change it.
'use strict';

const program = ${JSON.stringify(program)};

if (parseInt(process.versions.node, 10) < 20) {
  fail('MCP Roots needs Node 20 or later. This is ' + process.version + '.');
} else if (!require('fs').existsSync(program)) {
  fail('There is no MCP Roots at ' + program + ' any more. Start the editor that holds it once.');
} else {
  require(program);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
`;
}
