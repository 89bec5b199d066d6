import { existsSync, lstatSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { HumanError } from '../../domain/sentence.ts';
import { expandLaunch } from '../../domain/servers/expandLaunch.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { StartRequest } from '../../mcp/life/managedServer.ts';
import type { Target } from '../../mcp/process/openWire.ts';
import { processStart } from '../../mcp/process/stdio/processStart.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import { reasonOf } from '../../server/writing/reasons.ts';

/** A root in the form for a server's start and its `roots/list`. */
export function startRoot({ uri, name, announced, place }: RootFolder): StartRoot {
  return { uri, name: name ?? basename(announced), path: announced, place };
}

/** The places where a hub starts its servers. */
export interface StartPlaces {
  readonly emptyFolder: EmptyFolder;
  readonly sandbox: () => Sandbox;
  /** The file that defines the servers. */
  readonly configFile: string;
}

/**
 * Returns the start or the address of a server for these roots, with all variables filled in. In a
 * hub, nobody can enter inputs or sign in.
 *
 * @throws {HumanError} when something that the launch names is missing.
 */
export async function upstreamTarget(
  defined: Pick<HubServer, 'name' | 'launch' | 'sandbox' | 'fingerprint'>,
  { roots: startRoots, signal }: StartRequest,
  { emptyFolder, sandbox, configFile }: StartPlaces,
): Promise<Target> {
  const { name, launch, sandbox: terms, fingerprint: identity } = defined;
  const roots = startRoots.map(({ path }) => path);
  const expanded = expandLaunch(launch, { env: process.env, inputs: new Map(), roots });
  if (!expanded.ok) {
    throw new HumanError(expanded.problem);
  }
  const { launch: filled, secrets } = expanded;
  if (filled.type === 'stdio') {
    // The sandbox puts its own home in the place of this folder.
    const folder = roots[0] ?? (terms ? homedir() : emptyFolder.path());
    const start = await processStart({ launch: filled, secrets, folder, workspace: [] });
    if (!terms) {
      return start;
    }
    const key = JSON.stringify([configFile, name]);
    return sandbox().start(start, { terms, roots: startRoots, key, identity, signal });
  }
  const { url, headers, transport } = filled;
  return { url, headers, secrets, ...(transport && { transport }) };
}

/**
 * The working folder of processes without a root. It belongs to this user, and is empty at first.
 * In the home folder, a tool could reach files that nobody shared: many use their working
 * directory.
 */
export class EmptyFolder {
  private made: string | undefined;

  /**
   * The real path of the folder. The hub makes the folder at first use, and again if somebody removed it.
   *
   * @throws {HumanError} when the folder can't be made.
   */
  path(): string {
    if (this.made === undefined || !isOurs(this.made)) {
      this.made = newFolder();
    }
    return this.made;
  }

  /** Removes the folder and its contents. Never rejects. */
  async remove(): Promise<void> {
    if (this.made !== undefined && isOurs(this.made)) {
      // A folder that can't be removed stays until the system clears its temporary folders.
      await rm(this.made, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    }
  }
}

function newFolder(): string {
  const place = temporaryPlace();
  try {
    return realpathSync.native(mkdtempSync(join(place, 'mcp-roots-hub-')));
  } catch (error) {
    const problem =
      'The server has no root, so it needs an empty folder. The hub could not make one in {0}. {1}';
    throw new HumanError(problem, place, reasonOf(error));
  }
}

/**
 * A folder for this user alone, where the system has one. Programs such as npm also search the
 * folders above their working directory, and run files that they find there.
 */
function temporaryPlace(): string {
  const { XDG_RUNTIME_DIR: own = '' } = process.env;
  return isAbsolute(own) && existsSync(own) ? own : tmpdir();
}

/** Whether the folder still belongs to this user. After a removal, another user may have made it. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
}
