import { setTimeout as pause } from 'node:timers/promises';
import { type Message, type ServedCall, serveTools } from './serveTools.ts';

// A friendly server with a tool for each part of forms and answers. A program.

const shape = {
  oneOf: [
    {
      title: 'Circle',
      properties: { kind: { const: 'circle' }, radius: { type: 'number', exclusiveMinimum: 0 } },
      required: ['kind', 'radius'],
    },
    {
      title: 'Line',
      properties: { kind: { const: 'line' }, to: { $ref: '#/$defs/point' } },
      required: ['kind', 'to'],
    },
  ],
};

const order = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'What it is called.', minLength: 2 },
    text: { type: 'string', description: 'May have\nseveral lines.' },
    email: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    ratio: { type: 'number', description: 'Between 0 and 1.', minimum: 0, maximum: 1 },
    isDry: { type: 'boolean', title: 'Dry run', default: false },
    sort: { type: 'string', enum: ['name', 'size', 'date'] },
    level: {
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    },
    tags: { type: 'array', items: { enum: ['red', 'green', 'blue'] } },
    globs: { type: 'array', items: { type: 'string' }, description: 'Patterns, in their order.' },
    at: { $ref: '#/$defs/point' },
    shape,
    either: { type: ['string', 'number'] },
    apiKey: { type: 'string' },
    tree: { $ref: '#/$defs/tree' },
    anything: {},
  },
  required: ['title', 'count', 'sort'],
  additionalProperties: true,
  $defs: {
    point: {
      type: 'object',
      description: 'A place.',
      properties: { x: { type: 'number' }, y: { type: 'number' } },
      required: ['x', 'y'],
    },
    tree: {
      type: 'object',
      properties: {
        label: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/tree' } },
      },
      required: ['label'],
    },
  },
};

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NMQkAAAwDsEqv9KnoMQjkT9JuCQQCgUAgEAgEgi/BAXfRAD3rvyC4AAAAAElFTkSuQmCC';
const vector = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" rx="8" fill="teal"/></svg>',
).toString('base64');

/** A tenth of a second of silence. */
function silence(): string {
  const data = Buffer.alloc(800, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]).toString('base64');
}

const text = (text: string, more: Message = {}) => ({
  result: { content: [{ type: 'text', text }], ...more },
});

/** The outcome of the last question, even if its call was cancelled. */
let answered = '';

async function askWho(ask: ServedCall['ask']): Promise<string> {
  const { result, error } = await ask('elicitation/create', {
    message: 'Who are you?',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your name' },
        color: { type: 'string', enum: ['red', 'green'], default: 'green' },
      },
      required: ['name'],
    },
  });
  answered = JSON.stringify(result ?? error);
  return answered;
}

serveTools(
  {
    order: {
      listed: {
        title: 'Place an Order',
        description: 'Answers with what it was given.',
        inputSchema: order,
        annotations: { readOnlyHint: true },
      },
      call: ({ args }) => text(JSON.stringify(args), { structuredContent: args }),
    },
    report: {
      listed: { description: 'Answers with something of each kind.' },
      call: () => ({
        result: {
          content: [
            { type: 'text', text: '# Report\n\nSome **bold** words.' },
            { type: 'text', text: 'A plain text\nof two lines, which is not wrapped by itself.' },
            { type: 'image', data: picture, mimeType: 'image/png' },
            { type: 'image', data: vector, mimeType: 'image/svg+xml' },
            { type: 'audio', data: silence(), mimeType: 'audio/wav' },
            {
              type: 'resource',
              resource: { uri: 'note:///a.md', mimeType: 'text/markdown', text: '# A note' },
            },
            {
              type: 'resource',
              resource: { uri: 'note:///a.bin', mimeType: 'application/zip', blob: 'AAAA' },
            },
            { type: 'resource_link', uri: 'note:///b.txt', name: 'b.txt', description: 'Another.' },
            {
              type: 'resource',
              resource: { uri: 'note:///c.bin', mimeType: 'application/zip', blob: 'AA==' },
            },
          ],
          structuredContent: {
            name: 'report',
            counts: Array.from({ length: 250 }, (_, at) => ({ at, isEven: at % 2 === 0 })),
            text: `${'long '.repeat(100)}\nend`,
            nothing: null,
          },
        },
      }),
    },
    refuse: {
      listed: {},
      call: () => text('There is no such file: /etc/none', { isError: true }),
    },
    fail: {
      listed: {},
      call: () => ({ error: { code: -32602, message: 'That is wrong.', data: { field: 'a' } } }),
    },
    slow: {
      listed: { inputSchema: { type: 'object', properties: { steps: { type: 'integer' } } } },
      call: async ({ args, progress, isCancelled }) => {
        const total = Number(args['steps'] ?? 600);
        for (let step = 1; step <= total && !isCancelled(); step++) {
          progress({ progress: step, total, message: `step ${step}` });
          await pause(100);
        }
        return text('done');
      },
    },
    ask: {
      listed: {},
      call: async ({ ask }) => text(await askWho(ask)),
    },
    askLater: {
      listed: { description: 'Asks when its call is over.' },
      call: async ({ ask }) => {
        setTimeout(() => void askWho(ask), 1000);
        return text('later');
      },
    },
    answered: {
      listed: { description: 'Answers with what the last question came to.' },
      call: () => text(answered),
    },
    askTwice: {
      listed: {},
      call: async ({ ask }) => {
        const requestedSchema = {
          type: 'object',
          properties: { sure: { type: 'boolean', default: true } },
        };
        const first = await ask('elicitation/create', { message: 'First?', requestedSchema });
        const second = await ask('elicitation/create', { message: 'Second?', requestedSchema });
        return text([first, second].map(({ result }) => Object(result).action).join());
      },
    },
    askNothing: {
      listed: { description: 'Asks by a form, and says not which.' },
      call: async ({ ask }) => {
        const { result, error } = await ask('elicitation/create', { message: 'Go on?' });
        return text(JSON.stringify(result ?? error));
      },
    },
  },
  {
    'resources/list': { resources: [] },
    'resources/read': { contents: [{ uri: 'note:///b.txt', text: 'The text of b.' }] },
  },
);
