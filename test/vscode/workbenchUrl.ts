import type { CodeServer } from './codeServer.ts';

/** The folder or file that a page of a VS Code server opens. */
export interface WorkbenchTarget {
  /** Absolute path of a folder or a `.code-workspace` file; an empty window when undefined. */
  readonly workspace?: string;
  /** The editor's switches for this window, such as the path of tests. */
  readonly payload?: readonly (readonly [name: string, value: string])[];
}

/** The address of the workbench page that opens `target` in a server, with the right to use it. */
export function workbenchUrl(
  { authority, token }: Pick<CodeServer, 'authority' | 'token'>,
  { workspace, payload }: WorkbenchTarget,
): string {
  const url = new URL(`http://${authority}/`);
  url.searchParams.set('tkn', token);
  if (workspace === undefined) {
    url.searchParams.set('ew', 'true');
  } else {
    const isFile = workspace.endsWith('.code-workspace');
    url.searchParams.set(isFile ? 'workspace' : 'folder', workspace);
  }
  if (payload) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}
