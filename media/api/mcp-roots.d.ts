// The API of the extension MCP Roots (mcp-roots.mcp-roots) for other extensions, version 1.
// Copy this file into your extension. `media/help/api.md` beside it shows how it is used.

import type { Disposable, Event, Uri } from 'vscode';

/** What `vscode.extensions.getExtension('mcp-roots.mcp-roots')` exports once it is activated. */
export interface McpRootsExtension {
  /**
   * The API in the version that is asked for. What a version has is not changed; more may be added.
   *
   * @throws when there is no such version. The error names those that there are.
   */
  getApi(version: 1): McpRootsApi;
}

export interface McpRootsApi {
  /**
   * Asks the user which folders your extension may see, where that was not answered yet, and resolves
   * when the question was answered or dismissed. In Restricted Mode nothing is asked.
   *
   * A dismissed question is not put again in this window, a refused folder never: the user can give
   * another answer in the view "Servers", and the grant is live. Call it when the user did something
   * that needs folders, not at activation.
   *
   * @throws when there is no such extension, when there is no purpose, and when a folder is none of
   *   this window.
   */
  requestRoots(request: RootsRequest): Promise<RootsGrant>;
}

export interface RootsRequest {
  /** The id of your extension: `context.extension.id`. The question says that it is not checked. */
  readonly extension: string;
  /** What you need the folders for, in one sentence of up to 200 characters. The user reads it. */
  readonly purpose: string;
  /**
   * The folders that you need, all of them folders of this window: of the workspace, or of the
   * setting `mcpRoots.extraFolders`. Left out: every one of them, also those that are added later.
   */
  readonly folders?: readonly Uri[];
}

/** What your extension may see, live until it is disposed. */
export interface RootsGrant extends Disposable {
  /** The roots of this moment, in folder order. None means no access, never "all". */
  readonly roots: readonly Root[];
  /** Fires with the roots when they are others than before. */
  readonly onDidChangeRoots: Event<readonly Root[]>;
  /** Ends the grant: it has no roots from then on. The answers of the user are kept. */
  dispose(): void;
}

/** A folder that the user allowed your extension to see, and that is on disk. */
export interface Root {
  /** Always a `file:` URI. */
  readonly uri: Uri;
  /** Distinct among the roots of one grant. */
  readonly name: string;
}
