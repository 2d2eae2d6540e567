import { PLACEHOLDER_PATH, PREVIEW_PICTURE_PATH } from '@annals/markdown';
import { Controller, Get, Header } from '@nestjs/common';

/** Three grey dots, drawn for this server. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" fill="#888">' +
  '<circle cx="40" cy="40" r="6"/><circle cx="60" cy="40" r="6"/><circle cx="80" cy="40" r="6"/></svg>';

/** A grey chain of two links, drawn for this server. */
const LINK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" fill="none" stroke="#888" stroke-width="6">' +
  '<rect x="10" y="30" width="36" height="20" rx="10"/><rect x="34" y="30" width="36" height="20" rx="10"/></svg>';

/** Stand for an uploaded image until it has thumbnails, and for the picture of a page that a text links to. */
@Controller()
export class PlaceholderController {
  @Get(PLACEHOLDER_PATH)
  @Header('content-type', 'image/svg+xml')
  @Header('cache-control', 'public, max-age=86400')
  @Header('content-security-policy', "default-src 'none'; sandbox")
  read() {
    return PICTURE;
  }

  @Get(PREVIEW_PICTURE_PATH)
  @Header('content-type', 'image/svg+xml')
  @Header('cache-control', 'public, max-age=86400')
  @Header('content-security-policy', "default-src 'none'; sandbox")
  readLink() {
    return LINK;
  }
}
