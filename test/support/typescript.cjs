/**
 * `node -r <this file> script.ts` runs TypeScript as the build would translate it. For specs that start processes
 * of their own: `fork(script, { execArgv: ['-r', require.resolve('…/typescript.cjs')] })`.
 */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const options = require('./swc-options.cjs');

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
};
