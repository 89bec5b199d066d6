import { HumanError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/printable.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';

/** `MissingRequiredClientCapability`. (Model Context Protocol 2026-07-28.) */
const code = -32021;

/** Whether a server needs what was not offered to it. Its list is about the hub, not the client. */
export function isMissingCapability(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The same for a client that only knows the hub. */
export function inWords(error: Error, serverName: string): HumanError {
  const data =
    'data' in error && isJsonObject(error.data) ? error.data['requiredCapabilities'] : {};
  const names = isJsonObject(data) ? Object.keys(data).map(printable).join(', ') : '';
  return new HumanError(
    'The server "{0}" needs a client that offers {1}, and this one does not.',
    printable(serverName),
    names || 'more',
  );
}
