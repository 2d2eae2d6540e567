import { closestFormat, formatsOf, transcodedAmong } from './thumbnail-formats';

const namesOf = (contentType: string, isAnimated: boolean) =>
  formatsOf({ contentType, isAnimated }).map(({ name }) => name);

describe('the thumbnails of an image', () => {
  it.each([
    ['image/png', false, ['840x560.webp']],
    ['image/gif', true, ['840x560-anim.webp', '840x560.webp']],
    ['image/tiff', false, ['840x560.webp', '4032x3024.webp']],
  ])('of type %s, animated: %s, are %j', (type, isAnimated, names) => expect(namesOf(type, isAnimated)).toEqual(names));

  it('include a large picture if browsers cannot show the original', () => {
    expect(transcodedAmong(namesOf('image/tiff', false))).toBe('4032x3024.webp');
    expect(transcodedAmong(namesOf('image/png', false))).toBeUndefined();
  });
});

describe('the thumbnail for a client that asks for', () => {
  const moving = namesOf('image/gif', true);
  const tiff = namesOf('image/tiff', false);
  it.each([
    ['840x560.webp', moving, '840x560.webp'],
    ['840x560-anim.webp', moving, '840x560-anim.webp'],
    ['300x200-anim.jpg', moving, '840x560-anim.webp'],
    ['300x200.jpg', moving, '840x560.webp'],
    ['840x560-anim.webp', tiff, '840x560.webp'],
    ['4000x3000.webp', tiff, '4032x3024.webp'],
    ['4000x3000.webp', moving, '840x560.webp'],
    ['840x560.webp', [], undefined],
    ['constructor', tiff, undefined],
    ['x.png', tiff, undefined],
  ])('%s of %j is %s', (asked, formats, answered) => expect(closestFormat(asked, formats)).toBe(answered));
});
