import { existsSync, lstatSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import { expandLaunch } from '../../domain/settings/expandLaunch.ts';
import type { StartRequest } from '../../mcp/managedServer.ts';
import type { Target } from '../../mcp/openWire.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import { processStart } from '../../mcp/stdio/processStart.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import { reasonOf } from '../../server/writing/reasons.ts';

/** A root as a server is told of it, and as it stands in a launch. */
export function startRoot({ uri, name, announced, place }: RootFolder): StartRoot {
  return { uri, name: name ?? basename(announced), path: announced, place };
}

/** Places that a hub has for the processes of its servers. */
export interface StartPlaces {
  readonly emptyFolder: EmptyFolder;
  readonly sandbox: () => Sandbox;
}

/**
 * The start or address of a server for these roots, with all variables of its launch expanded. There
 * is nobody who could enter inputs or sign in.
 *
 * @throws {HumanError} when something that the launch names is not there.
 */
export async function upstreamTarget(
  { launch, sandbox: terms, fingerprint }: Pick<HubServer, 'launch' | 'sandbox' | 'fingerprint'>,
  { roots: startRoots, signal }: StartRequest,
  { emptyFolder, sandbox }: StartPlaces,
): Promise<Target> {
  const roots = startRoots.map(({ path }) => path);
  const expanded = expandLaunch(launch, { env: process.env, inputs: new Map(), roots });
  if (!expanded.ok) {
    throw new HumanError(expanded.problem);
  }
  const { launch: filled, secrets } = expanded;
  if (filled.type === 'stdio') {
    // In a sandbox this one is empty, and gone with the process.
    const folder = roots[0] ?? (terms ? '/tmp' : emptyFolder.path());
    const start = await processStart({ launch: filled, secrets, folder, workspace: [] });
    if (!terms) {
      return start;
    }
    const server = { terms, roots: startRoots, identity: fingerprint, signal };
    return sandbox().start(start, server);
  }
  const { url, headers, transport } = filled;
  return { url, headers, secrets, ...(transport && { transport }) };
}

/**
 * The folder in which processes without a root start: the hub's own, for its user alone, and empty
 * but for what these processes leave there. If they started in the home folder, a tool that works
 * on its working directory when no path is given would work on files that nobody has shared.
 */
export class EmptyFolder {
  private made: string | undefined;

  /**
   * The real path of the folder, which is made when first needed, and anew after somebody cleared
   * it away.
   *
   * @throws {HumanError} when the folder can't be made.
   */
  path(): string {
    if (this.made === undefined || !isOurs(this.made)) {
      this.made = newFolder();
    }
    return this.made;
  }

  /** Removes the folder with all that is in it. Never rejects. */
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
    const problem = 'Without a root it starts in an empty folder, which {0} has no place for. {1}';
    throw new HumanError(problem, place, reasonOf(error));
  }
}

/**
 * A folder for this user alone, where the system has one: programs such as npm search all folders
 * above their working directory, too, and run what they find there.
 */
function temporaryPlace(): string {
  const { XDG_RUNTIME_DIR: own = '' } = process.env;
  return isAbsolute(own) && existsSync(own) ? own : tmpdir();
}

/** Whether it is still our folder: another user may have replaced it after it was cleared away. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
}
