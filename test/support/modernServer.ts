import {
  type CallToolResult,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { recorded } from './serverProgram.ts';

// A server of revision 2026-07-28 only: it asks for roots inside a call. A program: its argument
// holds the record folder, as JSON, and perhaps the name of one more tool.

const { more = 'plain' } = recorded<{ readonly more?: string }>();

const askName = inputRequired.elicit({
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: {} },
});
const askRoots = () => inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });

serveStdio(
  () => {
    const capabilities = { logging: {} };
    const server = new McpServer({ name: 'modern', version: '1' }, { capabilities });
    server.registerTool('where', {}, ctx => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'roots');
      return answer.kind === 'roots' ? text(JSON.stringify(answer.roots)) : askRoots();
    });
    server.registerTool('talkative', {}, async ctx => {
      await ctx.mcpReq.log('debug', 'not of interest');
      await ctx.mcpReq.log('warning', { disk: 'almost full' }, 'disk');
      return text('said');
    });
    for (const name of new Set(['plain', more])) {
      server.registerTool(name, {}, () => text('no roots needed'));
    }
    server.registerTool('with-state', {}, ctx => {
      const state = ctx.mcpReq.requestState();
      return state === undefined
        ? inputRequired({
            inputRequests: { roots: inputRequired.listRoots() },
            requestState: 'opaque {"é": 1}',
          })
        : text(String(state));
    });
    server.registerTool('nosy', {}, () => inputRequired({ inputRequests: { name: askName } }));
    server.registerTool('who-and-where', {}, ctx => {
      const { inputResponses } = ctx.mcpReq;
      const inputRequests = { name: askName, roots: inputRequired.listRoots() };
      return inputResponses
        ? text(JSON.stringify(inputResponses))
        : inputRequired({ inputRequests });
    });
    return server;
  },
  { legacy: 'reject' },
);

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}
