/** The hub's bundle. The bundled server loads it when it is started with `--config`. */
export { Hub } from './hub.ts';
