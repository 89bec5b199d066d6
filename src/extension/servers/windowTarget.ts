import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DisposableStore } from '../../base/disposable.ts';
import { Limiter } from '../../base/limiter.ts';
import type { Logger } from '../../base/logger.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import type { ProcessOwner } from '../../mcp/stdio/processOwner.ts';
import { askForInput } from '../secrets/askForInput.ts';
import { settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import { loadClient, type OwnerIn } from './loadClient.ts';
import type { SandboxSource, TargetContext } from './serverTarget.ts';

/** The context that this window gives the starts of its servers. */
export function targetContext(context: vscode.ExtensionContext, owner: OwnerIn): TargetContext {
  return {
    sandbox: sandboxIn(context, owner),
    askForInput: async question => {
      const defined = settings.inputsFor(question.from).find(({ id }) => id === question.id);
      return askForInput(question, defined);
    },
    proxy: () => settings.proxy,
    rules: () => settings.rules,
    // The text itself, which the editor opens as it is. A `Uri` decodes the query and encodes it
    // another way: `%26` within a parameter becomes `&`, and ends it.
    openBrowser: async url => vscode.env.openExternal(url as unknown as vscode.Uri),
  };
}

/** In milliseconds: a start that takes longer, say because of a download, holds up no other. */
const longestStart = 250;

/**
 * Limits how many servers of a window start at the same time to one for each processor. More would
 * only wait for each other, and the window for all of them: starting a process blocks this one, and
 * all that the servers send when they start would come at once.
 */
export function serverStarts(): Limiter {
  const running = Math.max(2, availableParallelism());
  return new Limiter({ running, longest: longestStart, isSpread: true });
}

/** Makes the owner of the window's processes when the first one is about to start. */
export function ownerIn(store: DisposableStore, logger: Logger): OwnerIn {
  let owner: ProcessOwner | undefined;
  return ({ ProcessOwner }) => {
    owner ??= store.add(new ProcessOwner('editor', logger));
    return owner;
  };
}

/** Makes the sandbox of this machine when the first server is about to start in it. */
function sandboxIn(context: vscode.ExtensionContext, owner: OwnerIn): SandboxSource {
  const { extensionPath, globalState, globalStorageUri } = context;
  let sandbox: Sandbox | undefined;
  const key = 'sandboxProofs';
  const proofs = () => globalState.get<readonly string[]>(key, []);
  return async () => {
    const bundle = await loadClient();
    const memory = {
      has: (proof: string) => proofs().includes(proof),
      add: (proof: string) => void globalState.update(key, [...proofs(), proof].slice(-mostProofs)),
    };
    sandbox ??= new bundle.Sandbox(bundle.ownAttacker(join(extensionPath, 'dist')), memory, {
      storage: join(globalStorageUri.fsPath, 'installed'),
      owner: owner(bundle),
    });
    return sandbox;
  };
}

/** The last kernels and versions are enough: one that is met again is tried again. */
const mostProofs = 10;
