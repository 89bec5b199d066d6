/** The newest VS Code that npm carries, or the oldest one this extension supports. */
export type VsCodeRelease = 'newest' | 'floor';

/** The place of a VS Code release in the npm registry, and the steps to make it run. */
export interface Recipe {
  readonly version: string;
  readonly spec: string;
  /** The hash of the tarball of `spec`. */
  readonly integrity: string;
  /** The npm package with the Node this release runs on; without one, the Node that runs us. */
  readonly nodeSpec?: string;
  /** Dependencies to ask for instead of the ones the package names. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Native modules, which are not compiled, and their replacements. */
  readonly standIns: Readonly<Record<string, string>>;
}

/** The package `code-server` holds a complete VS Code, which we use without code-server around it. */
export const recipes: Readonly<Record<VsCodeRelease, Recipe>> = {
  newest: {
    version: '1.139.1',
    spec: 'code-server@4.139.1',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    standIns: {
      '@vscode/spdlog': 'spdlog.cjs',
      '@vscode/native-watchdog': 'nativeWatchdog.cjs',
    },
  },
  floor: {
    version: '1.105.1',
    spec: 'code-server@4.105.1',
    integrity:
      'sha512-uYQwGkhOMR1/1vkuvj8oR6A03yBcWvxemR4hZdMnBLyZKreZFx4oGhUSVq9lXedXb4kc0jwtYfoeee1J0Q09bw==',
    nodeSpec: 'node@22.23.3',
    // The package asks for a Git repository here, which not every machine can reach.
    dependencies: { '@parcel/watcher': '^2.5.1' },
    standIns: {
      '@vscode/spdlog': 'spdlog.cjs',
      'native-watchdog': 'nativeWatchdog.cjs',
    },
  },
};
