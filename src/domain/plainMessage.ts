import { isJsonObject } from './json.ts';

/**
 * A quick check, before the SDK's schemas, which take ten times as long. `true`: the value is a
 * JSON-RPC request that those would accept as it is. `false` says nothing: they have to decide.
 */
export function isPlainRequest(value: unknown): boolean {
  if (!isJsonObject(value)) {
    return false;
  }
  const { jsonrpc, id, method, params } = value;
  return (
    jsonrpc === '2.0' &&
    isId(id) &&
    typeof method === 'string' &&
    isPlainParams(params) &&
    Object.keys(value).length === (params === undefined ? 3 : 4)
  );
}

/** The same for a response with a result. */
export function isPlainResult(value: unknown): boolean {
  if (!isJsonObject(value)) {
    return false;
  }
  const { jsonrpc, id, result } = value;
  return (
    jsonrpc === '2.0' &&
    isId(id) &&
    isJsonObject(result) &&
    result['_meta'] === undefined &&
    Object.keys(value).length === 3
  );
}

function isPlainParams(params: unknown): boolean {
  if (params === undefined) {
    return true;
  }
  return isJsonObject(params) && isPlainMeta(params['_meta']);
}

function isPlainMeta(meta: unknown): boolean {
  return (
    meta === undefined ||
    (isJsonObject(meta) &&
      (meta['progressToken'] === undefined || isId(meta['progressToken'])) &&
      !(relatedTask in meta))
  );
}

/** The one other member of `_meta` that has a form. */
const relatedTask = 'io.modelcontextprotocol/related-task';

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
