import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a command-line tool to its end and returns what it printed.
 *
 * @throws with everything the tool said, when it cannot be started or fails.
 */
export async function runTool(
  tool: string,
  args: readonly string[],
  cwd?: string,
): Promise<string> {
  try {
    // npm and code are `.cmd` files on Windows, which only a shell can start.
    const shell = process.platform === 'win32';
    const { stdout } = await promisify(execFile)(tool, shell ? args.map(quoted) : args, {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
      shell,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}\n${stderr}`.trim();
    throw new Error(`\`${tool} ${args.join(' ')}\` failed.\n${said}`, { cause: error });
  }
}

function quoted(argument: string): string {
  return `"${argument}"`;
}
