import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import type { RequestContext } from '../../src/server/requestContext.ts';
import type { FixtureTools } from './fixtureTools.ts';

type Requests = Readonly<Record<string, InputRequest>>;
type Result = CallToolResult | InputRequiredResult;

/** Asks for a text under the given name. */
function elicit(message: string, name: string): InputRequest {
  const properties = { [name]: { type: 'string' } } as const;
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: [name] },
  });
}

/** Whether the client has answered each of these questions in any way. */
function isAnswered({ mcpReq }: RequestContext, requests: Requests): boolean {
  return Object.keys(requests).every(
    key => inputResponse(mcpReq.inputResponses, key).kind !== 'missing',
  );
}

/** The tools that ask the client for something, and are called again with the answer. */
export function registerInputTools(tools: FixtureTools, codec: RequestStateCodec<string>): void {
  const add = (name: string, run: (context: RequestContext) => Promise<Result>) => {
    tools.add(name, { description: `Asks as ${name} says.` }, (_args, context) => run(context));
  };
  const prefix = 'test_input_required_result';
  const name = elicit('What is your name?', 'name');
  const capital = sample('What is the capital of France?');
  const roots = inputRequired.listRoots();

  add(`${prefix}_elicitation`, async context => askOnce(context, { user_name: name }));
  add(`${prefix}_sampling`, async context => askOnce(context, { capital_question: capital }));
  add(`${prefix}_list_roots`, async context => askOnce(context, { client_roots: roots }));
  add(`${prefix}_capabilities`, async context => askOnce(context, declared(context)));
  add('test_missing_capability', async context => askOnce(context, { question: capital }));
  add('test_streaming_elicitation', async context => askOnce(context, { user_name: name }));

  const askWithState = async (context: RequestContext, inputRequests: Requests) =>
    context.mcpReq.requestState() === 'asked' && isAnswered(context, inputRequests)
      ? text(`state-ok ${given(context)}`)
      : inputRequired({ inputRequests, requestState: await codec.mint('asked') });
  const confirm = { confirm: elicit('Please confirm', 'ok') };
  const all = { user_name: name, greeting: sample('Generate a greeting'), client_roots: roots };
  add(`${prefix}_request_state`, context => askWithState(context, confirm));
  add(`${prefix}_tampered_state`, context => askWithState(context, confirm));
  add(`${prefix}_multiple_inputs`, context => askWithState(context, all));
  add(`${prefix}_multi_round`, context => askTwice(context, codec));
  registerPushTools(tools);
}

/** The tools of the older scenarios: there, the questions are requests of the server. */
function registerPushTools(tools: FixtureTools): void {
  tools.add(
    'test_sampling',
    { description: 'Asks a model.', inputSchema: withText('prompt') },
    ({ prompt }, context) => askOnce(context, { answer: sample(String(prompt)) }),
  );
  tools.add(
    'test_elicitation',
    { description: 'Asks the user.', inputSchema: withText('message') },
    ({ message }, context) => askOnce(context, { answer: elicit(String(message), 'username') }),
  );
}

function withText(name: string) {
  return { type: 'object' as const, properties: { [name]: { type: 'string' } }, required: [name] };
}

function askOnce(context: RequestContext, inputRequests: Requests): Result {
  return isAnswered(context, inputRequests)
    ? text(given(context))
    : inputRequired({ inputRequests });
}

async function askTwice(
  context: RequestContext,
  codec: RequestStateCodec<string>,
): Promise<Result> {
  const first = { step1: elicit('Step 1: What is your name?', 'name') };
  const second = { step2: elicit('Step 2: What is your favorite color?', 'color') };
  const round = context.mcpReq.requestState();
  if (round === 'second' && isAnswered(context, second)) {
    return text(given(context));
  }
  const isSecond = round === 'first' && isAnswered(context, first);
  return inputRequired({
    inputRequests: isSecond ? second : first,
    requestState: await codec.mint(isSecond ? 'second' : 'first'),
  });
}

/** One question for each thing that the client of this call says it can be asked for. */
function declared({ mcpReq }: RequestContext): Requests {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] as object;
  return {
    ...('elicitation' in capabilities && { name: elicit('What is your name?', 'name') }),
    ...('sampling' in capabilities && { capital: sample('What is the capital of France?') }),
    ...('roots' in capabilities && { roots: inputRequired.listRoots() }),
  };
}

function sample(question: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  });
}

function given({ mcpReq }: RequestContext): string {
  return JSON.stringify(mcpReq.inputResponses);
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}
