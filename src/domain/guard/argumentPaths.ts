import { isJsonObject, type JsonObject } from '../json.ts';
import type { PathScope } from '../paths/pathScope.ts';
import { commandWords } from '../servers/commandWords.ts';
import {
  ArgumentSchema,
  type DeclaredPlace,
  declaredMeaning,
  joinedName,
  type Meaning,
  meaningOfName,
} from './argumentMeaning.ts';
import type { Rules } from './guardRules.ts';
import { climbs, formsOf, isRemote, partsOf, pathInUri, pathStart } from './localPath.ts';

/** A text in the arguments that has to be held against the roots. */
export interface FoundPath {
  /**
   * `named`: the schema or the name of the argument says that it is a path. `written`: nothing says
   * so, and it counts when it is unmistakably a local path.
   */
  readonly kind: 'named' | 'written';
  /** In the form in which it has to be inside. */
  readonly text: string;
  /** The text as it was given. */
  readonly given: string;
  readonly argument: Argument;
}

interface Argument {
  /** The place from the top, as in `files[2].path`. */
  readonly path: string;
  /** The name of the innermost property, by which `leaveNames` knows it. */
  readonly name: string;
}

/** The paths in the arguments, or why they can't be looked through, in a finished sentence. */
type ArgumentPaths =
  | { readonly ok: true; readonly paths: readonly FoundPath[] }
  | { readonly ok: false; readonly reason: string };

interface ArgumentReading {
  readonly rules: Rules;
  /** The tool's own `inputSchema`; `undefined`: it is not known, and names alone count. */
  readonly schema: unknown;
  readonly scope: Pick<PathScope, 'find' | 'platform'>;
}

/**
 * Finds what in the arguments of a call names a path, at any depth, in lists, as names of
 * properties and in JSON within texts. Nothing of the disk is looked at.
 */
export function argumentPaths(args: unknown, reading: ArgumentReading): ArgumentPaths {
  const walk = new ArgumentWalk(reading);
  const problem = walk.run(args);
  return problem === undefined ? { ok: true, paths: walk.paths } : { ok: false, reason: problem };
}

/** The most characters and values that are looked at; nothing else is answered meanwhile. */
const mostSize = 1_000_000;
/** Each level of a path counts as so many of them: where it leads is asked of the disk. */
const sizeOfLevel = 50;
const tooMuch = 'They hold too many characters, values and paths.';
const deepest = 100;
/** JSON in a text in JSON counts as this much deeper each time. */
const depthOfJson = 12;

interface Visit {
  readonly value: unknown;
  readonly meaning: Meaning | undefined;
  readonly place: DeclaredPlace;
  readonly argument: Argument;
  readonly depth: number;
  /** Whether paths here are those of a repository or a service elsewhere. */
  readonly isElsewhere: boolean;
}

class ArgumentWalk {
  readonly paths: FoundPath[] = [];
  private readonly reading: ArgumentReading;
  private readonly schema: ArgumentSchema;
  private readonly known = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly open: Visit[] = [];
  private size = 0;

  constructor(reading: ArgumentReading) {
    this.reading = reading;
    this.schema = new ArgumentSchema(reading.schema);
  }

  /** @returns why not everything could be looked at; `undefined`: it was. */
  run(args: unknown): string | undefined {
    const argument = { path: '', name: '' };
    const place = this.schema.top;
    this.open.push({
      value: args,
      meaning: undefined,
      place,
      argument,
      depth: 0,
      isElsewhere: false,
    });
    for (let visit = this.open.pop(); visit; visit = this.open.pop()) {
      if (visit.depth > deepest) {
        return `They are nested more than ${deepest} levels deep.`;
      }
      if (this.size > mostSize) {
        return tooMuch;
      }
      this.size += 1;
      this.visit(visit);
    }
    return this.size > mostSize ? tooMuch : undefined;
  }

  private visit(visit: Visit): void {
    const { value } = visit;
    if (typeof value === 'string') {
      this.visitText(visit, value);
    } else if (Array.isArray(value)) {
      this.visitList(visit, value);
    } else if (isJsonObject(value)) {
      this.visitMembers(visit, value);
    }
  }

  private visitList(visit: Visit, list: readonly unknown[]): void {
    const { argument, depth } = visit;
    this.size += list.length;
    if (this.size > mostSize) {
      return;
    }
    for (let index = list.length - 1; index >= 0; index--) {
      const value = list[index];
      const place = this.schema.entry(visit.place, index);
      const meaning = declaredMeaning(place, value) ?? visit.meaning;
      const path = `${argument.path}[${index}]`;
      this.open.push({
        ...visit,
        value,
        place,
        meaning,
        argument: { ...argument, path },
        depth: depth + 1,
      });
    }
  }

