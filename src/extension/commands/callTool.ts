import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { within } from '../../base/timeLimit.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import type { Prompt, Resource, ResourceTemplateType, Tool } from '../../mcp/connection.ts';
import { Command } from '../ids.ts';
import { type ToolCallContext, ToolCallPages } from '../pages/toolCallPage.ts';
import type { Commands } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import { registerOnServer } from './pickServer.ts';
import { showPrompt, showResource } from './resourcesAndPrompts.ts';
import { ResultDocuments } from './resultDocuments.ts';

/** The command Call Tool…, with the tabs and documents that it opens. */
export function registerCallTool(
  commands: Commands,
  calling: Omit<ToolCallContext, 'results'>,
): IDisposable {
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  const pages = store.add(new ToolCallPages({ ...calling, results }));
  const pick = {
    placeHolder: t('Call a tool of which server?'),
    isWanted: ({ state }: Server) => state.kind === 'running',
    none: 'No server is running. Start one first.',
  };
  registerOnServer(commands, calling.servers, Command.callTool, pick, (server, row) =>
    callTool(server, row, pages, results),
  );
  return store;
}

/**
 * Picks a tool, a resource or a prompt of a running server, unless called from the row of a tool. A
 * tool is called in its tab.
 */
export async function callTool(
  server: Server,
  row: Row | undefined,
  pages: ToolCallPages,
  results: ResultDocuments,
): Promise<void> {
  const offer = row?.kind === 'tool' ? row : await pickOffer(server);
  switch (offer?.kind) {
    case 'tool':
      return pages.show(server, offer.tool);
    case 'resource':
      return showResource(server, offer.resource, results);
    case 'template':
      return showResource(server, offer.template, results);
    case 'prompt':
      return showPrompt(server, offer.prompt, results);
    case undefined:
      return;
  }
}

/** A tool, resource or prompt that a person can use. */
type PickedOffer =
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'template'; readonly template: ResourceTemplateType }
  | { readonly kind: 'prompt'; readonly prompt: Prompt };

/** Milliseconds to wait for the lists besides that of the tools. */
const patience = 3000;

/**
 * The one that the user picks of all that a server offers; `undefined` when the user leaves.
 *
 * @throws {HumanError} when it offers nothing.
 */
export async function pickOffer(server: Server): Promise<PickedOffer | undefined> {
  const { label } = server.definition;
  const { requests } = server;
  const [tools, resources, templates, prompts] = await Promise.all([
    server.listTools(),
    listed(requests.listResources()),
    listed(requests.listResourceTemplates()),
    listed(requests.listPrompts()),
  ]);
  const groups: readonly (readonly [Shown, readonly OfferItem[]])[] = [
    [t('Tools'), tools.map(tool => itemOf(tool, tool.title, { kind: 'tool', tool }))],
    [
      t('Resources'),
      [
        ...resources.map(resource =>
          itemOf(resource, resource.uri, { kind: 'resource', resource }),
        ),
        ...templates.map(template =>
          itemOf(template, template.uriTemplate, { kind: 'template', template }),
        ),
      ],
    ],
    [t('Prompts'), prompts.map(prompt => itemOf(prompt, prompt.title, { kind: 'prompt', prompt }))],
  ];
  const filled = groups.filter(([, items]) => items.length > 0);
  if (filled.length === 0) {
    throw new HumanError('"{0}" has no tools, resources or prompts.', label);
  }
  const kind = vscode.QuickPickItemKind.Separator;
  const items: readonly (vscode.QuickPickItem | OfferItem)[] = filled.flatMap(([group, items]) => [
    ...(filled.length > 1 ? [{ label: group, kind }] : []),
    ...items,
  ]);
  const title =
    filled.length > 1
      ? t('Tools, Resources and Prompts of "{0}"', label)
      : t('Call a Tool of "{0}"', label);
  // A tab that has the focus gets it back late from the command palette, and would close the list.
  const ignoreFocusOut = true;
  const options = { title, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut };
  const picked = await vscode.window.showQuickPick(items, options);
  return picked && 'offer' in picked ? picked.offer : undefined;
}

interface OfferItem extends vscode.QuickPickItem {
  readonly offer: PickedOffer;
}

function itemOf(
  { name, description = '' }: { readonly name: string; readonly description?: string | undefined },
  about: string | undefined,
  offer: PickedOffer,
): OfferItem {
  return {
    label: shownLine(name),
    description: shownLine(about ?? ''),
    detail: shownLine(description),
    offer,
  };
}

/** Nothing of what a server announces but does not list, or not in time: its tools can be used. */
function listed<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  return within(
    list.catch(() => []),
    patience,
    [],
  );
}
