import type { After } from '../../base/clock.ts';
import { type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import { isFree } from '../../domain/gate/handshakeAndLists.ts';
import type { AskedRequest } from '../link/forwarding.ts';
import type { Link } from '../link/link.ts';
import type { Traffic } from '../process/wire.ts';

/** When the process of a server counts as unused. */
export interface IdleTerms {
  readonly after: After;
  /** How many milliseconds a process runs on without use. `undefined`: without end. */
  readonly time: () => number | undefined;
}

/**
 * Notices when nobody has used a server's process for long: no open request, question or
 * subscription, and no message of the server itself. Handshakes, lists and pings are no use.
 */
export class IdleWatch implements IDisposable {
  private readonly terms: IdleTerms;
  private readonly onIdle: () => void;
  private readonly timer = new MutableDisposable();
  /** The open requests, the ids of open questions, and the URIs of subscriptions. */
  private open = new Set<unknown>();

  /** @param onIdle called once the time is over, again after each further use. */
  constructor(terms: IdleTerms, onIdle: () => void) {
    this.terms = terms;
    this.onIdle = onIdle;
  }

  /** Watches the processes of a link, one after the other. */
  follow(link: Pick<Link, 'onDidBegin'>): void {
    link.onDidBegin(({ onDidAsk, onDidPass }) => {
      this.open = new Set();
      onDidAsk(asked => isFree(asked) || void this.hold(asked));
      onDidPass(passed => passed.kind === 'message' && this.note(passed));
      this.wait();
    });
  }

  dispose(): void {
    this.timer.dispose();
  }

  private async hold({ method, params, ended }: AskedRequest): Promise<void> {
    const { open } = this;
    open.add(ended);
    this.wait();
    const response = await ended;
    open.delete(ended);
    const subscription = subscriptionTo(params['uri']);
    if (method === 'resources/subscribe' && response && 'result' in response) {
      open.add(subscription);
    } else if (method === 'resources/unsubscribe') {
      open.delete(subscription);
    }
    this.wait();
  }

  private note({ direction, message }: Exclude<Traffic, { readonly kind: 'rubbish' }>): void {
    if ('method' in message && direction === 'from-server' && message.method !== 'ping') {
      const { params } = message;
      if ('id' in message) {
        this.open.add(questionOf(message.id));
      } else if (message.method === 'notifications/cancelled') {
        this.open.delete(questionOf(params?.['requestId']));
      }
      this.wait();
    } else if (!('method' in message) && this.open.delete(questionOf(message.id))) {
      this.wait();
    }
  }

  /** Waits anew, unless something is open. */
  private wait(): void {
    const time = this.open.size > 0 ? undefined : this.terms.time();
    this.timer.value = time === undefined ? undefined : this.terms.after(time, this.onIdle);
  }
}

function subscriptionTo(uri: unknown): string {
  return `resource ${JSON.stringify(uri)}`;
}

function questionOf(id: unknown): string {
  return `question ${id}`;
}
