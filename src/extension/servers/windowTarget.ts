import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DisposableStore } from '../../base/disposable.ts';
import { Limiter } from '../../base/limiter.ts';
import type { Logger } from '../../base/logger.ts';
import type { ProcessOwner } from '../../mcp/process/stdio/processOwner.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import { settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import { askForInput } from './askForInput.ts';
import { loadClient, type OwnerIn } from './loadClient.ts';
import type { SandboxSource, TargetContext } from './serverTarget.ts';

/** What the starts of this window's servers need. */
export function targetContext(context: vscode.ExtensionContext, owner: OwnerIn): TargetContext {
  // The editor shows one input box at a time: a second box would close the first.
  const boxes = new Limiter({ running: 1 });
  return {
    sandbox: sandboxIn(context, owner),
    askForInput: question => {
      const defined = settings.inputsFor(question.from).find(({ id }) => id === question.id);
      return boxes.run(() =>
        question.signal.aborted ? undefined : askForInput(question, defined),
      );
    },
    proxy: () => settings.proxy,
    rules: () => settings.rules,
    // Passes a text, because the editor opens a text unchanged. A `Uri` would decode the query and
    // encode it in another way: `%26` in a parameter would become `&`, and end the parameter.
    openBrowser: async url => vscode.env.openExternal(url as unknown as vscode.Uri),
  };
}

/** In milliseconds. A start that takes longer, as for a download, delays no other start. */
const longestStart = 250;

/**
 * Limits how many servers start at the same time in a window, to one for each processor. More
 * starts would wait for each other, and would block the window: the start of a process blocks it,
 * and the first messages of all servers would arrive together.
 */
export function serverStarts(): Limiter {
  const running = Math.max(2, availableParallelism());
  return new Limiter({ running, longest: longestStart, isSpread: true });
}

/** Makes the owner of the window's processes when the first process needs it. */
export function ownerIn(store: DisposableStore, logger: Logger): OwnerIn {
  let owner: ProcessOwner | undefined;
  return ({ ProcessOwner }) => {
    owner ??= store.add(new ProcessOwner('editor', logger));
    return owner;
  };
}

/** Makes the sandbox of this machine when the first confined server starts. */
function sandboxIn(context: vscode.ExtensionContext, owner: OwnerIn): SandboxSource {
  const { extensionPath, globalStorageUri } = context;
  let sandbox: Sandbox | undefined;
  return async () => {
    const bundle = await loadClient();
    const attacker = bundle.ownAttacker(join(extensionPath, 'dist'));
    sandbox ??= new bundle.Sandbox(attacker, globalStorageUri.fsPath, owner(bundle));
    return sandbox;
  };
}
