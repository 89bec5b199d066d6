import { Debounce } from '../../../base/debounce.ts';
import { type IDisposable, toDisposable } from '../../../base/disposable.ts';
import type { ChildChange } from '../children/childSet.ts';
import type { Tenant } from '../children/tenant.ts';
import type { HubHost } from '../hubHost.ts';

const lists = ['tools', 'resources', 'prompts'] as const;
type List = (typeof lists)[number];

/** In milliseconds: servers that start together, or a list that changes piece by piece, are one change. */
const noticeTimes = { quiet: 50, longest: 1000 };

/** Tells the client when the servers of its session offer other tools, resources or prompts. */
export class ListNotices implements IDisposable {
  private readonly host: HubHost;
  private readonly notice = new Debounce(() => this.tell(), noticeTimes);
  private readonly changed = new Set<List>();
  private following: IDisposable = toDisposable(() => {});

  constructor(host: HubHost) {
    this.host = host;
  }

  /** From now on it is about these servers, and no others. */
  follow(tenant: Tenant): void {
    this.following.dispose();
    this.following = tenant.onDidChange(change => this.note(change));
  }

  /** There are other servers. */
  noteAll(): void {
    for (const list of lists) {
      this.changed.add(list);
    }
    this.notice.request();
  }

  dispose(): void {
    this.following.dispose();
    this.notice.dispose();
  }

  private note({ child, what }: ChildChange): void {
    if (what !== 'state') {
      this.changed.add(what);
      this.notice.request();
    } else if (child.isReady) {
      // What it offers when it does not run is what it offered when it did.
      this.noteAll();
    }
  }

  private tell(): void {
    for (const list of this.changed) {
      this.host.notify(`notifications/${list}/list_changed`);
    }
    this.changed.clear();
  }
}
