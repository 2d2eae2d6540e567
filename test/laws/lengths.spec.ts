import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..');
const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 40;

const files = ['apps', 'bench', 'libs', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/node_modules|dist\//.test(file))
    .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(join(root, folder, file), 'utf8') })),
);
/** Files of the product. */
const sources = files.filter(({ path }) => /^(apps|libs)\//.test(path) && !/spec/.test(path));
/** All files but specs, whose cases may be long. */
const code = files.filter(({ path }) => !/\.(spec|system)\.ts$/.test(path));

const linesOf = (text: string) => text.split('\n').length - 1;

/** Whether a function only declares cases of a spec. */
function declaresCases(node: ts.Node): boolean {
  const body = ts.isFunctionDeclaration(node) ? node.body : undefined;
  return body?.statements.some((one) => /^(describe|it)\b/.test(one.getText())) ?? false;
}

const isCase = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^(describe|it)\b/.test(node.parent.expression.getText());

/** The longest function of a file, in lines. Cases of specs, and functions that only declare them, do not count. */
function longestFunction({ path, text }: (typeof files)[number]): number {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  let longest = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && !isCase(node) && !declaresCases(node))
      longest = Math.max(longest, lineOf(node.end) - lineOf(node.getStart()) + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return longest;
}

describe('source files', () => {
  it('have at most 300 lines, specs included, and 40 to 120 in the median', () => {
    expect(files.filter(({ text }) => linesOf(text) > MAX_FILE_LINES).map(({ path }) => path)).toEqual([]);
    const lengths = sources.map(({ text }) => linesOf(text)).sort((a, b) => a - b);
    const median = lengths[Math.floor(lengths.length / 2)];
    expect(median).toBeGreaterThanOrEqual(40);
    expect(median).toBeLessThanOrEqual(120);
  });

  it('have functions of at most 40 lines, except the files that CONTRIBUTING.md lists with a reason', () => {
    const [, section = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Long functions');
    const listed = [...section.matchAll(/^- `([^`]+)`: \S/gm)].map(([, path]) => path);
    const long = code.filter((source) => longestFunction(source) > MAX_FUNCTION_LINES).map(({ path }) => path);
    expect(long.sort()).toEqual(listed.sort());
  });
});
