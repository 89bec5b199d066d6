import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { FixtureTools } from './fixtureTools.ts';

/** One red pixel. */
export const image = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
} as const;

/** A WAV file with no samples. */
const audio = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
} as const;

const text = { type: 'text', text: 'This is a simple text response for testing.' } as const;

const embedded = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' },
} as const;

const answers: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [audio] },
  test_embedded_resource: { content: [embedded] },
  test_multiple_content_types: { content: [text, image, embedded] },
  // Nothing is logged, because the server never logs to its client.
  test_logging_tool: { content: [text] },
};

/** The tools that the scenarios call for what comes back, and those for how it comes. */
export function registerContentTools(tools: FixtureTools): void {
  for (const [name, result] of Object.entries(answers)) {
    tools.add(name, { description: `Answers ${name}.` }, () => result);
  }
  tools.add('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  registerProgress(tools);
  tools.add(
    'test_header_parameter',
    {
      description: 'Takes a parameter that HTTP clients repeat in a header.',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      },
    },
    ({ region }) => ({ content: [{ type: 'text', text: String(region) }] }),
  );
  tools.add(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of many words.', inputSchema: manyWords },
    () => answers.test_simple_text as CallToolResult,
  );
}

/** To be listed word by word. */
const manyWords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a word of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as unknown as Tool['inputSchema'];

function registerProgress(tools: FixtureTools): void {
  const config = { description: 'Tells three times how far it is.' };
  tools.add('test_tool_with_progress', config, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      // The scenario asks for these pauses.
      await delay(50);
    }
    return { content: [text] };
  });
}
