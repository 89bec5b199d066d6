import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { InputRequest, InputRequests } from './forwarding.ts';

/** What a modern server sends in the place of a result. (2026-07-28, basic/patterns/mrtr) */
export interface AskedForInput {
  readonly requests: InputRequests;
  /** `undefined` when none came. */
  readonly state: string | undefined;
}

/**
 * What the server wants to know before there is a result; `undefined` when this is the result.
 *
 * @throws {SdkError} when it wants to know something, and does not say what.
 */
export function askedForInput(result: object): AskedForInput | undefined {
  const {
    resultType,
    inputRequests = {},
    requestState,
  } = result as { readonly [key: string]: unknown };
  if (resultType !== 'input_required') {
    return undefined;
  }
  const isState = requestState === undefined || typeof requestState === 'string';
  const isEmpty = requestState === undefined && Object.keys(Object(inputRequests)).length === 0;
  if (!isState || isEmpty || !areInputRequests(inputRequests)) {
    throw new SdkError(SdkErrorCode.InvalidResult, 'The server asks for input, and not for which.');
  }
  return { requests: inputRequests, state: requestState };
}

function areInputRequests(value: unknown): value is InputRequests {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isInputRequest)
  );
}

function isInputRequest(value: unknown): value is InputRequest {
  return typeof (Object(value) as Partial<InputRequest>).method === 'string';
}
