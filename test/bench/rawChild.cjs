'use strict';

// The least that a Node process can do as a server: one line of JSON in, one line out, and the
// file calls that the work takes. It checks nothing; no real server can be quicker.

const { readdirSync, readFileSync } = require('node:fs');

const tools = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  list: ({ path }) => readdirSync(path).join('\n'),
};

let rest = '';
process.stdin.setEncoding('utf8').on('data', chunk => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    answer(JSON.parse(line));
  }
});
process.stdin.on('end', () => process.exit(0));

function answer({ id, method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'raw', version: '1' };
    const { protocolVersion } = params;
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'notifications/initialized') {
    send({ id: 'roots', method: 'roots/list' });
  } else if (method === 'ping') {
    send({ id, result: {} });
  } else if (method === 'tools/list') {
    const listed = Object.keys(tools).map(name => ({ name, inputSchema: { type: 'object' } }));
    send({ id, result: { tools: listed } });
  } else if (method === 'tools/call') {
    const text = tools[params.name](params.arguments);
    const structuredContent = { text };
    send({ id, result: { content: [{ type: 'text', text }], structuredContent } });
  } else if (method !== undefined && id !== undefined) {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
