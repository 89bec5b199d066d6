import { isAbsolute, normalize, resolve, sep } from 'node:path';
import { type Launch, launchTexts } from '../servers/launch.ts';
import type { IdentityFields } from '../servers/serverIdentity.ts';
import { replaceVariables } from '../variables.ts';
import type { Grant, GrantScope } from './grants.ts';

/** Stands in place of the folder's URI in a grant that is about a server's start. */
export const launchSubject = 'mcp-roots:launch';

/** The folders of a window's workspace and of the user. A start may run files from there. */
export interface StartWorkspace {
  /** Absolute paths; empty without a workspace. */
  readonly folders: readonly string[];
  readonly home: string;
  /** The folders of `PATH`, where the system looks for programs. */
  readonly programFolders: readonly string[];
}

/**
 * True if an answer to this start may hold in other workspaces, too: the start runs no file of this
 * workspace, and is the same everywhere. `${env:NAME}` may differ between workspaces.
 *
 * A program that works in a folder of the workspace may run files from there by its own rules:
 * `npx` an installed package, `make` a rule, Python a module. No command line shows those files. So
 * the entry must name a working directory outside the workspace.
 */
export function holdsElsewhere(launch: Launch, workspace: StartWorkspace): boolean {
  if (launch.type === 'http' || workspace.folders.length === 0) {
    return true;
  }
  const folders = workspace.folders.map(plain);
  const isIn = (path: string, folder: string) => `${path}${sep}`.startsWith(`${folder}${sep}`);
  const texts = launchTexts(launch).map(({ text }) => inEachWorkspace(text, workspace.home));
  const cwd = inEachWorkspace(launch.cwd ?? '', workspace.home) ?? '';
  return (
    [cwd, ...workspace.programFolders].every(
      path => isAbsolute(path) && !folders.some(folder => isIn(plain(path), folder)),
    ) &&
    !folders.some(folder => isIn(folder, plain(cwd))) &&
    texts.every(
      text =>
        text !== undefined &&
        !/(?:^|[^.])\.\.(?:[^.]|$)/.test(text) &&
        [text, resolve(cwd, text)].every(
          path => !folders.some(folder => plain(path).includes(folder)),
        ),
    )
  );
}

/** Returns a path to compare in any letter case. At worst, the user is asked once more. */
function plain(path: string): string {
  return normalize(path)
    .toLowerCase()
    .replace(/[\\/]+$/, '');
}

/** The text with the home filled in; `undefined` if the text may differ between workspaces. */
function inEachWorkspace(text: string, home: string): string | undefined {
  let isSame = true;
  const replaced = replaceVariables(text, ({ asWritten, variable }) => {
    isSame &&= variable?.kind === 'userHome' || variable?.kind === 'input';
    return variable?.kind === 'userHome' ? home : asWritten;
  });
  return isSame ? replaced : undefined;
}

/** The chosen scope, or `workspace` for `always` if the answer can't hold elsewhere. */
export function launchScope(scope: GrantScope, isEverywhere: boolean): GrantScope {
  return scope === 'always' && !isEverywhere ? 'workspace' : scope;
}

/**
 * True if the user saw how a server starts, and agreed. A permission for folders is not enough,
 * because a tick in a view does not show what runs.
 *
 * @param isEverywhere whether answers from other workspaces count: {@link holdsElsewhere}.
 */
export function isLaunchAllowed(
  grants: readonly Grant[],
  { serverId, identity }: Pick<Grant, 'serverId' | 'identity'>,
  isEverywhere: boolean,
): boolean {
  const own = grants.filter(
    grant =>
      grant.serverId === serverId && grant.identity === identity && grant.folder === launchSubject,
  );
  return (
    own.every(({ decision }) => decision === 'allowed') &&
    own.some(({ scope }) => launchScope(scope, isEverywhere) === scope)
  );
}

/**
 * Returns the fields of the identity that the user last answered on. `undefined`: the current
 * identity has an answer. If the user ever answered on a start, only answers on starts count.
 */
export function formerFields(
  grants: readonly Grant[],
  serverId: string,
  identity: string,
): IdentityFields | undefined {
  const own = grants.filter(grant => grant.serverId === serverId);
  const launches = own.filter(({ folder }) => folder === launchSubject);
  const telling = launches.length > 0 ? launches : own;
  const isKnown = telling.some(grant => grant.identity === identity);
  return isKnown ? undefined : telling.at(-1)?.fields;
}
