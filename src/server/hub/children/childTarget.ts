import { HumanError } from '../../../domain/errors.ts';
import type { Launch } from '../../../domain/servers/launch.ts';
import { expandLaunch } from '../../../domain/variables/variables.ts';
import type { Target } from '../../../mcp/openWire.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import type { ClientBundle } from './clientBundle.ts';
import type { EmptyFolder } from './emptyFolder.ts';

/** What {@link childTarget} works with. */
export interface TargetParts extends Pick<ClientBundle, 'processStart'> {
  /** Where a process starts that has no root. */
  readonly emptyFolder: Pick<EmptyFolder, 'path'>;
}

/**
 * How to start or reach a server for these roots now, with all variables of its launch put in.
 * There is nobody who could enter something or sign in.
 *
 * @throws {HumanError} when something that the launch names is not there.
 */
export async function childTarget(
  launch: Launch,
  folders: readonly RootFolder[],
  { processStart, emptyFolder }: TargetParts,
): Promise<Target> {
  const roots = announcedPaths(folders);
  const expanded = expandLaunch(launch, { env: process.env, inputs: new Map(), roots });
  if (!expanded.ok) {
    throw new HumanError(expanded.problem.template, ...expanded.problem.values);
  }
  const { launch: filled, secrets } = expanded;
  if (filled.type === 'stdio') {
    return processStart({ launch: filled, secrets, folder: roots[0] ?? emptyFolder.path() });
  }
  const { url, headers, transport } = filled;
  return { url, headers, secrets, ...(transport && { transport }) };
}

/** The roots as they stand in a launch. */
export function announcedPaths(folders: readonly RootFolder[]): readonly string[] {
  return folders.map(({ announced }) => announced);
}
