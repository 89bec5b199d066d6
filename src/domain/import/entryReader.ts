import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { isJsonObject, type JsonObject } from '../settings/values.ts';

/** Reads one server of a file key by key, and knows which keys were not taken over. */
export class EntryReader {
  /** What is not as it should be. */
  readonly doubts: Sentence[] = [];
  private readonly raw: JsonObject;
  private readonly taken = new Set<string>();
  private readonly lost: string[] = [];

  constructor(raw: JsonObject) {
    this.raw = raw;
  }

  /** What a person should know of the keys that were not taken over. */
  get notes(): Sentence[] {
    const rest = Object.keys(this.raw).filter(key => !this.taken.has(key));
    const names = [...rest, ...this.lost].map(printable).join(', ');
    return names ? [sentence('Not taken over: {0}.', names)] : [];
  }

  has(key: string): boolean {
    return Object.hasOwn(this.raw, key);
  }

  /** `undefined`: there is none, or it is no text. */
  text(key: string): string | undefined {
    return this.take(key, isText, sentence('"{0}" is not a text.', key));
  }

  flag(key: string): boolean | undefined {
    const isFlag = (value: unknown) => typeof value === 'boolean';
    return this.take(key, isFlag, sentence('"{0}" is not true or false.', key));
  }

  /** Numbers and switches in it become texts. */
  texts(key: string): string[] | undefined {
    const isList = (value: unknown): value is unknown[] =>
      Array.isArray(value) && value.every(isScalar);
    return this.take(key, isList, sentence('"{0}" is not a list of texts.', key))?.map(String);
  }

  /** Texts by name. Those that are none, and a name no object can have, are named as lost. */
  record(key: string): [name: string, text: string][] | undefined {
    const doubt = sentence('"{0}" is not an object of texts.', key);
    const record = this.take(key, isJsonObject, doubt);
    return (
      record &&
      Object.entries(record).flatMap(([name, value]): [string, string][] => {
        if (isScalar(value) && name !== '__proto__') {
          return [[name, String(value)]];
        }
        this.lost.push(`${key}.${name}`);
        return [];
      })
    );
  }

  private take<T>(
    key: string,
    isWanted: (value: unknown) => value is T,
    doubt: Sentence,
  ): T | undefined {
    const value = this.has(key) ? this.raw[key] : undefined;
    if (isWanted(value)) {
      this.taken.add(key);
      return value;
    }
    if (value !== undefined && value !== null && value !== '') {
      this.doubts.push(doubt);
    }
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