  private visitMembers(visit: Visit, members: JsonObject): void {
    const isElsewhere = visit.isElsewhere || isOfService(members);
    for (const [name, value] of Object.entries(members).reverse()) {
      const argument = {
        path: `${visit.argument.path}.${name}`.replace(/^\./, '').slice(0, 200),
        name,
      };
      const place = this.schema.member(visit.place, name);
      const meaning = this.meaningOf(name, place, value) ?? visit.meaning;
      this.size += name.length;
      if (meaning !== 'left') {
        const own = meaning === 'path' && isElsewhere ? undefined : meaning;
        this.open.push({
          value,
          meaning: own,
          place,
          argument,
          depth: visit.depth + 1,
          isElsewhere,
        });
      }
      if (visit.meaning !== 'other' && !/^[A-Za-z_]\w*$/.test(name)) {
        const depth = visit.depth + 1;
        this.open.push({ ...visit, value: name, meaning: undefined, place: [], depth });
      } else if (visit.meaning === 'path') {
        this.note('written', name, name, visit.argument);
      }
    }
  }

  private meaningOf(
    name: string,
    place: DeclaredPlace,
    value: unknown,
  ): Meaning | 'left' | undefined {
    const { checkNames, leaveNames } = this.reading.rules;
    const joined = checkNames.size + leaveNames.size > 0 ? joinedName(name) : '';
    if (checkNames.has(joined)) {
      return 'path';
    }
    if (leaveNames.has(joined)) {
      return 'left';
    }
    const declared = declaredMeaning(place, value);
    const named = meaningOfName(name);
    return declared === 'uri' && named === 'path' ? 'path' : (declared ?? named);
  }

  private visitText(visit: Visit, text: string): void {
    const { meaning, argument } = visit;
    for (const pattern of this.reading.rules.pathPatterns) {
      for (const [whole, group = whole] of text.matchAll(pattern)) {
        this.note('named', group, group, argument);
      }
    }
    if (meaning === 'other' || text === '') {
      return;
    }
    this.size += text.length;
    const key = `${meaning} ${text}`;
    if (this.size > mostSize || this.seen.has(key)) {
      return;
    }
    this.seen.add(key);
    if (this.visitJson(visit, text)) {
      return;
    }
    const finder = new TextFinder(this.reading, (kind, form) =>
      this.note(kind, form, text, argument),
    );
    finder.find(text, meaning);
  }

  /** Whether it is an object or a list in JSON, which is then looked at in place of the text. */
  private visitJson(visit: Visit, text: string): boolean {
    // Apart: behind "of", Node takes a pattern for a division when it looks for a bundle's exports.
    const isLikeJson = mayBeJson.test(text);
    for (const form of isLikeJson ? formsOf(text) : []) {
      const value = jsonIn(form);
      if (value !== undefined) {
        this.open.push({ ...visit, value, depth: visit.depth + depthOfJson });
        return typeof value === 'object';
      }
    }
    return false;
  }

  private note(kind: FoundPath['kind'], text: string, given: string, argument: Argument): void {
    const key = `${kind} ${text}`;
    if (text !== '' && !this.known.has(key)) {
      this.known.add(key);
      this.size += sizeOfLevel * text.split(/[\\/]/).length;
      this.paths.push({ kind, text, given, argument });
    }
  }
}

/**
 * Whether an object says what its paths are in: a repository of a host, a service over HTTP, or the
 * JSON document that a patch is for.
 */
function isOfService(members: JsonObject): boolean {
  const { owner, repo, project_id, projectId, method, op } = members;
  return (
    (op !== undefined && members['path'] !== undefined) ||
    (owner !== undefined && repo !== undefined) ||
    (project_id ?? projectId) !== undefined ||
    (typeof method === 'string' && /^(?:get|head|post|put|patch|delete|options)$/i.test(method))
  );
}

/** Also with its signs encoded. */
const mayBeJson = /^\s*["[{%]/;

function jsonIn(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // It only looked like JSON.
  }
}

class TextFinder {
  private readonly scope: ArgumentReading['scope'];
  private readonly note: (kind: FoundPath['kind'], text: string) => void;

  constructor({ scope }: ArgumentReading, note: TextFinder['note']) {
    this.scope = scope;
    this.note = note;
  }

  find(text: string, meaning: Meaning | undefined): void {
    if (meaning === 'command') {
      this.findInCommand(text, 0); // Its words come in all their forms; its quotes belong to them.
      return;
    }
    for (const form of formsOf(text)) {
      if (meaning === 'path') {
        this.findNamed(form);
      } else {
        this.findWritten(form, 0);
      }
    }
  }

