import type { FileId, UserId } from '@annals/kernel/domain';
import { wantedRange } from './byte-range';
import { contentTypeOf, isInert } from './content-type';
import { FileDeleted, FileUploaded } from './events';
import { deleteFile, letGo, upload } from './file';
import { fileName } from './file-name';

const ann = 5 as UserId;
const file = { id: 7 as FileId, ownerId: ann, key: 'ab/random', size: 10 };

describe('an upload', () => {
  const wish = { key: 'ab/random', ownerId: ann, size: 10, contentType: 'text/plain', name: fileName('a b.txt') };

  it('is a fact whose names can be forgotten', () => {
    expect(upload(wish, { quota: null, used: 1e15 })).toEqual({
      type: FileUploaded.type,
      data: { key: 'ab/random', ownerId: ann, size: 10, contentType: 'text/plain' },
      sealed: { name: 'a b.txt', addressName: 'a-b.txt' },
    });
  });

  it.each([
    [0, 10, true],
    [90, 100, true],
    [91, 100, false],
    [0, 9, false],
  ])('beside %i of %i bytes is possible: %s', (used, quota, possible) => {
    const decide = () => upload(wish, { quota, used });
    if (possible) expect(decide().type).toBe(FileUploaded.type);
    else expect(decide).toThrow(expect.objectContaining({ code: 'REALM_UPLOAD_QUOTA' }) as Error);
  });
});

describe('a file', () => {
  it('is let go, once', () => {
    expect(letGo(file)).toEqual([
      { type: FileDeleted.type, data: { fileId: 7, ownerId: ann, size: 10 }, sealed: null },
    ]);
    expect(letGo(null)).toEqual([]);
  });

  it('is deleted by who uploaded it', () => {
    expect(deleteFile(file, ann)).toEqual([
      { type: FileDeleted.type, data: { fileId: 7, ownerId: ann, size: 10 }, sealed: null },
    ]);
  });

  it('is not there for others, nor when it is gone', () => {
    const refusal = expect.objectContaining({ code: 'BAD_REQUEST', message: 'Invalid attachment' }) as Error;
    expect(() => deleteFile(file, 6 as UserId)).toThrow(refusal);
    expect(() => deleteFile(null, ann)).toThrow(refusal);
  });
});

describe('the type of a file', () => {
  it.each([
    ['image/png', 'x', 'image/png'],
    ['Text/Plain; charset=latin1', 'x', 'text/plain'],
    ['application/octet-stream', 'x.PDF', 'application/pdf'],
    ['', 'x.jpeg', 'image/jpeg'],
    ['text/plain', 'x.png', 'image/png'],
    ['text/plain', 'page.html', 'text/html'],
    ['text/plain', 'Makefile', 'text/plain'],
    ['', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['', 'Makefile', 'application/octet-stream'],
    ['', 'png', 'application/octet-stream'],
    ['', 'constructor', 'application/octet-stream'],
    ['', 'x.constructor', 'application/octet-stream'],
    ['text/html\r\nX: y', 'x', 'application/octet-stream'],
    ['nonsense', 'x.txt', 'text/plain'],
    [`a/${'b'.repeat(100)}`, 'x', 'application/octet-stream'],
  ])('that is said to be %j and called %j is %s', (said, name, type) => expect(contentTypeOf(said, name)).toBe(type));

  it('is shown where nothing in it can run', () => {
    expect(['image/png', 'application/pdf', 'text/plain', 'video/webm'].filter(isInert)).toHaveLength(4);
    expect(['text/html', 'image/svg+xml', 'text/xml', 'application/octet-stream', ''].filter(isInert)).toEqual([]);
  });
});

describe('a range of bytes', () => {
  it.each([
    [undefined, 10, 'whole'],
    ['', 10, 'whole'],
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['BYTES=3-', 10, { start: 3, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-30', 10, { start: 0, end: 9 }],
    ['bytes=5-3', 10, 'whole'],
    ['bytes=1-2,4-5', 10, 'whole'],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=99999999999999999999-', 10, 'whole'],
  ])('%j of %i bytes is %j', (header, size, range) => expect(wantedRange(header, size)).toEqual(range));
});
