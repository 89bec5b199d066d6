import { listRequests, type Offer, type OfferKind, type Offers } from './offers.ts';

const mostOffers = 10_000;
const mostBytes = 8 * 1024 * 1024;

/** Gathers what the pages of one list have that can be used, up to what one server may take up. */
export class OffersRead<K extends OfferKind> {
  private readonly method: string;
  private readonly key: string;
  private readonly keys = new Set<string>();
  private readonly taken: Offers[K][] = [];
  private bytes = 0;
  private leftOut = 0;
  private isFull = false;

  constructor(kind: K) {
    const { method, key } = listRequests[kind];
    this.method = method;
    this.key = key;
  }

  get offers(): readonly Offers[K][] {
    return this.taken;
  }

  /** What is wrong with the list, in finished sentences; `undefined`: nothing. */
  get remark(): string | undefined {
    const { method, key, leftOut } = this;
    const entries = leftOut === 1 ? '1 entry' : `${leftOut} entries`;
    const reason = `without a ${key} of its own or nested too deep`;
    const sentences = [
      ...(leftOut > 0 ? [`${entries} of ${method} left out: ${reason}.`] : []),
      ...(this.isFull ? [`The answer to ${method} is too long: not all of it is used.`] : []),
    ];
    return sentences.length > 0 ? sentences.join(' ') : undefined;
  }

  /** Whether more can be taken after this page. */
  take(page: unknown): boolean {
    for (const entry of Array.isArray(page) ? page : []) {
      const size = sizeOf(entry);
      this.bytes += size ?? 0;
      if (this.bytes > mostBytes || this.taken.length === mostOffers) {
        this.end();
        break;
      }
      if (size !== undefined && this.isNew(entry)) {
        this.taken.push(entry);
      } else {
        this.leftOut += 1;
      }
    }
    return !this.isFull;
  }

  /** What comes after this is left out. */
  end(): void {
    this.isFull = true;
  }

  private isNew(entry: unknown): entry is Offers[K] {
    const key = isObject(entry) ? entry[this.key] : undefined;
    const isNew = typeof key === 'string' && key !== '' && !this.keys.has(key);
    if (isNew) {
      this.keys.add(key);
    }
    return isNew;
  }
}

function isObject(value: unknown): value is Offer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined`: nobody could be sent it. JSON can be read that is nested too deep to be written. */
function sizeOf(entry: unknown): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(entry) ?? '');
  } catch {
    return undefined;
  }
}
