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

/** The context that this window gives the starts of its servers. */
export function targetContext(context: vscode.ExtensionContext, owner: OwnerIn): TargetContext {
  // The editor shows one box at a time: a second one would close the first.
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
    // The text itself, because the editor opens it unchanged. A `Uri` decodes the query and encodes it
    // differently: `%26` within a parameter becomes `&`, and ends the parameter.
    openBrowser: async url => vscode.env.openExternal(url as unknown as vscode.Uri),
  };
}

/** In milliseconds: a start that takes longer, for example for a download, holds up no other start. */
const longestStart = 250;

/**
 * Limits the servers that start at the same time in a window to one for each processor. More would only wait
 * for each other, and make the window wait: starting a process blocks it, and the first messages of all
 * servers would arrive at once.
 */
export function serverStarts(): Limiter {
  const running = Math.max(2, availableParallelism());
  return new Limiter({ running, longest: longestStart, isSpread: true });
}

/** Makes the owner of the window's processes before the first process starts. */
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
