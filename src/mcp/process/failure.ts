import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { jsonIn } from '../../base/jsonIn.ts';
import { type Failure, notStarted } from '../../domain/servers/serverFailure.ts';
import type { ProcessEnd } from './stdio/serverProcess.ts';

/** The failure to report when a process ends although it is still needed. */
export function toFailure(end: ProcessEnd): Failure {
  return end.error ? notStarted(end.error) : { kind: 'ended', end };
}

/** An error, followed by its chain of causes. A thrown value that is not an error stands alone. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) {
    chain.push(one);
  }
  return chain.length > 0 ? chain : [error];
}

const internalError = -32603;

/** The error of a JSON-RPC response, with the code and data of the given error if it has them. */
export function jsonRpcError(error: unknown): JSONRPCErrorResponse['error'] {
  const { code, message, data } = Object(error);
  return {
    code: Number.isSafeInteger(code) ? code : internalError,
    message: String(message ?? error),
    ...(data !== undefined && { data }),
  };
}

/** The JSON-RPC error in the body of an HTTP error response. `undefined`: the body has none. */
export function errorIn(error: unknown): JSONRPCErrorResponse['error'] | undefined {
  const bodies = causesOf(error).map(one => Object(jsonIn(Object(Object(one).data).text)).error);
  const told = bodies.find(body => body !== undefined);
  return told && jsonRpcError(told);
}
