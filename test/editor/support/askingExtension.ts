import * as vscode from 'vscode';
import type {
  McpRootsExtension,
  Root,
  RootsGrant,
  RootsRequest,
} from '../../../media/api/mcp-roots.d.ts';

/** The id of the extension in the folder of this name. */
export const askingId = 'mcp-roots-tests.asking-extension';

/** What that extension exports: the API, and a request in its own name unless another is given. */
interface AskingExtension extends McpRootsExtension {
  requestRoots(
    request: Omit<RootsRequest, 'extension'> & Partial<RootsRequest>,
  ): Promise<RootsGrant>;
}

/** An extension other than ours, which asks for roots. */
export async function askingExtension(): Promise<AskingExtension> {
  const extension = vscode.extensions.getExtension<AskingExtension>(askingId);
  if (!extension) {
    throw new Error(`The window has no extension "${askingId}".`);
  }
  return extension.activate();
}

/** The names of some roots. */
export function namesOf(roots: readonly Root[]): string[] {
  return roots.map(({ name }) => name);
}
