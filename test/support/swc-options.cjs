/** How TypeScript is translated outside the build: like there, by .swcrc, specs included. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const { $schema, exclude, ...swcrc } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
// swc takes the first pattern that begins like the import and looks at nothing after the `*`; this one has only
// types behind it, so that no import of it is left to translate
const { '@annals/*/events': _typesOnly, ...paths } = swcrc.jsc.paths;

module.exports = { ...swcrc, swcrc: false, sourceMaps: 'inline', jsc: { ...swcrc.jsc, baseUrl: root, paths } };
