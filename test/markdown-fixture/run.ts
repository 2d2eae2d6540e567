import { readFileSync } from 'node:fs';
import { comparedWith } from './compare';
import type { FixtureCase } from './compare';

/**
 * `npm run markdown-fixture -- <file>` compares our HTML with that of Zulip. The file is
 * `zerver/tests/fixtures/markdown_test_cases.json` of its repository, which is not part of this one. It prints how many
 * cases have equal HTML, and those that differ with both results. docs/markdown.md explains the remaining ones.
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: npm run markdown-fixture -- <markdown_test_cases.json>');
const { regular_tests: cases } = JSON.parse(readFileSync(file, 'utf8')) as { regular_tests: FixtureCase[] };

const different = comparedWith(cases).filter(({ ours, theirs }) => ours !== theirs);
for (const { name, input, ours, theirs } of different) {
  console.log(
    `${name}\n  text    ${JSON.stringify(input)}\n  Zulip   ${JSON.stringify(theirs)}\n  Annals  ${JSON.stringify(ours)}\n`,
  );
}
console.log(`${cases.length - different.length} of ${cases.length} cases have equal HTML.`);
