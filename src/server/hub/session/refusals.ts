import { HumanError, isHumanError } from '../../../domain/errors.ts';
import { refused } from '../../tools/answers.ts';
import type { RawResult } from '../hubHost.ts';

/** What a person can act on becomes the result of the tool. */
export async function asToolResult<T>(result: Promise<T>): Promise<T | RawResult> {
  try {
    return await result;
  } catch (error) {
    if (isHumanError(error)) {
      return { ...refused(error.message) };
    }
    throw error;
  }
}

/** What a person can act on becomes the error of a request that has no other place for it. */
export async function asRequestError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw isHumanError(error) ? Object.assign(error, { code: invalidParams }) : error;
  }
}

/** What a person can act on is told with what stands behind it, in finished sentences. */
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

const invalidParams = -32602;
