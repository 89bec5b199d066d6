import { execFileSync } from 'node:child_process';
import type { Part } from '../bench.ts';
import { built, ours } from '../product.ts';
import { median } from '../race.ts';

/** How long the file takes to load that each window loads. */
export const loadPart: Part = {
  name: 'load',
  async run() {
    const args = ['-e', loader, built(ours, 'extension.js')];
    const time = () => Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    const value = median(Array.from({ length: 11 }, time));
    return [{ what: 'load extension.js', value, unit: 'ms', target: 25 }];
  },
};

// In a fresh process with a stub of the editor: whatever is taken from it can be called, constructed and
// extended.
const loader = `
  const Module = require('node:module');
  const stub = new Proxy(class {}, { get: (_, name) => (name === 'prototype' ? {} : stub) });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? stub : load(name, ...rest));
  const start = process.hrtime.bigint();
  require(process.argv[1]);
  process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6));`;
