import { resolve } from 'node:path';

/** What the launcher understands of VS Code's command line. */
export interface CodeArguments {
  readonly extensionDevelopmentPaths: readonly string[];
  readonly extensionTestsPath: string;
  /** Absolute path of a folder or a `.code-workspace` file; an empty window when undefined. */
  readonly workspace?: string;
}

/**
 * Reads the command line that `@vscode/test-electron` writes. Flags that mean nothing to a server,
 * such as `--no-sandbox`, are skipped.
 *
 * @throws when no tests are named: this launcher does nothing else.
 */
export function parseCodeArguments(args: readonly string[]): CodeArguments {
  const extensionTestsPath = valuesOf(args, 'extensionTestsPath').at(-1);
  if (!extensionTestsPath) {
    throw new Error('This launcher runs extension tests: pass --extensionTestsPath=<path>.');
  }
  const workspace = args.find(arg => !arg.startsWith('-'));
  return {
    extensionDevelopmentPaths: valuesOf(args, 'extensionDevelopmentPath'),
    extensionTestsPath,
    workspace: workspace && resolve(workspace),
  };
}

function valuesOf(args: readonly string[], name: string): string[] {
  const prefix = `--${name}=`;
  return args.filter(arg => arg.startsWith(prefix)).map(arg => arg.slice(prefix.length));
}
