import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
} from '@modelcontextprotocol/client';

type Params = Readonly<Record<string, unknown>>;

/** Who the neighbours on the way are, and by what they know a request. */
const ofOneHop = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  'progressToken',
];

/**
 * The parameters of a request without what one neighbour on its way tells the next: in a message to
 * somebody else it would be untrue. `_meta` is left out when nothing else is in it.
 */
export function withoutHop(params: Params): Params {
  if (params['_meta'] === undefined) {
    return params;
  }
  const { _meta, ...rest } = params;
  const kept = Object.entries(Object(_meta)).filter(([key]) => !ofOneHop.includes(key));
  return kept.length > 0 ? { ...rest, _meta: Object.fromEntries(kept) } : rest;
}

/** The parameters without answers to questions of a server, which only we put there. */
export function withoutAnswers(params: Params): Params {
  const { inputResponses, requestState, ...rest } = params;
  return rest;
}

/**
 * The result without the mark of the later revisions that it is one, and not a question. A legacy
 * server knows no such mark: in a result of its own, another one would make a question of it.
 */
export function withoutMark(result: Params, era: ProtocolEra | undefined): Params {
  const isOther = era === 'modern' && result['resultType'] !== 'complete';
  if (isOther || result['resultType'] === undefined) {
    return result;
  }
  const { resultType, ...rest } = result;
  return rest;
}
