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

const linesOf = (text: string) => text.split('\n').length - 1;

/** A case of a spec or a block of them: `describe`, `it.each`, `describeOnRedis` and the like. */
const CASE = /^(describe\w*|it)\b/;
const SET_UP = /^(before|after)(All|Each)\b/;
const isCase = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && CASE.test(node.parent.expression.getText());

/** Whether a function only declares cases, with what they share. The functions in it are measured on their own. */
function declaresCases(node: ts.Node): boolean {
  const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
  if (!body || !ts.isBlock(body)) return false;
  const isDeclared = (one: ts.Statement): boolean => CASE.test(one.getText());
  const isShared = (one: ts.Statement): boolean =>
    ts.isVariableStatement(one) || ts.isDeclarationStatement(one) || SET_UP.test(one.getText());
  return body.statements.some(isDeclared) && body.statements.every((one) => isDeclared(one) || isShared(one));
}

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
    const long = files.filter((source) => longestFunction(source) > MAX_FUNCTION_LINES).map(({ path }) => path);
    expect(long.sort()).toEqual(listed.sort());
  });
});
