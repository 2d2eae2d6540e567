import type { FileId, UserId } from '@annals/kernel/domain';
import { wantedRange } from './byte-range';
import { FileDeleted, FileUploaded } from './events';
import { deleteFile, deleteOrphan, upload } from './file';
import { fileName } from './file-name';

const ann = 5 as UserId;
const file = { id: 7 as FileId, ownerId: ann, key: 'ab/random', size: 10 };

describe('an upload', () => {
  const input = { key: 'ab/random', ownerId: ann, size: 10, contentType: 'text/plain', name: fileName('a b.txt') };

  it('is a fact with its names in the sealed part', () => {
    expect(upload(input, { quota: null, used: 1e15 })).toEqual({
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
    const decide = () => upload(input, { quota, used });
    if (possible) expect(decide().type).toBe(FileUploaded.type);
    else expect(decide).toThrow(expect.objectContaining({ code: 'REALM_UPLOAD_QUOTA' }) as Error);
  });
});

describe('a file', () => {
  it('is deleted once as an orphan', () => {
    expect(deleteOrphan(file)).toEqual([
      { type: FileDeleted.type, data: { fileId: 7, ownerId: ann, size: 10 }, sealed: null },
    ]);
    expect(deleteOrphan(null)).toEqual([]);
  });

  it('is deleted by its uploader', () => {
    expect(deleteFile(file, ann)).toEqual([
      { type: FileDeleted.type, data: { fileId: 7, ownerId: ann, size: 10 }, sealed: null },
    ]);
  });

  it('is not found by others, nor when it is deleted', () => {
    const refusal = expect.objectContaining({ code: 'BAD_REQUEST', message: 'Invalid attachment' }) as Error;
    expect(() => deleteFile(file, 6 as UserId)).toThrow(refusal);
    expect(() => deleteFile(null, ann)).toThrow(refusal);
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
