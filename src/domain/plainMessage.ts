import { isJsonObject, type JsonObject } from './json.ts';

/**
 * A quick check before the SDK's schemas, which take 10 µs more. `true`: the value is a JSON-RPC
 * response with a result that the schemas would accept unchanged. `false`: the schemas must decide.
 */
export function isPlainResult(value: unknown): boolean {
  const message: JsonObject = Object(value);
  const { jsonrpc, id, result } = message;
  return (
    jsonrpc === '2.0' &&
    isId(id) &&
    isJsonObject(result) &&
    result['_meta'] === undefined &&
    Object.keys(message).length === 3
  );
}

const internalError = -32603;

/**
 * Repairs a message that has extra members, or that has `null` or an empty list (from PHP) in place
 * of missing parts. A value that is not clearly a message stays unchanged.
 */
export function mendedMessage(value: unknown): unknown {
  if (!isJsonObject(value)) {
    return value;
  }
  const { jsonrpc = '2.0', id, method, params, result, error, ...others } = value;
  const isCall =
    typeof method === 'string' && 'jsonrpc' in value && isNull(result) && isNull(error);
  if (isCall) {
    const isNotice = id === undefined || (id === null && method.startsWith('notifications/'));
    const content = isNull(params) ? {} : { params: mendedContent(params) };
    return { jsonrpc, ...(!isNotice && { id }), method, ...content };
  }
  const isAnswer = isNull(method) && 'id' in value && ('result' in value || !isNull(error));
  // A log line may look like an answer. So without `jsonrpc`, an answer has no other members.
  const isMeant = 'jsonrpc' in value || Object.keys(others).length === 0;
  if (!isAnswer || !isMeant || (!isNull(result) && !isNull(error))) {
    return value;
  }
  return isNull(error)
    ? { jsonrpc, id, result: mendedContent(result) }
    : { jsonrpc, id, error: mendedError(error) };
}

function mendedError(error: unknown): JsonObject {
  const { code, message = error, ...more } = isJsonObject(error) ? error : {};
  return {
    code: Number.isSafeInteger(code) ? code : internalError,
    message: typeof message === 'string' ? message : JSON.stringify(message),
    ...more,
  };
}

/** Repairs parameters or a result. `_meta` must be an object. A progress token can't be `null`. */
function mendedContent(content: unknown): unknown {
  if (!isJsonObject(content)) {
    return isNothing(content) ? {} : content;
  }
  const { _meta, ...rest } = content;
  if (_meta === undefined || isNothing(_meta)) {
    return rest;
  }
  const { progressToken, ...others } = Object(_meta);
  return progressToken === null ? { ...rest, _meta: others } : content;
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function isNull(value: unknown): value is null | undefined {
  return (value ?? null) === null;
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