  private findNamed(form: string): void {
    if (/[\r\n]/.test(form.trim()) && !this.scope.find(form)) {
      this.findInLines(form, 0);
      return;
    }
    const local = pathInUri(form);
    if (local !== undefined || !isRemote(form)) {
      this.note('named', local ?? form);
      // It may be a list, whose first entry may hold blanks.
      const parts = [...form.split(gap).slice(1), ...this.partsOf(form)];
      for (const part of local === undefined ? parts : []) {
        this.findWritten(part, 1);
      }
    }
  }

  private findWritten(form: string, depth: number): void {
    const isWord = !/\s/.test(form);
    if (!isWord && /[\r\n]/.test(form)) {
      this.findInLines(form, depth);
      return;
    }
    const local = pathInUri(form);
    if (isSign.test(form) || (local === undefined && isRemote(form))) {
      return;
    }
    if (
      local !== undefined ||
      (isWord && !isOption.test(form)) ||
      pathStart(form) ||
      climbs(form)
    ) {
      this.note('written', local ?? form);
    }
    if (local === undefined && depth < deepestPart) {
      if (isWord) {
        for (const part of this.partsOf(form)) {
          this.findWritten(part, depth + 1);
        }
      } else if (isCommandLine.test(form)) {
        this.findInCommand(form, depth + 1);
      }
    }
  }

  /** In the name of a root, and of a folder above it, the signs of a list are signs like others. */
  private partsOf(form: string): readonly string[] {
    const parts = partsOf(form);
    if (parts.length === 0) {
      return parts;
    }
    const isInside = this.scope.find(form) !== undefined;
    const others = isInside ? parts.filter(part => !form.startsWith(part)) : parts;
    return others.flatMap(part => [...formsOf(part)]);
  }

  /** Lines of single words are a list; all others are prose, or contents. */
  private findInLines(text: string, depth: number): void {
    const lines = text.split(/[\r\n]+/).map(line => line.trim());
    if (depth < deepestPart && lines.every(line => !/\s/.test(line))) {
      for (const line of lines) {
        this.findWritten(line, depth + 1);
      }
    }
  }

  private findInCommand(line: string, depth: number): void {
    if (!/\s/.test(line) && !isProgram.test(line) && !isSign.test(line)) {
      // In a list of words each is read as it is.
      this.findWritten(line, depth);
      if (isPlainWord.test(line)) {
        return;
      }
    }
    const { words } = commandWords(line, this.scope.platform === 'win32');
    const first = words.findIndex(word => !/^\w+=/.test(word));
    for (const [index, word] of words.entries()) {
      if (isSign.test(word) && (word === line || isCommandLine.test(line))) {
        this.note('named', word);
      } else if (index !== first || !isProgram.test(word)) {
        for (const form of formsOf(word)) {
          this.findWritten(form, depth);
        }
      }
    }
  }
}

/**
 * Separator before a path. A blank after `..` belongs to the name: `.. ` is one. It begins nowhere within
 * itself, where a long one would be tried from each of its signs.
 */
const gap =
  /(?:(?<![\s,;|]|\/\.{1,2})|(?<=\/\.{1,2}[\s,;|]))[\s,;|]+(?=[/\\~]|\.\.|[a-z]:[\\/]|file:)/i;

const deepestPart = 4;

/** A shell takes nothing of it away. */
const isPlainWord = /^[\w./=:@,+-]+$/;

/** An option or a number: no path, though there may be one in it. */
const isOption = /^(?:-[\w=-]*|\d+)$/;

/** A single sign is a separator or a key, unless a command line is about it; so is a label. */
const isSign = /^(?:[/\\~]|\w+:)?$/;

/** A program of the system at the start of a command line is run, and not read. */
const isProgram = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[\w.+-]+$/;

/** Whether a text is a command line under whatever name: it begins with what no prose begins with. */
const isCommandLine =
  /^(?:sudo |env |exec )?(?:[\w./-]+\/)?(?:cat|ls|cp|mv|rm|ln|dd|find|e?grep|rg|sed|awk|head|tail|less|more|tar|unzip|zip|gzip|curl|wget|scp|rsync|ssh|git|npm|npx|node|deno|python3?|pip3?|ruby|perl|php|java|docker|kubectl|aws|bash|sh|zsh|pwsh|powershell|cmd|chmod|chown|mkdir|rmdir|tee|xxd|base64|nano|vim?|code|cd|pushd|source|echo|printf|stat|du|df|type|dir|copy|del) /;
