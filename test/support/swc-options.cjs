/** How TypeScript is translated outside the build: like there, by .swcrc, specs included. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const { $schema, exclude, ...swcrc } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
module.exports = { ...swcrc, swcrc: false, sourceMaps: 'inline', jsc: { ...swcrc.jsc, baseUrl: root } };
