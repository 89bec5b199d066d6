import type { RootsGrant, RootsRequest } from '../../../media/api/mcp-roots.d.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import type { Asked } from '../servers/asked.ts';
import type * as vscode from '../vscode.ts';

/** An extension that asked for roots in this window. */
export interface Requester extends Asked, IDisposable {
  /** Whether it still holds a grant, or waits for one. */
  readonly isActive: boolean;
  /** The folders that wait for an answer, came since it asked, and were not returned by this before. */
  added(): readonly Folder[];
  /** Its row, which is made where the rest of the code is that is loaded with the first request. */
  item(): vscode.TreeItem;
  request(request: RootsRequest): Promise<RootsGrant>;
}

/** The extensions that ask for roots through the API, each once, as long as the window is open. */
export class Requesters implements IDisposable {
  private readonly didChange = new Emitter<Requester | undefined>();
  /** By the ids of the extensions; with those that hold no grant any more. */
  readonly known = new Map<string, Requester>();

  /** Something about one of them changed; `undefined`: there are others than before. */
  readonly onDidChange = this.didChange.event;

  /** Those that hold a grant or wait for one. */
  get all(): readonly Requester[] {
    return [...this.known.values()].filter(({ isActive }) => isActive);
  }

  changed(requester?: Requester): void {
    this.didChange.fire(requester);
  }

  dispose(): void {
    for (const requester of this.known.values()) {
      requester.dispose();
    }
  }
}
