import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const decisions = join(root, 'docs', 'decisions');
const read = (file: string) => readFileSync(file, 'utf8');
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(root, folder, file));
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((file) => join(root, file)),
  ...filesIn('docs', '.md'),
  ...filesIn('libs', 'README.md'),
  ...filesIn('apps', 'README.md'),
];
const inTree = (file: string) => relative(root, file);

/** The text without code blocks, where brackets are not links. */
const prose = (file: string) => read(file).replace(/^```[^]*?^```/gm, '');

describe('decision records', () => {
  const records = readdirSync(decisions).filter((file) => file !== 'README.md');

  it('are numbered from 1 without a gap, and the title has the number of the file', () => {
    expect(records.map((file) => file.slice(0, 5))).toEqual(
      records.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
    );
    for (const [index, file] of records.entries()) {
      expect([file, read(join(decisions, file))]).toEqual([file, expect.stringMatching(`^# ${index + 1}\\. \\S`)]);
    }
  });

  it('have a status, a date and the same headings', () => {
    const wrong = records.filter((file) => {
      const text = read(join(decisions, file));
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading).sort();
      const required = headings.filter((heading) => heading !== 'Measurements').join();
      const head = /^# .*\n\n- Status: (accepted|superseded by decision \d+)\n- Date: \d{4}-\d\d-\d\d\n/;
      return !head.test(text) || required !== 'Alternatives,Consequences,Context,Decision';
    });
    expect(wrong).toEqual([]);
  });

  it('are all in the index, with title, status and date', () => {
    const rows = records.map((file) => {
      const [, number, title] = /^# (\d+)\. (.*)$/m.exec(read(join(decisions, file))) ?? [];
      const [, status, by = ''] = /^- Status: (\w+)(?: by decision (\d+))?$/m.exec(read(join(decisions, file))) ?? [];
      const [, date] = /^- Date: (.*)$/m.exec(read(join(decisions, file))) ?? [];
      return [`[${number}](${file})`, title, status, date, by];
    });
    const index = read(join(decisions, 'README.md')).split('\n');
    const cells = index.filter((line) => line.startsWith('| [')).map((line) => line.split('|').slice(1, -1));
    expect(cells.map((row) => row.map((cell) => cell.trim()))).toEqual(rows);
  });

  it('exist for every number in documents and comments', () => {
    const sources = ['apps', 'libs', 'test'].flatMap((folder) => filesIn(folder, '.ts'));
    const named = [...documents, ...sources].flatMap((file) =>
      [...read(file).matchAll(/\bdecision (\d+)\b|decisions\/(\d{4})\b/gi)].map(([, spoken, path]) => {
        return { file: inTree(file), number: Number(spoken ?? path) };
      }),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ number }) => number < 1 || number > records.length)).toEqual([]);
  });
});

/** Anchors as forges make them: lower case, no punctuation, hyphens instead of blanks. */
const anchorsOf = (file: string) =>
  [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** `camelCase`, `PascalCase` of two words, `snake_case`: a plain word may mean anything. */
const IDENTIFIER = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[a-zA-Z]+_\w+)\b/g;

/** Names of other products and of examples. */
const FOREIGN = new Set([
  ...['pg_basebackup', 'pg_ctl', 'pg_dump', 'pg_restore', 'BASE_BACKUP'],
  ...['AggregateRoot', 'EventBus', 'EventsHandler', 'ValidationPipe'],
  ...['TimeoutStopSec', 'terminationGracePeriodSeconds', 'enableServiceLinks', 'stop_grace_period'],
  ...['PastTense', 'next_channel_folders', 'onEvent'],
  ...['NODE_EXTRA_CA_CERTS', 'reject_unverified_recipient', 'objectId', 'mailNickname'],
]);

/** Every word of all sources except this spec. */
function identifiers(): ReadonlySet<string> {
  const sources = ['apps', 'libs', 'test', 'bench'].flatMap((folder) =>
    ['.ts', '.cjs', '.json', '.txt'].flatMap((ending) => filesIn(folder, ending)),
  );
  const text = sources.filter((file) => file !== __filename).map(read);
  return new Set(text.join('\n').match(/\w+/g));
}

