import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PathPlatform } from '../../../domain/paths/pathNames.ts';
import type { DiskBudget } from './diskBudget.ts';

/** What the looks at folders cost, and how names are compared there. */
export interface LinkNamesParts {
  readonly budget: DiskBudget;
  readonly platform: PathPlatform;
}

/** Tells which names in folders are links: single ones by a look at each, many by one at the folder. */
export class LinkNames {
  private readonly parts: LinkNamesParts;
  private readonly asked = new Map<string, number>();
  private readonly links = new Map<string, ReadonlySet<string> | undefined>();

  constructor(parts: LinkNamesParts) {
    this.parts = parts;
  }

  /** Whether there is a link of that name; also when the budget is spent. */
  has(folder: string, name: string): boolean {
    const links = this.linksIn(folder);
    return links ? links.has(name) : this.isLink(join(folder, name));
  }

  // Elsewhere than on Linux a name is found in other spellings, too.
  private linksIn(folder: string): ReadonlySet<string> | undefined {
    const asked = (this.asked.get(folder) ?? 0) + 1;
    this.asked.set(folder, asked);
    if (asked <= singleLooks || this.parts.platform !== 'linux') {
      return undefined;
    }
    if (!this.links.has(folder)) {
      const links = entriesOf(folder, this.parts.budget)?.filter(one => one.isSymbolicLink());
      this.links.set(folder, links && new Set(links.map(({ name }) => name)));
    }
    return this.links.get(folder);
  }

  private isLink(path: string): boolean {
    if (!this.parts.budget.spend(1)) {
      return true;
    }
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    } catch {
      // It can be no path at all, or lies where nothing can be looked at.
      return false;
    }
  }
}

const singleLooks = 6;

/** What is in a folder; `undefined` when that can't be read, or not within the budget. */
export function entriesOf(folder: string, budget: DiskBudget): readonly Dirent[] | undefined {
  if (!budget.spend(3)) {
    return undefined;
  }
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    budget.spend(entries.length / 10);
    return entries;
  } catch {
    return undefined;
  }
}
