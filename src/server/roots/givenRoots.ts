import { fileUri } from '../../domain/paths/fileUri.ts';
import { parsePath } from '../../domain/paths/pathInput.ts';
import { type PathPlatform, quotePath } from '../../domain/paths/pathNames.ts';
import { isFileUri } from '../../domain/paths/pathUri.ts';
import { PinnedRoots } from './rootFolders.ts';

/** Given roots, or a finished sentence on the first that is no folder. */
export type PinnedGivenRoots =
  | { readonly ok: true; readonly roots: PinnedRoots | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Pins what `--root` gives: paths, relative to the working folder, or `file:` URIs. `undefined`: it
 * gives nothing.
 *
 * A folder that can't be used is an error at the start rather than a limit that nobody notices.
 */
export function pinGivenRoots(
  inputs: readonly string[],
  platform: PathPlatform,
  workingFolder: string,
): PinnedGivenRoots {
  const uris: string[] = [];
  for (const input of inputs) {
    const parsed = parsePath(input, platform, workingFolder);
    if (!parsed.ok) {
      return refuse(input, parsed.reason);
    }
    const style = platform === 'win32' ? 'windows' : 'posix';
    uris.push(isFileUri(input) ? input : fileUri(parsed.path, style));
  }
  const roots = new PinnedRoots(
    uris.map(uri => ({ uri })),
    platform,
  );
  const [skipped] = roots.folders.skipped;
  if (skipped) {
    return refuse(inputs[uris.indexOf(skipped.uri)] ?? skipped.uri, skipped.reason);
  }
  return { ok: true, roots: inputs.length > 0 ? roots : undefined };
}

function refuse(input: string, reason: string): PinnedGivenRoots {
  return { ok: false, message: `${quotePath(input)} cannot be a root. ${reason}` };
}
