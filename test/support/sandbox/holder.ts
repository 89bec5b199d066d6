/**
 * A server that reads and writes any given path, and reports failures. It keeps a given file open,
 * and reads it again on request.
 */
export const holder = `
const fs = require('node:fs');
const held = new Map();
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  const say = result => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') {
    say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'holder', version: '1' } });
  } else if (method === 'tools/list') {
    say({ tools: ['open', 'read', 'write'].map(name => ({ name, inputSchema: { type: 'object' } })) });
  } else if (method === 'tools/call') {
    const { path } = params.arguments;
    let text;
    try {
      if (params.name === 'open') held.set(path, fs.openSync(path));
      text = params.name === 'write' ? String(fs.writeFileSync(path, 'x')) : fs.readFileSync(held.get(path) ?? path, 'utf8');
    } catch (error) {
      text = error.code;
    }
    say({ content: [{ type: 'text', text }] });
  } else if (id !== undefined) {
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
  }
});
`;
