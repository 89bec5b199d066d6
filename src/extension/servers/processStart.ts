import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Access } from '../../domain/access.ts';
import { HumanError } from '../../domain/errors.ts';
import type { ServerDefinition } from '../../domain/serverDefinition.ts';
import type { ProcessStart } from '../../mcp/serverProcess.ts';
import { diskState } from '../folders/diskState.ts';
import { loadClient } from './clientBundle.ts';

/**
 * How to start a server now: in the working directory it names, else in the first folder that it
 * may see, else in the user's home.
 *
 * @throws {HumanError} when that directory is not there, which the system would report as a
 * missing program.
 */
export async function processStart(
  { launch }: ServerDefinition,
  { folders }: Access,
): Promise<ProcessStart> {
  const firstRoot = folders.find(({ root }) => root)?.folder.path;
  const cwd = resolve(firstRoot ?? homedir(), launch.cwd ?? '');
  if ((await diskState(cwd)) !== 'directory') {
    throw new HumanError('Its working directory {0} is no folder that can be read.', cwd);
  }
  const { serverEnvironment } = await loadClient();
  const env = serverEnvironment(process.env, launch.env, process.platform);
  return { command: launch.command, args: launch.args, cwd, env };
}
