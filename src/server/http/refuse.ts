/** The answer to a request that is not served: a status, and why, in finished sentences. */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return refuseMessage({ status, code: -32_000, message }, headers);
}

/** The answer to a body that is no JSON-RPC message, under the code of JSON-RPC for it. */
export function refuseBody(code: number, message: string): Response {
  return refuseMessage({ status: 400, code, message }, {});
}

function refuseMessage(
  { status, code, message }: { status: number; code: number; message: string },
  headers: Readonly<Record<string, string>>,
): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}
