import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import * as vscode from '../vscode.ts';

/** The parts of the API of the editor's Git extension that are used here (`git.d.ts`, version 1). */
interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<GitApi['state']>;
  readonly repositories: readonly {
    readonly rootUri: vscode.Uri;
    /** Only later editors list worktrees; earlier ones open each worktree as a repository. */
    readonly state: { readonly worktrees?: readonly { readonly path: string }[] };
  }[];
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The longest wait for the Git extension's first look at the folders of a window, in milliseconds. */
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
    // The extension also throws where no Git is installed: then there are just fewer folders to offer.
    logger.debug(`The Git extension returned no repositories: ${String(error)}`);
    return [];
  }
}

/** The API once it knows the repositories: the extension is active before it has looked for them. */
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
