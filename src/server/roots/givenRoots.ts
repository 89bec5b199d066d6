import { fileUri } from '../../domain/paths/fileUri.ts';
import { parsePath } from '../../domain/paths/pathInput.ts';
import { type PathOutcome, type PathPlatform, quotePath } from '../../domain/paths/pathNames.ts';
import { isFileUri } from '../../domain/paths/pathUri.ts';
import { prepareRootFolders } from './rootFolders.ts';

/** The URIs of given roots, or a finished sentence on the first that is no folder. */
export type GivenUris =
  | { readonly ok: true; readonly uris: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * The `file:` URIs of what `--root` gives: a path, relative to the working folder, or a URI.
 *
 * A folder that can't be used is an error at the start rather than a limit that nobody notices.
 */
export function givenUris(
  inputs: readonly string[],
  platform: PathPlatform,
  workingFolder: string,
): GivenUris {
  const uris: string[] = [];
  for (const input of inputs) {
    const parsed = parsePath(input, platform, workingFolder);
    const problem = parsed.ok
      ? folderProblem(uriOf(parsed, input, platform), platform)
      : parsed.reason;
    if (!parsed.ok || problem !== undefined) {
      return { ok: false, message: `${quotePath(input)} cannot be a root. ${problem}` };
    }
    uris.push(uriOf(parsed, input, platform));
  }
  return { ok: true, uris };
}

function uriOf(
  { path }: PathOutcome & { readonly ok: true },
  input: string,
  platform: PathPlatform,
) {
  return isFileUri(input) ? input : fileUri(path, platform === 'win32' ? 'windows' : 'posix');
}

function folderProblem(uri: string, platform: PathPlatform): string | undefined {
  return prepareRootFolders([{ uri }], platform).skipped[0]?.reason;
}
