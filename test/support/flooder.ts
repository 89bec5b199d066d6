import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('httpFlooder.ts', import.meta.url));

/** Starts a server over HTTP that floods when it is told to, in a process of its own. */
export async function startFlooder(): Promise<{
  readonly url: string;
  readonly pid: number;
  /** Settles when it is gone. */
  readonly end: () => Promise<void>;
}> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const exit = once(child, 'exit');
  const end = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { url: url.trim(), pid: child.pid ?? 0, end };
}