describe('documents', () => {
  it('include a README in each library and application', () => {
    const folders = ['libs', 'apps'].flatMap((kind) =>
      readdirSync(join(root, kind)).map((name) => join(root, kind, name)),
    );
    expect(folders.length).toBeGreaterThan(15);
    expect(folders.filter((folder) => !existsSync(join(folder, 'README.md'))).map(inTree)).toEqual([]);
  });

  it('link to files and headings that exist', () => {
    const links = documents.flatMap((file) =>
      [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ file, target })),
    );
    const inside = links.filter(({ target }) => !/^[a-z]+:/.test(target));
    expect(inside.length).toBeGreaterThan(60);
    const broken = inside.filter(({ file, target }) => {
      const [path = '', anchor] = target.split('#');
      const to = path === '' ? file : join(dirname(file), path);
      return !existsSync(to) || (anchor !== undefined && !anchorsOf(to).includes(anchor));
    });
    expect(broken.map(({ file, target }) => `${inTree(file)}: ${target}`)).toEqual([]);
  });

  it('name only files that exist', () => {
    const named = documents.flatMap((file) =>
      [...prose(file).matchAll(/`((?:apps|libs|test|docs|bench)\/[\w./-]+)`/g)].map(([, path = '']) => ({
        file,
        path,
      })),
    );
    expect(named.length).toBeGreaterThan(60);
    const absent = named.filter(({ path }) => !existsSync(join(root, path)));
    expect(absent.map(({ file, path }) => `${inTree(file)}: ${path}`)).toEqual([]);
  });

  it('name only identifiers that the code has', () => {
    // Pages of providers name what is in the programs of others.
    const ours = documents.filter((file) => !/CHANGELOG\.md|(benchmarks|compatibility)\.md|docs\/sign-on\//.test(file));
    const named = ours.flatMap((file) =>
      [...prose(file).matchAll(/`([^`\s/]+)`/g)].flatMap(([, code = '']) =>
        [...code.matchAll(IDENTIFIER)].map(([name]) => ({ file, name })),
      ),
    );
    expect(named.length).toBeGreaterThan(300);
    const known = identifiers();
    // A secret setting may be in a file that a variable with the same name and `_FILE` names.
    const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_FILE$/, ''));
    const lost = named.filter(({ name }) => !FOREIGN.has(name) && !isKnown(name));
    expect(lost.map(({ file, name }) => `${inTree(file)}: ${name}`)).toEqual([]);
  });

  it('name symbols in the tour that are in their files', () => {
    const stops = [...read(join(root, 'docs', 'tour.md')).matchAll(/^\| +\d+ +\| \[(.*?)\]\((.*?)\) +\| (.*?) +\|/gm)];
    expect(stops.length).toBeGreaterThan(15);
    const lost = stops.flatMap(([, name = '', link = '', symbols = '']) => {
      const file = join(root, 'docs', link);
      if (inTree(file) !== name) return [name];
      const named = [...symbols.matchAll(/`(\w+)`/g)].map(([, symbol = '']) => symbol);
      const missing = named.filter((symbol) => !new RegExp(`\\b${symbol}\\b`).test(read(file)));
      return named.length === 0 ? [name] : missing.map((symbol) => `${name}: ${symbol}`);
    });
    expect(lost).toEqual([]);
  });

  it('name types in the glossary that their files export', () => {
    const rows = read(join(root, 'docs', 'glossary.md')).matchAll(/^\| (\w.*?) +\|.*\| `(\w+)` +\| `(.*?)` +\|$/gm);
    const entries = [...rows].map(([, word = '', type = '', file = '']) => ({ word, type, file }));
    expect(entries.length).toBeGreaterThanOrEqual(40);
    const words = entries.map(({ word }) => word);
    expect(words).toEqual([...words].sort());
    const lost = entries.filter(({ type, file }) => {
      const declared = new RegExp(`^export (abstract |async )?(class|interface|type|const|function) ${type}\\b`, 'm');
      return !existsSync(join(root, file)) || !declared.test(read(join(root, file)));
    });
    expect(lost).toEqual([]);
  });

  it('list in the architecture which contexts each context may import', () => {
    const text = read(join(root, 'docs', 'architecture.md'));
    const table = /<!-- contexts:begin -->([^]*)<!-- contexts:end -->/.exec(text)?.[1] ?? '';
    const received = [...table.matchAll(/^\| \[(\w+)\].*\| ([^|]*?) +\|$/gm)].map(([, name, known]) => [name, known]);
    const rules = read(join(root, '.dependency-cruiser.cjs'));
    const knows = [...rules.matchAll(/^ {2}(\w+): \[(.*)\],$/gm)].map(([, name, known = '']) => {
      return [name, known === '' ? 'none' : known.replaceAll("'", '')];
    });
    expect(received).toEqual([...knows, ...['audit', 'feed', 'consumers'].map((context) => [context, 'all of them'])]);
  });
});
