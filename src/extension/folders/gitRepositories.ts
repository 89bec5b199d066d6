import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import * as vscode from '../vscode.ts';

/** The parts that we use of the Git extension's API (`git.d.ts`, version 1). */
interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<GitApi['state']>;
  readonly repositories: readonly {
    readonly rootUri: vscode.Uri;
    /** New editor versions list worktrees. Old versions open each worktree as a repository. */
    readonly state: { readonly worktrees?: readonly { readonly path: string }[] };
  }[];
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** How many milliseconds to wait while the Git extension first looks for repositories. */
const longest = 2000;

/**
 * The paths of the Git repositories and worktrees that the editor knows in this window, each once.
 * Empty when the Git extension is missing, disabled, or does not answer as expected.
 */
export async function gitRepositories(logger: Logger): Promise<readonly string[]> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  try {
    const git = extension && (await extension.activate());
    return git?.enabled ? pathsOf(await initialized(git.getAPI(1))) : [];
  } catch (error) {
    // Git's extension also throws if Git is not installed. Fewer folders are offered without it.
    logger.debug(`The Git extension returned no repositories: ${String(error)}`);
    return [];
  }
}

/** Returns the API when it has found the repositories, or after {@link longest}. */
async function initialized(git: GitApi): Promise<GitApi> {
  if (git.state === 'uninitialized') {
    let listener: vscode.Disposable | undefined;
    const change = new Promise<void>(resolve => {
      listener = git.onDidChangeState(() => resolve());
    });
    await within(change, longest, undefined).finally(() => listener?.dispose());
  }
  return git;
}

function pathsOf({ repositories }: GitApi): readonly string[] {
  const paths = repositories
    .filter(({ rootUri }) => rootUri.scheme === 'file')
    .flatMap(({ rootUri, state }) => [
      rootUri.fsPath,
      ...(state.worktrees ?? []).map(({ path }) => vscode.Uri.file(path).fsPath),
    ]);
  return [...new Set(paths)];
}
