import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** For which system a program was built, in the words of Node. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
}

/**
 * The ripgrep that the editor searches with, when it is where editors keep it. That place is no
 * promise of the editor's: it has moved before, so `undefined` is nothing unusual.
 */
export function editorRipgrep(appRoot: string, system: System): string | undefined {
  return placesOfRipgrep(appRoot, system).find(existsSync);
}

/** Where editors have kept ripgrep, the newest place first. */
function placesOfRipgrep(appRoot: string, { platform, arch }: System): string[] {
  const program = platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = [
    // Since VS Code 1.122. (https://github.com/microsoft/vscode/issues/318691)
    join('ripgrep-universal', 'bin', `${platform}-${arch}`, program),
    // What `@vscode/ripgrep` itself consists of since 1.18.
    join(`ripgrep-${platform}-${arch}`, 'bin', program),
    join('ripgrep', 'bin', program),
  ];
  // No program can be started out of an archive, so the editor keeps those beside it.
  return ['node_modules.asar.unpacked', 'node_modules'].flatMap(modules =>
    packages.map(path => join(appRoot, modules, '@vscode', path)),
  );
}
