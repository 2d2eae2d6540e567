import { EXTRA_EMOJI } from '@annals/markdown';
import { Controller, Get, Header } from '@nestjs/common';

/** A blue speech bubble with two lines of text, 64 by 64 pixels, drawn for this server: a PNG. */
const PICTURE = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXE8b9A8btA8b888btA8b9Atd9IzcNA8b9A8b9A8',
    'btI8bs87bsw2bcg9b9D///8faHsvAAAADnRSTlMAUtn0pIsFAuNuM7geDgwFlrUAAAAJcEhZcwAACxMAAAsTAQCanBgAAAC8',
    'SURBVEjHY2AYNoBNRPkdBjByTIArEHqHFSjC5Evf4QDhUAVxuBQ8hcgzvsMJBMAKknArUAMrkMOt4CFYgR9uBU/ACvRwK3gE',
    'VmCHW8FjsIJ3eAB9FfxHA4NSwWAIKKoG9eBVQIk3CSZ7ghmHYNYjmHkJZn+CBQjBIohwIUawGCRckCKF+Evc5TEkbAUIKOhi',
    'wK/g0QECCvYy4FfwJIGAggkM+BUY4q923r1YQECBDoGK6/UFAgrCB2+lCwAoA0ZaoQ/RoAAAAABJRU5ErkJggg==',
  ].join(''),
  'base64',
);

/** The image of the emoji that every server has beside Unicode. Its URL is fixed in clients. */
@Controller()
export class ExtraEmojiController {
  @Get(EXTRA_EMOJI.src)
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  read() {
    return PICTURE;
  }
}
