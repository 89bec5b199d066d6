// Stands in for the native logger `@vscode/spdlog` in the VS Code that npm carries, where nothing
// is compiled. Without it every log channel of an extension stays empty, in the output panel too.
const { closeSync, mkdirSync, openSync, writeSync } = require('node:fs');
const { dirname } = require('node:path');

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;

async function createLogger(_name, file) {
  mkdirSync(dirname(file), { recursive: true });
  let descriptor = openSync(file, 'a');
  let format = withTimeAndLevel;

  const write = level => message => {
    if (descriptor !== undefined) {
      writeSync(descriptor, format(level, message));
    }
  };
  return {
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warning'),
    error: write('error'),
    critical: write('critical'),
    // VS Code compares levels itself before it calls.
    getLevel: () => 0,
    setLevel() {},
    setPattern() {
      format = withTimeAndLevel;
    },
    clearFormatters() {
      format = (_level, message) => message;
    },
    flush() {},
    drop() {
      if (descriptor !== undefined) {
        closeSync(descriptor);
        descriptor = undefined;
      }
    },
  };
}

/** The pattern VS Code sets, and parses again in its output panel: `%Y-%m-%d %H:%M:%S.%e [%l] %v`. */
function withTimeAndLevel(level, message) {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return `${local.toISOString().replace('T', ' ').replace('Z', '')} [${level}] ${message}\n`;
}
