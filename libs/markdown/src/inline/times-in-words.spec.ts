import { momentInWords } from './times-in-words';

test.each([
  ['Jun 5th 2017, 10:30PM', '2017-06-05T22:30:00.000Z'],
  ['31 Dec 2017', '2017-12-31T00:00:00.000Z'],
  ['31 Dec 2017 5:30 am IST', '2017-12-31T00:00:00.000Z'],
  ['December 31, 2017', '2017-12-31T00:00:00.000Z'],
  ['Sunday, 31 December 2017 at 23:59:30', '2017-12-31T23:59:30.000Z'],
  ['1 Sept 2026 12 am', '2026-09-01T00:00:00.000Z'],
  ['1 September 2026 12pm PST', '2026-09-01T20:00:00.000Z'],
  ['may 2nd 2026 09:30 +0530', '2026-05-02T04:00:00.000Z'],
  ['29 Feb 2024, 1:00 -01:30', '2024-02-29T02:30:00.000Z'],
])('%j is %s', (written, moment) => expect(new Date(momentInWords(written)).toISOString()).toBe(moment));

test.each([
  '',
  'tomorrow',
  '31 Dec',
  '31 Feb 2026',
  '29 Feb 2026',
  '0 Jan 2026',
  '5 Juniper 2026',
  '5 Jun 2026 7',
  '5 Jun 2026 25:00',
  '5 Jun 2026 13pm',
  '5 Jun 2026 10:60',
  '5 Jun 2026 10:00 XYZ',
  '5 Jun 2026 10:00 constructor',
  '5 Jun 2026, soon',
])('%j is no moment', (written) => expect(momentInWords(written)).toBeNaN());
