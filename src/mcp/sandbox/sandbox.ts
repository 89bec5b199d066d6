import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname, release } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/messageOf.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError, type Sentence } from '../../domain/sentence.ts';
import { LackError } from '../../domain/servers/serverFailure.ts';
import type { ProcessOwner } from '../process/stdio/processOwner.ts';
import type { ProcessStart } from '../process/stdio/serverProcess.ts';
import { type InstalledServer, installedStart } from './installing.ts';
import { sandboxedStart } from './sandboxedStart.ts';
import { findSandboxTool, type SandboxTool, toolFiles, unixSocketsProblem } from './sandboxTool.ts';
import { ServerStorage } from './serverStorage.ts';
import { type Attacker, byNames, byNetwork, byUnixSockets, tryWaysOut } from './waysOut/probe.ts';

/**
 * The sandbox of this machine. Before the first server starts in it, a test program tries all known
 * ways out of a sandbox, with the same flags as a server. If one leads out, no server starts.
 *
 * From a definition to a start, the next files are `sandbox/sandboxTerms`, `sandbox/sandboxTool`,
 * `waysOut/probe`, `sandbox/installing`, `sandbox/sandboxedStart` and `sandbox/bubblewrap`.
 */
export class Sandbox {
  private readonly attacker: Attacker;
  private readonly folder: string;
  /** The data of servers, and the programs installed for them. */
  readonly storage: ServerStorage;
  readonly owner: ProcessOwner;
  /** The tests, by the tool's file and by whether programs in the sandbox have unix sockets. */
  private readonly proving = new Map<string, Promise<SandboxTool>>();

  /**
   * @param attacker the program that tries the ways out.
   * @param folder for the servers' data and programs, and for proofs. A proof is a file whose name
   * says which machine, kernel and flags passed the test. Nothing else may use the folder.
   * @param owner owns the processes that install servers and try the ways out.
   */
  constructor(attacker: Attacker, folder: string, owner: ProcessOwner) {
    this.attacker = attacker;
    this.folder = folder;
    this.storage = new ServerStorage(join(folder, 'servers'));
    this.owner = owner;
  }

  /**
   * Returns the start of a server in the sandbox. First installs what the server would download.
   *
   * @throws {HumanError} when this machine has no sandbox, the sandbox does not hold, or installing
   * fails. The error says why, and what to do.
   */
  async start(start: ProcessStart, server: InstalledServer): Promise<ProcessStart> {
    // A server that writes to our folder could change others' programs, or fake a proof.
    const hidden = [...(server.hidden ?? []), this.folder];
    const tool = await this.prove(server.terms.unixSockets === true);
    return installedStart(start, { ...server, hidden }, tool, this);
  }

  /**
   * Returns why servers can't start in a sandbox here. `undefined`: the sandbox passed the test.
   */
  async problem(): Promise<Sentence | undefined> {
    try {
      await this.prove(false);
      return undefined;
    } catch (error) {
      if (isHumanError(error)) {
        return error.sentence;
      }
      throw error;
    }
  }

  /**
   * Tests the sandbox once for each file of the tool. If the test failed, or found only a stand-in,
   * the next call repeats it, because somebody may have installed what was missing.
   */
  private async prove(hasUnixSockets: boolean): Promise<SandboxTool> {
    const file = await toolFiles();
    const key = `${file} ${hasUnixSockets}`;
    const proving =
      this.proving.get(key) ?? this.findProof(file, hasUnixSockets).catch(asHumanError);
    this.proving.set(key, proving);
    let isFinal = false;
    try {
      const tool = await proving;
      isFinal = !tool.isStandIn;
      return tool;
    } finally {
      if (!isFinal && this.proving.get(key) === proving) {
        this.proving.delete(key);
      }
    }
  }

  private async findProof(file: string, hasUnixSockets: boolean): Promise<SandboxTool> {
    const { tool, problem } = await findSandboxTool(this.owner);
    if (!tool) {
      throw new LackError('sandbox', problem);
    }
    const without = hasUnixSockets ? await unixSocketsProblem(tool, this.owner) : undefined;
    if (without) {
      throw new LackError('sandbox', without);
    }
    const proof = await proofOf(tool, file, this.attacker, hasUnixSockets);
    const proofs = join(this.folder, 'proofs');
    if (!(await stat(join(proofs, proof)).catch(() => undefined))) {
      await this.tryOut(tool, hasUnixSockets);
      // If the proof can't be saved, the next window or hub tries the ways out again.
      await mkdir(proofs, { recursive: true, mode: 0o700 }).catch(() => {});
      await writeFile(join(proofs, proof), '', { mode: 0o600 }).catch(() => {});
    }
    return tool;
  }

  private async tryOut(tool: SandboxTool, unixSockets: boolean): Promise<void> {
    const terms = { read: [], write: [], network: true, unixSockets };
    const { tried, through } = await tryWaysOut(this.attacker, this.owner, (start, folders) => {
      const roots = folders.map(({ path, isReadOnly }) => {
        return { uri: path, name: path, path, isReadOnly };
      });
      return sandboxedStart(start, { terms, roots }, tool);
    });
    if (tried === 0) {
      throw new HumanError(untried);
    }
    const opened = [
      byNetwork,
      ...(unixSockets ? [byUnixSockets] : []),
      ...(tool.hasNamespaces ? [] : byNames),
    ];
    const leaks = through.filter(way => !opened.includes(way));
    if (leaks.length > 0) {
      throw new HumanError(leaky, leaks.join(', '), tool.name);
    }
  }
}

const untried = 'The self-test of the sandbox did not run. Start the server again.';

const leaky =
  'The sandbox of this machine is not safe: some escapes succeeded in the self-test ({0}). Update {1} and the system.';

/** Throws any error of the test as a `HumanError`, because it is no bug: the disk may be full. */
function asHumanError(error: unknown): never {
  throw isHumanError(error)
    ? error
    : new HumanError(
        'The self-test of the sandbox failed to run: {0}',
        printable(messageOf(error)),
      );
}

/**
 * Returns a hash of what a proof depends on: the machine with its kernel, the tool's file, all
 * flags of a start, and the test program. Another version of the test program may try other ways.
 */
async function proofOf(
  tool: SandboxTool,
  file: string,
  { args: [attacker = ''] }: Attacker,
  hasUnixSockets: boolean,
): Promise<string> {
  const world = {
    shown: [{ path: '/a', isWritable: true, place: '' }],
    hidden: [{ path: '/a/b/c', isFolder: true }],
    links: new Map(),
    empty: ['/tmp'],
    cwd: '/a',
    env: {},
    hasNetwork: true,
    hasUnixSockets,
  } as const;
  const ways = await readFile(attacker, 'latin1').catch(() => ''); // Then the test fails.
  const flags = tool.start(world, [], 'secret');
  const all = [hostname(), release(), tool.name, file, flags, ways];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}
