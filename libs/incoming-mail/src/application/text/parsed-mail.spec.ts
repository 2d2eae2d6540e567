import { fromOf } from '../mail-message';
import { parsedMail } from './parsed-mail';

const read = (head: readonly string[], body = '') => parsedMail(Buffer.from([...head, '', body].join('\r\n')));
const mixed = (boundary: string) => `Content-Type: multipart/mixed; boundary=${boundary}`;
const nested = (depth: number) =>
  Array.from({ length: depth }, (_, n) => `--b${n}\r\n${mixed(`b${n + 1}`)}\r\n\r\n`).join('');

describe('a mail', () => {
  it('with many addresses, nested parts and attachments is read', async () => {
    const many = await read([`From: ${'ann@example.org, '.repeat(3_000)}bob@example.org`]);
    expect(fromOf(many)).toBe('');
    await expect(read([mixed('b0')], nested(90))).resolves.toMatchObject({ attachments: [] });
    const files = '--b0\r\nContent-Type: image/png\r\n\r\nx\r\n'.repeat(90);
    expect((await read([mixed('b0')], files)).attachments).toHaveLength(90);
  });

  it.each([
    ['parts within parts', [mixed('b0')], nested(150)],
    ['attachments', [mixed('b0')], '--b0\r\nContent-Type: image/png\r\n\r\nx\r\n'.repeat(150)],
    ['headers', Array.from({ length: 9_000 }, (_, n) => `X-${n}: 12345`), ''],
    ['addresses', [`To: ${'ann@example.org, '.repeat(9_000)}`], ''],
    ['lines', [], '\n'.repeat(1_600_000)],
    ['delimiters', [mixed('b0')], '--a\n'.repeat(110_000)],
  ])('with too many %s is refused for good', async (_, head, body) => {
    await expect(read(head, body)).rejects.toThrow('554 5.6.0');
  });
});
