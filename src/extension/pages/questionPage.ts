import { whenAborted } from '../../base/abortSignals.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cut } from '../../domain/printable.ts';
import type { FromToolCall, ToToolCall } from '../../pages/pageMessages.ts';
import type { ElicitationAnswer } from '../servers/elicitations.ts';
import { t } from '../text.ts';
import type { Uri } from '../vscode.ts';
import { Page } from './page.ts';
import { readToolCall } from './readToolCall.ts';

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
