import { Debounce } from '../../base/debounce.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { UpstreamChange } from '../upstreams/upstreams.ts';

const lists = ['tools', 'resources', 'prompts'] as const;

/** A list that a client can be told has changed. */
export type ChangedList = (typeof lists)[number];

/** In milliseconds. Servers that start together are one change, and so is a list that changes bit by bit. */
const noticeTimes = { quiet: 50, longest: 1000 };

/** Tells when servers offer other tools, resources or prompts: once for all that changes together. */
export class ListNotices implements IDisposable {
  private readonly didChange = new Emitter<ChangedList>();
  private readonly notice = new Debounce(() => this.tell(), noticeTimes);
  private readonly changed = new Set<ChangedList>();

  readonly onDidChange: Event<ChangedList> = this.didChange.event;

  /** Takes each change of these servers into account, until the answer is disposed. */
  follow({ onDidChange }: { readonly onDidChange: Event<UpstreamChange> }): IDisposable {
    return onDidChange(change => this.note(change));
  }

  /** The same for each change of the servers in the configuration. */
  followConfig(config: Pick<ConfigFile, 'current' | 'onDidChange'>): IDisposable {
    let before = servedBy(config);
    return config.onDidChange(() => {
      const now = servedBy(config);
      // Problems of the file and rules of the guard don't change what is offered.
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
      // A server that stops is no change: what it offered is remembered.
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

/** Equal for two configurations of the same servers. It may hold secrets. */
function servedBy({ current }: Pick<ConfigFile, 'current'>): string {
  return JSON.stringify(current.servers.map(({ name, fingerprint }) => [name, fingerprint]));
}
