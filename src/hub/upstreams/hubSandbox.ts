import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { ProcessOwner } from '../../mcp/process/stdio/processOwner.ts';
import { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import { ownAttacker } from '../../mcp/sandbox/waysOut/probe.ts';

/** Returns a function that makes the sandbox of this machine at its first call. */
export function sandboxHere(owner: ProcessOwner): () => Sandbox {
  let sandbox: Sandbox | undefined;
  return () => (sandbox ??= newSandbox(owner));
}

function newSandbox(owner: ProcessOwner): Sandbox {
  const attacker = ownAttacker(dirname(realpathSync(process.argv[1] ?? '')));
  return new Sandbox(attacker, dataPlace(), owner);
}

/** The folder with the data and downloads of this user's hubs, and the record of passed sandbox tests. */
function dataPlace(): string {
  const { XDG_DATA_HOME: named = '' } = process.env;
  return join(isAbsolute(named) ? named : join(homedir(), '.local/share'), 'mcp-roots');
}
