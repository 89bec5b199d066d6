import type { PathPlatform } from '../paths/pathNames.ts';
import { isOfOptionalFolder, meaningOf, type NameMeaning } from './argumentNames.ts';
import type { Found, FoundPath } from './foundPath.ts';
import { FoundPaths, mostPaths } from './foundPaths.ts';
import type { Rules } from './guardRules.ts';
import { jsonIn } from './jsonInText.ts';
import { textsInLooseJson } from './looseJson.ts';
import { findByMeaning } from './pathsByMeaning.ts';

/** What of the arguments has to be held against the roots, or why that can't be said. */
export type ArgumentPaths =
  | { readonly ok: true; readonly paths: readonly FoundPath[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Finds what in arguments names a path or may do so, under any name and at any depth. Arguments
 * too big to be looked through are an outcome of their own: who checks them has to refuse them.
 */
export function argumentPaths(args: unknown, rules: Rules, platform: PathPlatform): ArgumentPaths {
  const walk = new ArgumentWalk(rules, platform);
  walk.visit(args, 'other', 0);
  return walk.problem === undefined
    ? { ok: true, paths: walk.paths }
    : { ok: false, reason: walk.problem };
}

const deepest = 100;
const mostTexts = 20_000;
/** They say nothing of what an object holds. */
const ofValuesOnly: ReadonlySet<NameMeaning> = new Set(['command', 'prose', 'sign']);
/** As names of properties are, which are no paths then unless they stand where paths do. */
const isIdentifier = /^[A-Za-z_]\w*$/;
/** JSON within JSON within JSON counts as this much deeper each time. */
const jsonDepth = 12;

class ArgumentWalk {
  problem: string | undefined;
  private readonly rules: Rules;
  private readonly platform: PathPlatform;
  private readonly meanings = new Map<string, NameMeaning>();
  private readonly found = new FoundPaths();
  private readonly known = new Map<NameMeaning, Set<string>>();
  private texts = 0;

  constructor(rules: Rules, platform: PathPlatform) {
    this.rules = rules;
    this.platform = platform;
  }

  get paths(): readonly FoundPath[] {
    return this.found.all();
  }

  visit(value: unknown, meaning: NameMeaning, depth: number): void {
    if (this.problem !== undefined) {
      return;
    }
    if (typeof value === 'string') {
      this.visitText(value, meaning, depth);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= deepest) {
        this.problem = `They are nested more than ${deepest} levels deep.`;
      } else if (Array.isArray(value)) {
        for (const item of value) {
          this.visit(item, meaning, depth + 1);
        }
      } else {
        this.visitMembers(value, meaning, depth);
      }
    }
  }

  private visitMembers(value: object, outer: NameMeaning, depth: number): void {
    const inherited = ofValuesOnly.has(outer) ? 'other' : outer;
    for (const [name, inner] of Object.entries(value)) {
      const own = this.meaningOf(name);
      if (inherited !== 'contents' && this.mayLookAtOneMore()) {
        if (!isIdentifier.test(name)) {
          this.visitText(name, 'other', depth + 1);
        }
        if (inherited === 'path') {
          this.note('maybe', name);
        }
      }
      if (own !== 'left' && !(inner === '' && isOfOptionalFolder(name))) {
        this.visit(inner, own === 'other' ? inherited : own, depth + 1);
      }
    }
  }

  private meaningOf(name: string): NameMeaning {
    const meaning = this.meanings.get(name) ?? meaningOf(name, this.rules);
    this.meanings.set(name, meaning);
    return meaning;
  }

  private visitText(text: string, meaning: NameMeaning, depth: number): void {
    for (const pattern of this.rules.pathPatterns) {
      for (const [whole, group = whole] of text.matchAll(pattern)) {
        this.note('path', group);
      }
    }
    if (meaning === 'contents' || !this.mayLookAtOneMore() || this.isKnown(text, meaning)) {
      return;
    }
    const isStructured = this.visitJson(text, meaning, depth);
    const isData = isStructured && meaning !== 'path' && meaning !== 'place';
    if (!isData && !findByMeaning(text, meaning, this.platform, this.note)) {
      this.problem ??= 'They hold a command line that is too long to be looked through.';
    }
  }

  private isKnown(text: string, meaning: NameMeaning): boolean {
    const known = this.known.get(meaning) ?? new Set();
    this.known.set(meaning, known);
    const { size } = known;
    return known.add(text).size === size;
  }

  /** Whether the text is an object or a list of JSON, what is in it having been looked at. */
  private visitJson(text: string, meaning: NameMeaning, depth: number): boolean {
    const json = jsonIn(text);
    if (json === 'too-big') {
      this.problem = 'They hold a text with JSON that is too big to be looked through.';
    } else if (json) {
      this.visit(json.value, meaning, depth + jsonDepth);
      if (depth + jsonDepth >= deepest) {
        this.problem ??= 'They hold JSON in texts in JSON, too often to be looked through.';
      }
      return typeof json.value === 'object';
    }
    return meaning !== 'prose' && this.visitLooseJson(text, meaning, depth);
  }

  private visitLooseJson(text: string, meaning: NameMeaning, depth: number): boolean {
    const texts = textsInLooseJson(text);
    for (const { name, text: inner } of texts ?? []) {
      const own = name === undefined ? meaning : this.meaningOf(name);
      if (own !== 'left' && depth + jsonDepth < deepest) {
        this.visit(inner, own === 'other' ? meaning : own, depth + jsonDepth);
      }
    }
    return texts !== undefined;
  }

  private mayLookAtOneMore(): boolean {
    this.texts += 1;
    if (this.texts > mostTexts) {
      this.problem = `They hold more than ${mostTexts} texts.`;
    }
    return this.problem === undefined;
  }

  private readonly note: Found = (kind, text) => {
    if (!this.found.add(kind, text)) {
      this.problem ??= `They hold more than ${mostPaths} paths.`;
    }
  };
}
