import { isAbsolute, normalize, resolve, sep } from 'node:path';
import { type Launch, launchTexts } from '../servers/launch.ts';
import type { IdentityFields } from '../servers/serverIdentity.ts';
import { replaceVariables } from '../variables.ts';
import type { Grant, GrantScope } from './grants.ts';

/** Stands in the place of a folder in the answer on whether a server may start. */
export const launchSubject = 'mcp-roots:launch';

/** A window's workspace. A start may take files from it. */
export interface StartWorkspace {
  /** Absolute paths; empty without a workspace. */
  readonly folders: readonly string[];
  readonly home: string;
  /** The folders with programs that are named without a path (`PATH`). */
  readonly programFolders: readonly string[];
}

/**
 * True if an answer to this start may hold in other workspaces, too: the start runs no file of this
 * workspace, and is the same in each. `${env:NAME}` may have another value in each.
 *
 * A program that works in a folder of the workspace may run files from there by its own rules:
 * `npx` an installed package, `make` a rule, Python a module. No command line shows that. So only a
 * working directory that is named and lies apart from the workspace is safe.
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

/** Letter case is ignored on every system: asking once more is safe. */
function plain(path: string): string {
  return normalize(path)
    .toLowerCase()
    .replace(/[\\/]+$/, '');
}

/** The text in each workspace of the user; `undefined` when it may differ between workspaces. */
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
 * True if the user saw how a server starts and agreed. Allowing folders, by a tick for example, is
 * not enough: that does not show what is run.
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
 * The identity that the user last answered for; `undefined` if they answered for the current one.
 * Once a start was answered, only answers on starts count.
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
