import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './figures.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const runs = 11;

/** The built bundles and their sizes in bytes. Empty when nothing is built. */
export function bundleSizes(): { readonly name: string; readonly bytes: number }[] {
  const names = existsSync(dist) ? readdirSync(dist).filter(name => name.endsWith('.js')) : [];
  return names.map(name => ({ name, bytes: statSync(join(dist, name)).size }));
}

/** How long loading a bundle takes in a fresh process with a stub of the editor, in milliseconds. */
export function loadTime(name: string): number {
  const times = Array.from({ length: runs }, () =>
    Number(execFileSync(process.execPath, ['-e', loader, join(dist, name)], { encoding: 'utf8' })),
  );
  return median(times);
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
