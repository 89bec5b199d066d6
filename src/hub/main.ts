/** The hub's bundle, which the bundled server loads when it is started with `--config`. */
export { Hub } from './hub.ts';
