import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';

/**
 * For requests whose result has no place for an error: one that a person can act on becomes the
 * error of the request.
 */
export async function asRequestError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw isHumanError(error) ? Object.assign(error, { code: invalidParams }) : error;
  }
}

/** Adds `why`, in finished sentences, to an error that a person can act on. */
export async function explained(result: Promise<void>, why: string | undefined): Promise<void> {
  try {
    await result;
  } catch (error) {
    throw why !== undefined && isHumanError(error)
      ? new HumanError('{0}', `${error.message} ${why}`)
      : error;
  }
}

/** @throws {HumanError} always: a root was revoked under a call that began with it. */
export function refuseRevoked(): never {
  throw new HumanError(
    'The folders shared with the hub changed while the call ran, and one that was shared when it ' +
      'began is no longer. See get-roots for those that are.',
  );
}

/**
 * Whether a server refused a call for want of a capability that its client, the hub, did not
 * declare.
 */
export function isMissingCapability(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === missingCapability;
}

/** That error as a sentence naming server and capabilities: the client knows only the hub. */
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

const invalidParams = -32602;

/** `MissingRequiredClientCapability`. (Model Context Protocol 2026-07-28.) */
const missingCapability = -32021;
