import type { FileId, UserId } from '@annals/kernel/domain';
import { wantedRange } from './byte-range';
import { given } from '../../../../test/support/events/recorded-events';
import type { FileEvent } from './events';
import { FileDeleted, FileUploaded, ImageRefused, ThumbnailsMade } from './events';
import { deleteFile, deleteOrphan, fileAggregate, noteThumbnails, refuseImage, upload } from './file';
import { fileName } from './file-name';

const ann = 5 as UserId;
const stored = { id: 7 as FileId, ownerId: ann, key: 'ab/random', size: 10 };
const file = { ...stored, isAwaitingThumbnails: false, thumbnails: null };

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

describe('thumbnails of a file', () => {
  const uploadOf = (contentType: string): FileEvent =>
    upload({ ...stored, contentType, name: fileName('cat.png') }, { quota: null, used: 0 });
  const image = { contentType: 'image/png', width: 40, height: 30, isAnimated: false };
  const thumbnails = { made: 'random', formats: ['840x560.webp'] };
  const awaiting = given(fileAggregate, uploadOf('image/png'));

  it('are awaited for images only', () => {
    expect(awaiting).toMatchObject({ isAwaitingThumbnails: true, thumbnails: null });
    expect(given(fileAggregate, uploadOf('image/svg+xml'))).toMatchObject({ isAwaitingThumbnails: false });
  });

  it('are recorded once', () => {
    const made = noteThumbnails(awaiting, image, thumbnails);
    expect(made).toEqual([{ type: ThumbnailsMade.type, data: { fileId: 1, ...image, ...thumbnails }, sealed: null }]);
    const ready = given(fileAggregate, uploadOf('image/png'), ...made);
    expect(ready).toMatchObject({ isAwaitingThumbnails: false, thumbnails });
    const refusal = expect.objectContaining({ code: 'BAD_REQUEST' }) as Error;
    for (const state of [ready, null]) {
      expect(() => noteThumbnails(state, image, thumbnails)).toThrow(refusal);
      expect(refuseImage(state, 'unreadable')).toEqual([]);
    }
  });

  it('are refused once', () => {
    const refused = refuseImage(awaiting, 'too-large');
    expect(refused).toEqual([{ type: ImageRefused.type, data: { fileId: 1, fault: 'too-large' }, sealed: null }]);
    expect(refuseImage(given(fileAggregate, uploadOf('image/png'), ...refused), 'too-large')).toEqual([]);
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
