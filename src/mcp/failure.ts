import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { type Failure, notStarted } from '../domain/servers/serverFailure.ts';
import type { ProcessEnd } from './stdio/serverProcess.ts';

/** The failure that the end of a process is while it is still needed. */
export function toFailure(end: ProcessEnd): Failure {
  return end.error ? notStarted(end.error) : { kind: 'ended', end };
}

/** The error, what caused it, what caused that, and so on; what is no error has no cause. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) {
    chain.push(one);
  }
  return chain.length > 0 ? chain : [error];
}

const internalError = -32603;

/** The error of a response that says the same, with its own code and data where it has such. */
export function jsonRpcError(error: unknown): JSONRPCErrorResponse['error'] {
  const { code, message, data } = Object(error);
  return {
    code: Number.isSafeInteger(code) ? code : internalError,
    message: String(message ?? error),
    ...(data !== undefined && { data }),
  };
}
