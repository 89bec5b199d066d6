import { isAbsolute, normalize, resolve, sep } from 'node:path';
import { type Launch, launchTexts } from '../servers/launch.ts';
import type { IdentityFields } from '../servers/serverIdentity.ts';
import { replaceVariables } from '../settings/variables.ts';
import type { Grant, GrantScope } from './grants.ts';

/** Stands in the place of a folder in the answer on whether a server may be started at all. */
export const launchSubject = 'mcp-roots:launch';

/** The workspace of a window, of which a start may take something. */
export interface StartWorkspace {
  /** Absolute paths. Without any there is no workspace. */
  readonly folders: readonly string[];
  readonly home: string;
  /** The folders of programs that are named without a path (`PATH`). */
  readonly programFolders: readonly string[];
}

/**
 * True if an answer to this start may hold in other workspaces, too: what is run is no file of this
 * one, and is the same in each. What `${env:NAME}` stands for may be another thing in each.
 *
 * A program that works in a folder of the workspace may run what it finds there, by its own rules:
 * `npx` what is installed, `make` a rule, Python a module. No command line tells that, so only a
 * working directory that is named, and has nothing to do with the workspace, is known to be none.
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

/** Letter case is passed over on every system: to ask once more is safe. */
function plain(path: string): string {
  return normalize(path)
    .toLowerCase()
    .replace(/[\\/]+$/, '');
}

/** The text as it is in each workspace of the user; `undefined`: it may be another in each. */
function inEachWorkspace(text: string, home: string): string | undefined {
  let isSame = true;
  const replaced = replaceVariables(text, ({ asWritten, variable }) => {
    isSame &&= variable?.kind === 'userHome' || variable?.kind === 'input';
    return variable?.kind === 'userHome' ? home : asWritten;
  });
  return isSame ? replaced : undefined;
}

/** The scope of an answer to a start that was given for this scope. */
export function launchScope(scope: GrantScope, isEverywhere: boolean): GrantScope {
  return scope === 'always' && !isEverywhere ? 'workspace' : scope;
}

/**
 * True if the user agreed to start a server as it is, having been shown how. Allowing it folders, by
 * a tick for example, is no such answer: that does not show what is run.
 *
 * @param isEverywhere whether what was agreed to in another workspace counts: {@link holdsElsewhere}.
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
 * The identity that the user last answered for, unless they answered for the present one. Where a start
 * was ever agreed to, only such answers count.
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
