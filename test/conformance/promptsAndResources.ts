import { inputRequired, type McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { image } from './contentTools.ts';
import { elicit, isAnswered } from './inputTools.ts';

/** The prompts that the scenarios name. The server itself has none. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A text.' }, () => ({
    messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }));
  server.registerPrompt('test_prompt_with_image', { description: 'An image.' }, () => ({
    messages: [user(image), user({ type: 'text', text: 'Please analyze the image above.' })],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments.', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user({ type: 'text', text: `${arg1} and ${arg2}` })] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => {
      const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' };
      return { messages: [user({ type: 'resource', resource })] };
    },
  );
  const question = { user_context: elicit('What context should the prompt use?', 'context') };
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks first.' },
    context =>
      isAnswered(context, question)
        ? {
            messages: [user({ type: 'text', text: JSON.stringify(context.mcpReq.inputResponses) })],
          }
        : inputRequired({ inputRequests: question }),
  );
}

/** The resources that the scenarios name, and a completion for an argument of a prompt. */
export function registerResources({ server }: McpServer): void {
  const contents = {
    'test://static-text': { mimeType: 'text/plain', text: 'Static text.' },
    'test://static-binary': { mimeType: image.mimeType, blob: image.data },
    'test://template/123/data': { mimeType: 'application/json', text: '{"id":"123"}' },
  };
  const resources = Object.keys(contents)
    .filter(uri => !uri.includes('template'))
    .map(uri => ({ uri, name: uri }));
  const resourceTemplates = [{ uriTemplate: 'test://template/{id}/data', name: 'template' }];
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = Object.entries(contents).find(([known]) => known === uri);
    if (!found) {
      throw new ResourceNotFoundError(uri);
    }
    return { contents: [{ uri, ...found[1] }] };
  });
  server.setRequestHandler('completion/complete', ({ params: { argument } }) => ({
    completion: { values: [`${argument.value}1`, `${argument.value}2`] },
  }));
}

function user<Content>(content: Content): { readonly role: 'user'; readonly content: Content } {
  return { role: 'user', content };
}
