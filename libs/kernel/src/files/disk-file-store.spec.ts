import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DiskFileStore } from './disk-file-store';

let folder: string;
let store: DiskFileStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-files-'));
  store = new DiskFileStore(join(folder, 'kept'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function* broken() {
  yield Buffer.from('half of it');
  throw new Error('the client left');
}

const read = async (key: string, range?: { start: number; end: number }) => {
  const stream = await store.open(key, range);
  return stream && (await buffer(stream)).toString();
};
const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('files on the disk', () => {
  it('have the content that was stored', async () => {
    expect(await store.put('2/ab/cdef', chunks('hello ', '', 'world'))).toBe(11);
    expect(await read('2/ab/cdef')).toBe('hello world');
    expect(names()).toEqual(['kept', 'kept/2', 'kept/2/ab', 'kept/2/ab/cdef']);
  });

  it('may be empty', async () => {
    expect(await store.put('empty', chunks())).toBe(0);
    expect(await read('empty')).toBe('');
  });

  it('can be read from byte to byte', async () => {
    await store.put('a', chunks('0123456789'));
    expect(await read('a', { start: 2, end: 4 })).toBe('234');
    expect(await read('a', { start: 9, end: 9 })).toBe('9');
  });

  it('do not exist if nothing was stored, or after they were deleted', async () => {
    expect(await read('a')).toBeNull();
    await store.put('a', chunks('x'));
    await store.delete('a');
    await store.delete('a');
    expect(await read('a')).toBeNull();
  });

  it('are stored whole or not at all', async () => {
    await expect(store.put('2/ab/a', broken())).rejects.toThrow('the client left');
    expect(await read('2/ab/a')).toBeNull();
    expect(names()).toEqual(['kept', 'kept/2', 'kept/2/ab']);
    expect(await store.put('2/ab/a', chunks('again'))).toBe(5);
  });

  it('are deleted together with what a killed process left of them', async () => {
    await store.put('a', chunks('x'));
    writeFileSync(join(folder, 'kept', 'b.part.'), 'half of it');
    await store.delete('b');
    expect(names()).toEqual(['kept', 'kept/a']);
  });

  it.each(
    [
      [
        '',
        '/',
        '/etc/passwd',
        '..',
        '../x',
        'a/../../x',
        'a/..',
        'a//b',
        'a/',
        './a',
        '.a',
        'a.',
        'a/.part.',
        'a.part.',
      ],
      ['a\\b', 'a b', 'ä', 'a\0', 'a\nb', '~', 'C:', 'a%2e'],
    ].flat(),
  )('cannot be stored under the key %j', async (key) => {
    writeFileSync(join(folder, 'x'), 'outside');
    await expect(store.put(key, chunks('x'))).rejects.toThrow('no key');
    await expect(store.open(key)).rejects.toThrow('no key');
    await expect(store.delete(key)).rejects.toThrow('no key');
    expect(existsSync(join(folder, 'x'))).toBe(true);
  });

  it('report any other error that prevents reading', async () => {
    await store.put('a', chunks('x'));
    symlinkSync('loop', join(folder, 'kept', 'loop'));
    await expect(store.open('loop')).rejects.toThrow('ELOOP');
  });
});
