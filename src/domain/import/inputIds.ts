import { type InputEntry, isSameJson, type KeptValue } from './serverEntry.ts';

/** The inputs that are in the settings, or will be, by their ids. */
export type KnownInputs = ReadonlyMap<string, unknown>;

/** The first of `id`, `id-2`, `id-3`, … under which nothing else is known than this very input. */
export function freeInput(input: InputEntry, known: KnownInputs): InputEntry {
  return firstFree(input, 1, candidate => isTaken(candidate, known)).input;
}

function firstFree(
  input: InputEntry,
  start: number,
  isTaken: (candidate: InputEntry) => boolean,
): { readonly input: InputEntry; readonly count: number } {
  for (let count = start; ; count += 1) {
    const candidate = count === 1 ? input : { ...input, id: `${input.id}-${count}` };
    if (!isTaken(candidate)) {
      return { input: candidate, count };
    }
  }
}

function isTaken(input: InputEntry, known: KnownInputs): boolean {
  return known.has(input.id) && !isSameJson(known.get(input.id), input);
}

/** Gives out the inputs that one server needs, and remembers what is to be kept for them. */
export class ServerInputs {
  private readonly serverName: string;
  private readonly known: KnownInputs;
  private readonly byId = new Map<string, InputEntry>();
  private readonly kept: KeptValue[] = [];
  /** The last number given out for an id: counted from 1 each time, a long list takes for ever. */
  private readonly counts = new Map<string, number>();

  constructor(serverName: string, known: KnownInputs) {
    this.serverName = serverName;
    this.known = known;
  }

  get all(): readonly InputEntry[] {
    return [...this.byId.values()];
  }

  /** What goes to the secret storage. */
  get values(): readonly KeptValue[] {
    return this.kept;
  }

  /** The variable for an input that is defined already under this id. */
  use(input: InputEntry): string {
    this.byId.set(input.id, input);
    return variable(input);
  }

  /**
   * The variable for an input of this server alone, asked for like a password.
   *
   * @param value kept, so that nobody is asked; `undefined`: a person is asked at the first start.
   */
  add(hint: string, value: string | undefined): string {
    const wanted: InputEntry = {
      id: `${slug(this.serverName)}-${slug(hint)}`,
      type: 'promptString',
      description: `${slug(hint)} (${slug(this.serverName)})`,
      password: true,
    };
    const { input, count } = firstFree(
      wanted,
      this.counts.get(wanted.id) ?? 1,
      candidate => this.byId.has(candidate.id) || isTaken(candidate, this.known),
    );
    this.counts.set(wanted.id, count);
    this.keep(input.id, value);
    return this.use(input);
  }

  /** Keeps a value for an input that is in use. */
  keep(inputId: string, value: string | undefined): void {
    if (value !== undefined) {
      this.kept.push({ inputId, value });
    }
  }
}

function variable({ id }: InputEntry): string {
  return `\${input:${id}}`;
}

/** A name as part of an id: nothing in it can end the variable it is used in. */
function slug(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '') || 'server';
}
