/** Whether the extension has loaded the bundle with the SDK into this extension host. */
export function isClientLoaded(): boolean {
  const loaded = Object.keys(require.cache);
  if (!loaded.some(path => path.endsWith('extension.js'))) {
    throw new Error('The extension itself is not in the module cache, so this can tell nothing.');
  }
  return loaded.some(path => /dist[\\/]client\.js$/.test(path));
}
