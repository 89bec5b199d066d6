import { deepEqual, equal, throws } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { sdkInternals } from '../../../src/server/sdkInternals.ts';

/**
 * The version in which these members were looked at. After an update of the SDK, look at each again
 * and whether there is a public way now: `SdkInternals` names the ones that are missing.
 */
const lookedAt = '2.4.0';

describe('what the SDK keeps to itself', () => {
  const withTool = () => {
    const mcp = new McpServer({ name: 'test', version: '1' });
    mcp.registerTool('plain', {}, () => ({ content: [{ type: 'text', text: 'plain' }] }));
    return mcp.server;
  };
  // As far as the SDK looks at it where nothing is asked.
  const context = { mcpReq: { requestState: () => undefined } } as unknown as ServerContext;
  const request = { method: 'tools/call', params: { name: 'plain', arguments: {} } };

  it('was looked at in the version that is used', () => {
    const path = createRequire(import.meta.url).resolve('@modelcontextprotocol/server');
    const { version } = JSON.parse(readFileSync(join(dirname(path), '..', 'package.json'), 'utf8'));
    equal(version, lookedAt);
  });

  it('is reached into by one file alone', () => {
    const source = join(import.meta.dirname, '..', '..', '..', 'src');
    const reaching = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .filter(file => /\['_(?!meta'\])/.test(readFileSync(join(source, file), 'utf8')));
    deepEqual(reaching, [join('server', 'sdkInternals.ts')]);
  });

  it('has a handler for each request that was registered, by its method', () => {
    const methods = [...sdkInternals(withTool()).handlers.keys()];
    deepEqual(methods.filter(method => method.startsWith('tools/')).sort(), [
      'tools/call',
      'tools/list',
    ]);
  });

  it('calls a handler with the request and its context', async () => {
    const handler = sdkInternals(withTool()).handlers.get('tools/call');
    deepEqual((await handler?.(request, context))?.['content'], [{ type: 'text', text: 'plain' }]);
  });

  it('is missed in clear words where it has gone', () => {
    const server = withTool();
    Object.defineProperty(server, '_requestHandlers', { value: undefined });
    throws(() => sdkInternals(server), /^Error: This version of @modelcontextprotocol\/server /);
  });
});
