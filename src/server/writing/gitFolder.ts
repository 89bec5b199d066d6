import type { HeldFolder } from './heldFolder.ts';
import { lookAt, typeOf } from './identity.ts';

/**
 * The innermost of the folders in a root that looks as what Git keeps in `.git`, which may have any
 * name: a bare repository, or where a `.git` file or link leads to. `names` are those of a held
 * folder and of the folders above it, below the root, outermost first. The root itself may be one:
 * whoever shares that, means it.
 */
export function gitFolderOf(
  { at }: Pick<HeldFolder, 'at'>,
  names: readonly string[],
): string | undefined {
  let up = '';
  for (const name of names.toReversed()) {
    // From the folder that is held, so that a path that leads elsewhere by now gains nothing.
    if (looksLikeGit(entry => lookAt(at(up + entry)))) {
      return name;
    }
    up += '../';
  }
  return undefined;
}

/** By what Git itself looks for. */
function looksLikeGit(look: (name: string) => ReturnType<typeof lookAt>): boolean {
  const leads = (name: string) => {
    const stats = look(name);
    return stats !== undefined && ['directory', 'link'].includes(typeOf(stats));
  };
  return look('HEAD') !== undefined && leads('objects') && leads('refs');
}
