import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import type { Part } from '../bench.ts';
import { median } from '../figures.ts';
import { built, ours } from '../product.ts';
import type { Row } from '../row.ts';

/** In milliseconds: it is loaded in every window. */
const longestLoad: Readonly<Record<string, number>> = { 'extension.js': 25 };

/** These begin their work when they are loaded. */
const programs: ReadonlySet<string> = new Set(['server.js', 'connect.js', 'waysOut.js']);

/** How large the built bundles are, and how long those of the extension take to load. */
export const bundlesPart: Part = {
  name: 'bundles',
  run: async () =>
    readdirSync(built(ours, ''))
      .filter(name => name.endsWith('.js'))
      .flatMap(rowsOf),
};

function rowsOf(name: string): readonly Row[] {
  const { size } = statSync(built(ours, name));
  const atMost = longestLoad[name];
  const target = atMost !== undefined && { target: { atMost } };
  const load = (): Row => ({
    ...{ what: `load ${name}`, value: loadTime(name), unit: 'ms' as const },
    ...target,
  });
  return [
    { what: `size of ${name}`, value: size, unit: 'bytes' },
    ...(programs.has(name) ? [] : [load()]),
  ];
}

/** How long loading a bundle takes in a fresh process with a stub of the editor, in milliseconds. */
function loadTime(name: string): number {
  const args = ['-e', loader, built(ours, name)];
  const time = () => Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  return median(Array.from({ length: 11 }, time));
}

// Whatever is taken from the stub can be called, constructed and extended.
const loader = `
  const Module = require('node:module');
  const stub = new Proxy(class {}, { get: (_, name) => (name === 'prototype' ? {} : stub) });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? stub : load(name, ...rest));
  const start = process.hrtime.bigint();
  require(process.argv[1]);
  process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6));`;
