import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname, release } from 'node:os';
import { dirname } from 'node:path';
import { messageOf } from '../../base/messageOf.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError, type Sentence } from '../../domain/sentence.ts';
import { LackError } from '../../domain/servers/serverFailure.ts';
import type { ProcessStart } from '../stdio/serverProcess.ts';
import {
  forgetInstalled,
  type Installations,
  type InstalledServer,
  installedStart,
  removeInstalled,
} from './installing.ts';
import { sandboxedStart } from './sandboxedStart.ts';
import { findSandboxTool, type SandboxTool, toolFile, unixSocketsProblem } from './sandboxTool.ts';
import { type Attacker, byNetwork, byUnixSockets, tryWaysOut } from './waysOut/probe.ts';

/** Remembers on which machines, with which kernel and which flags, no way led out of the sandbox. */
export interface ProofMemory {
  has(proof: string): boolean;
  add(proof: string): void;
}

/**
 * The sandbox of this machine. Nothing is started in it, and nobody is told that it keeps anything,
 * before the ways out of it were tried here, with the flags of every start, and led nowhere.
 *
 * From a definition to a start, the next files are `sandbox/sandboxTerms`, `sandbox/sandboxTool`,
 * `waysOut/probe`, `sandbox/installing`, `sandbox/sandboxedStart` and `sandbox/bubblewrap`.
 */
export class Sandbox {
  private readonly attacker: Attacker;
  private readonly memory: ProofMemory;
  private readonly installations: Installations;
  /** By the file of the tool, and whether a program in it has unix sockets. */
  private readonly proving = new Map<string, Promise<SandboxTool>>();

  /** @param attacker the program that tries the ways out. */
  constructor(attacker: Attacker, memory: ProofMemory, installations: Installations) {
    this.attacker = attacker;
    this.memory = memory;
    this.installations = installations;
  }

  /**
   * The start of a server as one in the sandbox, with what it fetches installed.
   *
   * @throws {HumanError} when there is none here, it does not hold, or installing fails: why, and what
   * to do.
   */
  async start(start: ProcessStart, server: InstalledServer): Promise<ProcessStart> {
    // A server that writes there would choose what others run, and which sandboxes are believed to hold.
    const hidden = [...(server.hidden ?? []), dirname(this.installations.storage)];
    const tool = await this.prove(server.terms.unixSockets === true);
    return installedStart(start, { ...server, hidden }, tool, this.installations);
  }

  /** Why nothing can be kept in a sandbox here; `undefined` when the ways out were tried and led nowhere. */
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

  /** Has a server fetched anew at its next start. */
  forgetInstalled(identity: string): Promise<void> {
    return forgetInstalled(this.installations.storage, identity);
  }

  /** Removes all that was fetched for a server. It may not run. */
  removeInstalled(identity: string): Promise<void> {
    return removeInstalled(this.installations.storage, identity);
  }

  /**
   * Tries the ways out, unless that was done with this very file of the tool. What fails is tried again
   * by the next call: somebody may have installed what was missing.
   */
  private async prove(hasUnixSockets: boolean): Promise<SandboxTool> {
    const file = await toolFile();
    const key = `${file} ${hasUnixSockets}`;
    const proving = this.proving.get(key) ?? this.findProof(file, hasUnixSockets);
    this.proving.set(key, proving);
    try {
      return await proving;
    } catch (error) {
      if (this.proving.get(key) === proving) {
        this.proving.delete(key);
      }
      throw error;
    }
  }

  private async findProof(file: string, hasUnixSockets: boolean): Promise<SandboxTool> {
    const { tool, problem } = await findSandboxTool();
    if (!tool) {
      throw new LackError('sandbox', problem);
    }
    const without = hasUnixSockets ? await unixSocketsProblem(tool) : undefined;
    if (without) {
      throw new LackError('sandbox', without);
    }
    const proof = proofOf(tool, file, await attackerHash(this.attacker), hasUnixSockets);
    if (!this.memory.has(proof)) {
      await this.tryOut(tool, hasUnixSockets).catch(asHumanError);
      this.memory.add(proof);
    }
    return tool;
  }

  private async tryOut(tool: SandboxTool, unixSockets: boolean): Promise<void> {
    const terms = { read: [], write: [], network: true, unixSockets };
    const { tried, through } = await tryWaysOut(this.attacker, (start, folders) => {
      const roots = folders.map(({ path, isReadOnly }) => {
        return { uri: path, name: path, path, isReadOnly };
      });
      return sandboxedStart(start, { terms, roots }, tool);
    });
    if (tried === 0) {
      throw new HumanError(
        'Whether the sandbox of this machine holds could not be tried. Start again to try it.',
      );
    }
    const opened = [byNetwork, ...(unixSockets ? [byUnixSockets] : [])];
    const leaks = through.filter(way => !opened.includes(way));
    if (leaks.length > 0) {
      throw new HumanError(
        'The sandbox of this machine does not hold: there are ways out of it ({0}). Update {1} and the system.',
        leaks.join(', '),
        tool.name,
      );
    }
  }
}

/** A trial that fails is no bug of ours: there may be no place for its files, for one. */
function asHumanError(error: unknown): never {
  throw isHumanError(error)
    ? error
    : new HumanError(
        'Whether the sandbox of this machine holds could not be tried: {0}',
        printable(messageOf(error)),
      );
}

/** Identifies the ways out that are tried: those of another program may lead out where these do not. */
async function attackerHash({ args: [file = ''] }: Attacker): Promise<string> {
  const program = await readFile(file).catch(() => ''); // Then nothing can be tried, either.
  return createHash('sha256').update(program).digest('hex');
}

/**
 * The scope of a proof: the machine with its kernel, the tool's file, all flags of a start, and the ways
 * that were tried.
 */
function proofOf(
  tool: SandboxTool,
  file: string,
  attacker: string,
  hasUnixSockets: boolean,
): string {
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
  const hash = createHash('sha256')
    .update(JSON.stringify(tool.start(world, [])))
    .digest('hex');
  return [hostname(), release(), tool.name, file, hash, attacker].join(' ');
}
