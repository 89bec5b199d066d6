import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type ProofMemory, Sandbox } from '../../mcp/sandbox/sandbox.ts';
import { ownAttacker } from '../../mcp/sandbox/waysOut/probe.ts';
import type { ProcessOwner } from '../../mcp/stdio/processOwner.ts';

/** Makes the sandbox of this machine when the first server is about to start in it. */
export function sandboxHere(owner: ProcessOwner): () => Sandbox {
  let sandbox: Sandbox | undefined;
  return () => (sandbox ??= newSandbox(owner));
}

function newSandbox(owner: ProcessOwner): Sandbox {
  const attacker = ownAttacker(dirname(realpathSync(process.argv[1] ?? '')));
  const cache = cachePlace();
  const proofs = new ProofFile(join(cache, 'proofs.json'));
  return new Sandbox(attacker, proofs, { storage: join(cache, 'installed'), owner });
}

/** The folder in which all hubs of this user keep what servers fetch, and which sandboxes held. */
function cachePlace(): string {
  const { XDG_CACHE_HOME: named = '' } = process.env;
  return join(isAbsolute(named) ? named : join(homedir(), '.cache'), 'mcp-roots');
}

/** Keeps proofs in a file of this user. One that can't be read has none; one that can't be written is done without. */
export class ProofFile implements ProofMemory {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  has(proof: string): boolean {
    return this.read().includes(proof);
  }

  add(proof: string): void {
    const proofs = [...this.read(), proof].slice(-mostProofs);
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      writeFileSync(this.file, JSON.stringify(proofs), { mode: 0o600 });
    } catch {
      // The next hub tries the ways out again, and so does one that reads a half of the file.
    }
  }

  private read(): string[] {
    try {
      const proofs: unknown = JSON.parse(readFileSync(this.file, 'utf8'));
      return Array.isArray(proofs) ? proofs.filter(proof => typeof proof === 'string') : [];
    } catch {
      return [];
    }
  }
}

/** The last kernels and versions are enough: one that is met again is tried again. */
const mostProofs = 10;
