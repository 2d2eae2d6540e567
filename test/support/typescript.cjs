/**
 * `node -r <this file> script.ts` runs TypeScript as the build would translate it. For specs that start processes
 * of their own: `fork(script, { execArgv: ['-r', require.resolve('…/typescript.cjs')] })`. What was translated once is
 * kept, as every process loads several hundred files of ours.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
require('./late-optimization.cjs');
const options = { ...require('./swc-options.cjs'), sourceMaps: false };

const folder = join(options.jsc.baseUrl, 'node_modules/.cache/annals-typescript');
mkdirSync(folder, { recursive: true });
const version = JSON.stringify([options, readFileSync(require.resolve('@swc/core/package.json'), 'utf8')]);

function translated(filename) {
  const source = readFileSync(filename, 'utf8');
  const digest = createHash('sha1').update(`${version}\0${filename}\0${source}`).digest('hex');
  const kept = join(folder, `${digest}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, { ...options, filename });
    // Other workers may write the same file: no reader may see half of it.
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, kept);
    return code;
  }
}

require.extensions['.ts'] = (module, filename) => module._compile(translated(filename), filename);
