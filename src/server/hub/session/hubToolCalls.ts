import type { ServerContext } from '@modelcontextprotocol/server';
import { HumanError } from '../../../domain/errors.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { HubHost, RawRequest, RawResult } from '../hubHost.ts';
import { listServers } from '../tools/listServers.ts';
import { listTools } from '../tools/listTools.ts';
import { readArguments } from '../tools/toolArguments.ts';
import type { CallNames, GuardedCalls } from './guardedCalls.ts';
import { asToolResult } from './refusals.ts';
import type { SessionChildren } from './sessionChildren.ts';

/** What {@link HubToolCalls} work with. */
export interface HubToolCallsParts {
  readonly host: HubHost;
  readonly children: SessionChildren;
  readonly calls: GuardedCalls;
  readonly config: ConfigFile;
}

/** Answers calls of the hub's own tools. */
export class HubToolCalls {
  private readonly parts: HubToolCallsParts;

  constructor(parts: HubToolCallsParts) {
    this.parts = parts;
  }

  /** @throws the error of a server, as it came. */
  async call(request: RawRequest, context: ServerContext): Promise<RawResult> {
    const result = await asToolResult(this.answer(request, context));
    return this.parts.host.fitted(result, undefined);
  }

  private async answer({ params }: RawRequest, context: ServerContext): Promise<RawResult> {
    const name = String(params?.['name']);
    const given = params?.['arguments'];
    const read = readArguments(name, given);
    if (read.ok) {
      return this.run(name, read.args, context);
    }
    const mistake = new HumanError('{0}', read.problem);
    if (name === 'call-tool') {
      this.parts.calls.noteUnrun(namesIn(given), mistake, context);
    }
    throw mistake;
  }

  private run(
    name: string,
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<RawResult> {
    const { serverName, toolName, toolArgs = {}, search } = args;
    const { signal } = context.mcpReq;
    const { config } = this.parts;
    switch (name) {
      case 'list-servers':
        return this.parts.children.look(context, (children, whyNoRoots) =>
          listServers(children, { config, whyNoRoots }),
        );
      case 'list-tools':
        return this.parts.children.use(context, set =>
          listTools(
            set,
            { serverName: asText(serverName), search: asText(search), config },
            child => this.parts.children.ready(child, signal),
          ),
        );
      default:
        return this.parts.calls.run(
          {
            serverName: String(serverName),
            toolName: String(toolName),
            args: toolArgs,
            method: 'tools/call',
            params: { name: toolName, arguments: toolArgs },
          },
          context,
        );
    }
  }
}

function namesIn(given: unknown): CallNames {
  const { serverName, toolName } = isJsonObject(given) ? given : {};
  return { serverName: asText(serverName) ?? '', toolName: asText(toolName) ?? '' };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
