// A window in a separate process: node gatewayWindow.ts FOLDER ID WORKSPACE-FOLDER… Its gateway
// echoes each message, but for the server "deaf", which reads nothing. It ends with its stdin.
import { Emitter } from '../../src/base/emitter.ts';
import { GatewaySocket } from '../../src/extension/gateway/gatewaySocket.ts';
import { WindowFile } from '../../src/extension/gateway/windowFile.ts';

const [folder = '', id = '', ...folders] = process.argv.slice(2);
const gateway = await GatewaySocket.listen(folder, ({ hello, socket }) => {
  socket.write(`${id}\n`);
  if (hello.server !== 'deaf') {
    socket.pipe(socket);
  }
});
const ignore = () => {};
const logger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
const state = { folders, focusedAt: 1, name: id, grants: ['codex'] };
const window = { id, state, onDidChange: new Emitter<void>().event };
const reach = { socket: gateway.path, nonce: gateway.nonce };
const file = await WindowFile.write(folder, window, reach, logger);
process.stdin.on('end', () => {
  file.dispose();
  gateway.dispose();
});
process.stdin.resume();
console.log('ready');
