import { whenAborted } from '../../base/abortSignals.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { cut } from '../../domain/printable.ts';
import type { FromToolCall, ToToolCall } from '../../pages/pageMessages.ts';
import type { ElicitationAnswer } from '../servers/elicitations.ts';
import { t } from '../text.ts';
import type { Uri } from '../vscode.ts';
import { Page } from './page.ts';

/**
 * Asks in a tab of its own what a server asks while no tab waits for a call of it. To close the tab is
 * to cancel.
 *
 * @param onAskNow brings the tab to the front.
 */
export function askInTab(
  serverLabel: string,
  { message, schema }: { readonly message: string; readonly schema: JsonObject },
  signal: AbortSignal,
  onAskNow: Event<void>,
  { extensionUri, logger }: { readonly extensionUri: Uri; readonly logger: Logger },
): Promise<ElicitationAnswer> {
  const page = new Page<ToToolCall, FromToolCall>({
    viewType: 'mcpRoots.question',
    title: t('{0} asks', cut(serverLabel, 50)),
    bundle: 'toolCall',
    extensionUri,
    logger,
    read: readToolCall,
  });
  const question = { kind: 'form', message, schema: JSON.stringify(schema) } as const;
  page.onDidLoad(() => page.post({ kind: 'asked', id: 0, serverLabel, question }));
  const asking = onAskNow(() => page.reveal());
  return new Promise<ElicitationAnswer>(resolve => {
    page.onDidReceive(said => {
      if (said.kind === 'answer') {
        const { action, content } = said;
        resolve({ action, ...(action === 'accept' && { content: JSON.parse(content) }) });
      }
    });
    page.onDidClose(() => resolve({ action: 'cancel' }));
    whenAborted(signal, () => resolve({ action: 'cancel' }));
  }).finally(() => {
    asking.dispose();
    page.dispose();
  });
}

/** Reads what the page of a tool or a question says; `undefined`: nothing that it can say. */
export function readToolCall(message: unknown): FromToolCall | undefined {
  const { kind, args, id, action, content, uri } = Object(message) as JsonObject;
  switch (kind) {
    case 'call':
      return isObjectText(args) ? { kind, args } : undefined;
    case 'cancel':
    case 'copy':
      return { kind };
    case 'answer': {
      const isAction = action === 'accept' || action === 'decline';
      return typeof id === 'number' && isAction && isObjectText(content)
        ? { kind, id, action, content }
        : undefined;
    }
    case 'openResource':
      return typeof uri === 'string' ? { kind, uri } : undefined;
    case 'save':
      return typeof content === 'number' ? { kind, content } : undefined;
    default:
      return undefined;
  }
}

function isObjectText(value: unknown): value is string {
  try {
    return typeof value === 'string' && isJsonObject(JSON.parse(value));
  } catch {
    return false; // It is no JSON, which is no message of the page.
  }
}
