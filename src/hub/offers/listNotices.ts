import { Debounce } from '../../base/debounce.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { UpstreamChange } from '../upstreams/poolEntry.ts';

const lists = ['tools', 'resources', 'prompts'] as const;

/** What a client can be told of that it has changed. */
export type ChangedList = (typeof lists)[number];

/** In milliseconds: servers that start together, or a list that changes piece by piece, are one change. */
const noticeTimes = { quiet: 50, longest: 1000 };

/** Tells when servers offer other tools, resources or prompts: once for all that changes together. */
export class ListNotices implements IDisposable {
  private readonly didChange = new Emitter<ChangedList>();
  private readonly notice = new Debounce(() => this.tell(), noticeTimes);
  private readonly changed = new Set<ChangedList>();

  readonly onDidChange: Event<ChangedList> = this.didChange.event;

  /** It is about each change of these servers: until that is disposed of. */
  follow({ onDidChange }: { readonly onDidChange: Event<UpstreamChange> }): IDisposable {
    return onDidChange(change => this.note(change));
  }

  /** It is about each change of the servers in the configuration, too: until that is disposed of. */
  followConfig(config: Pick<ConfigFile, 'current' | 'onDidChange'>): IDisposable {
    let before = servedBy(config);
    return config.onDidChange(() => {
      const now = servedBy(config);
      // A problem that comes or goes, and a rule, change nothing of what is offered.
      if (now !== before) {
        before = now;
        this.noteAll();
      }
    });
  }

  private note({ upstream, what }: UpstreamChange): void {
    if (what !== 'state') {
      this.changed.add(what);
      this.notice.request();
    } else if (upstream.isUp) {
      // What it offers when it does not run is what it offered when it did.
      this.noteAll();
    }
  }

  dispose(): void {
    this.notice.dispose();
    this.didChange.dispose();
  }

  private noteAll(): void {
    for (const list of lists) {
      this.changed.add(list);
    }
    this.notice.request();
  }

  private tell(): void {
    for (const list of this.changed) {
      this.didChange.fire(list);
    }
    this.changed.clear();
  }
}

/** The same for two configurations of the same servers. It may hold secrets. */
function servedBy({ current }: Pick<ConfigFile, 'current'>): string {
  return JSON.stringify(current.servers.map(({ name, fingerprint }) => [name, fingerprint]));
}
