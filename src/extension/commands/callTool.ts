import { within } from '../../base/timeLimit.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import {
  type Callable,
  promptCallable,
  resourceCallable,
  templateCallable,
  toolCallable,
} from '../pages/resourcesAndPrompts.ts';
import type { ToolCallPages } from '../pages/toolCallPage.ts';
import type { ViewRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** Opens the tab that calls the tool of a row. Without a tool, the user picks what to call. */
export async function callTool(
  server: Server,
  row: ViewRow | undefined,
  pages: ToolCallPages,
): Promise<void> {
  const picked = row?.kind === 'tool' ? toolCallable(row.tool) : await pickOffer(server);
  if (picked) {
    pages.show(server, picked);
  }
}

/** How many milliseconds to wait for the lists of resources and prompts. */
const patience = 3000;

/**
 * What the user picks from everything that a server offers; `undefined` when the user leaves.
 *
 * @throws {HumanError} when the server offers nothing.
 */
export async function pickOffer(server: Server): Promise<Callable | undefined> {
  const { label } = server.definition;
  await server.wake();
  const { requests } = server;
  const [tools, resources, templates, prompts] = await Promise.all([
    server.listTools(),
    listed(requests.list('resources')),
    listed(requests.list('resourceTemplates')),
    listed(requests.list('prompts')),
  ]);
  const groups: readonly (readonly [Shown, readonly OfferItem[]])[] = [
    [t('Tools'), tools.map(tool => itemOf(tool, tool.title, () => toolCallable(tool)))],
    [
      t('Resources'),
      [
        ...resources.map(one => itemOf(one, one.uri, () => resourceCallable(one))),
        ...templates.map(one => itemOf(one, one.uriTemplate, () => templateCallable(one))),
      ],
    ],
    [
      t('Prompts'),
      prompts.map(prompt => itemOf(prompt, prompt.title, () => promptCallable(prompt))),
    ],
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
  // After the command palette, a focused tab takes the focus back, which would close the list.
  const ignoreFocusOut = true;
  const options = { title, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut };
  const picked = await vscode.window.showQuickPick(items, options);
  return picked && 'offered' in picked ? picked.offered() : undefined;
}

interface OfferItem extends vscode.QuickPickItem {
  readonly offered: () => Callable | Promise<Callable>;
}

function itemOf(
  { name, description = '' }: { readonly name: string; readonly description?: string | undefined },
  about: string | undefined,
  offered: OfferItem['offered'],
): OfferItem {
  return {
    label: shownLine(name),
    description: shownLine(about ?? ''),
    detail: shownLine(description),
    offered,
  };
}

/** The list; empty if the server does not answer in time, so that its tools can still be used. */
function listed<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  return within(
    list.catch(() => []),
    patience,
    [],
  );
}
