import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';

type Stdio = ('pipe' | 'ignore' | number)[];

/**
 * Starts a process with pipes for its descriptors: the usual three, and one more for each input.
 *
 * If there are inputs, the new process can't use any other descriptor that our process got at its
 * start: it leads to nothing. Otherwise, the new process could leave its sandbox, for example
 * through a folder that a terminal had open.
 */
export function withStdio<Child>(
  inputs: readonly (string | Uint8Array)[],
  start: (stdio: Stdio) => Child,
): Child {
  const stdio: Stdio = ['pipe', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)];
  const given = inputs.length === 0 ? [] : givenHandles().filter(handle => handle >= stdio.length);
  if (given.length === 0) {
    return start(stdio);
  }
  const nothing = openSync('/dev/null', 'r');
  try {
    const last = Math.max(...given);
    // Node can't close these descriptors for the child, but can put `/dev/null` in their place.
    const rest = Array.from({ length: last + 1 - stdio.length }, (_, index) =>
      given.includes(index + stdio.length) ? nothing : ('ignore' as const),
    );
    return start([...stdio, ...rest]);
  } finally {
    closeSync(nothing);
  }
}

/** Writes each input to its pipe. `withStdio` must have started the process with these inputs. */
export function giveInputs(
  pipes: readonly unknown[],
  inputs: readonly (string | Uint8Array)[],
): void {
  for (const [index, input] of inputs.entries()) {
    const pipe = pipes[3 + index] as Writable;
    pipe.on('error', () => {}); // The process has ended, which is reported elsewhere.
    pipe.end(input);
  }
}

/** Our descriptors that a child inherits, because they stay open when a program is started. */
function givenHandles(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number).filter(isGiven);
  } catch {
    return []; // Only Linux lists the descriptors.
  }
}

function isGiven(handle: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // The descriptor that read the folder is closed by now.
  }
}

const closeOnExec = 0o2000000;
