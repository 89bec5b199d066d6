import fc from 'fast-check';
import { anyText, junk } from './anyArguments.ts';
import { placeholders } from './filledIn.ts';

const methods = [
  'ping',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'initialize',
  'server/discover',
  'tools/call',
  'tasks/get',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
  'notifications/elicitation/complete',
  'notifications/nothing/known',
  '__proto__',
  'toString',
  '',
];

/** Values that a careless reader converts to text, number or JSON, or reads members from. */
const traps = [
  '{"toString":0,"valueOf":0}',
  '[[{"toString":1}]]',
  '{"toJSON":1,"then":1}',
  '{"__proto__":null}',
  '{"__proto__":{"toString":1,"then":1}}',
  '{"length":1e9,"constructor":null,"hasOwnProperty":0}',
  `"${placeholders.huge}"`,
].map(json => JSON.parse(json) as unknown);

const text = anyText([...Object.values(placeholders), 'debug', 'notes']);
const garbage = fc.oneof(fc.constantFrom(...traps), junk(text));
/** The ids among the lines that are numbers go up to this one. */
export const mostSmallId = 2;
/** Few ids, so that cancels, answers and notices often match a request. */
const id = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(placeholders.id, placeholders.token) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: mostSmallId }) },
  { weight: 1, arbitrary: garbage },
);
const members = fc.record(
  {
    requestId: id,
    reason: garbage,
    progressToken: id,
    progress: fc.oneof(fc.integer(), garbage),
    total: garbage,
    message: garbage,
    level: fc.oneof(fc.constantFrom('debug', 'emergency'), garbage),
    logger: garbage,
    data: garbage,
    uri: text,
    notifications: garbage,
    requestedSchema: garbage,
    messages: garbage,
    _meta: fc.oneof(fc.record({ progressToken: id }), garbage),
    // Of a result or of an error.
    content: garbage,
    structuredContent: garbage,
    resultType: fc.oneof(fc.constantFrom('complete', 'input_required'), garbage),
    inputRequests: fc.oneof(
      fc.dictionary(text, fc.record({ method: fc.constantFrom(...methods), params: garbage })),
      garbage,
    ),
    requestState: garbage,
    code: fc.oneof(fc.constantFrom(-32602, -32042, -32022), garbage),
  },
  { requiredKeys: [] },
);
const params = fc.oneof({ weight: 5, arbitrary: members }, { weight: 1, arbitrary: garbage });
const method = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...methods) },
  { weight: 1, arbitrary: garbage },
);
const error = fc.oneof(
  fc.record({ code: fc.integer(), message: text, data: fc.oneof(members, garbage) }),
  params,
);

/** Messages that this code reads itself, with the members that it reads. */
const read = fc.oneof(
  notice('progress', {
    progressToken: id,
    progress: fc.oneof(fc.integer(), garbage),
    total: garbage,
  }),
  notice('cancelled', { requestId: id, reason: garbage }),
  notice('message', { level: garbage, logger: garbage, data: garbage }),
  fc.record({
    id,
    method: fc.constantFrom('roots/list', 'elicitation/create', 'sampling/createMessage'),
    params: fc.option(fc.record({ message: garbage, _meta: garbage }, { requiredKeys: [] }), {
      nil: undefined,
    }),
  }),
);

/** Messages that are valid, nearly valid, or nonsense. */
const messages = fc.oneof(
  { weight: 6, arbitrary: read },
  { weight: 4, arbitrary: fc.record({ method, params }) },
  { weight: 3, arbitrary: fc.record({ id, method, params }) },
  { weight: 2, arbitrary: fc.record({ id, result: params }) },
  { weight: 2, arbitrary: fc.record({ id, error }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('id', 'method', 'params', 'result', 'error'), garbage),
  },
);

const question = fc.record({
  id: fc.constant('q'),
  method: fc.constant('elicitation/create'),
  params: fc.constant({ message: 'Who?', requestedSchema: { type: 'object', properties: {} } }),
});
const calledOff = notice('cancelled', { requestId: fc.constant('q'), reason: garbage });

/** Lines that a faulty server may send, each without its line break. */
export const anyLines: fc.Arbitrary<readonly string[]> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: messages.map(message => [jsonOf(message)]) },
      { weight: 1, arbitrary: fc.tuple(question, calledOff).map(both => both.map(jsonOf)) },
      { weight: 1, arbitrary: garbage.map(value => [JSON.stringify(value)]) },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map(lines => lines.flat());

function jsonOf(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

function notice(name: string, params: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  return fc.record({ method: fc.constant(`notifications/${name}`), params: fc.record(params) });
}
