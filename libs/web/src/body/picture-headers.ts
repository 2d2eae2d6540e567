/**
 * The headers of a picture. Its URL never has other bytes, because another picture has another URL. No browser runs what
 * is in it.
 */
export const pictureHeaders = (contentType: string, length: number): Readonly<Record<string, string>> => ({
  'Content-Type': contentType,
  'Content-Length': String(length),
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
});
