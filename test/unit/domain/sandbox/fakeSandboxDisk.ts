import { posix } from 'node:path';
import type { SandboxDisk } from '../../../../src/domain/sandbox/sandboxDisk.ts';

/**
 * A disk of files by their paths, folders coming with them: `-> text` is a link, `#!…` a script and all
 * else a file without a first line. A path that ends in `/` is an empty folder.
 */
export function fakeSandboxDisk(files: Readonly<Record<string, string>>): SandboxDisk {
  const linkAt = (path: string) => /^-> (.*)$/.exec(files[path] ?? '')?.[1];
  const isFolder = (path: string) =>
    Object.keys(files).some(file => file.startsWith(path === '/' ? '/' : `${path}/`));
  const follow = (path: string, hops = 0): string | undefined => {
    if (path === '/' || hops > 40) {
      return hops > 40 ? undefined : path;
    }
    const folder = follow(posix.dirname(path), hops);
    const real = folder === undefined ? undefined : posix.join(folder, posix.basename(path));
    const text = real === undefined ? undefined : linkAt(real);
    return folder === undefined || text === undefined
      ? real
      : follow(posix.isAbsolute(text) ? text : `${folder === '/' ? '' : folder}/${text}`, hops + 1);
  };
  return {
    readLink: path => Promise.resolve(linkAt(path)),
    kindOf: path => {
      const real = follow(path);
      const isFile = real !== undefined && files[real] !== undefined && !real.endsWith('/');
      const kind = isFile ? 'file' : real !== undefined && isFolder(real) ? 'folder' : undefined;
      return Promise.resolve(kind);
    },
    firstLine: path => {
      const text = files[follow(path) ?? ''];
      return Promise.resolve(text?.startsWith('#!') ? text : undefined);
    },
  };
}
