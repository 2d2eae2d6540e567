import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Refusal, ShownRefusal } from '@annals/kernel/domain';
import { LANGUAGE_CODES, readOnlyPast } from '@annals/kernel/domain';
import { missingTexts, refusalText, translator } from '@annals/languages';
import { reject as files } from '../../../libs/files/src/domain/rejections';
import { reject as groups } from '../../../libs/groups/src/domain/rejections';
import { reject as invitations } from '../../../libs/invitations/src/domain/rejections';
import { reject as realm } from '../../../libs/realm/src/domain/rejections';
import { reject as ldap } from '../../../libs/sign-in/src/domain/ldap/rejections';
import { reject as signOn } from '../../../libs/sign-in/src/domain/single-sign-on/sign-on-rejections';
import { reject as users } from '../../../libs/users/src/domain/rejections';
import { reject as body } from '../../../libs/web/src/body/rejections';
import { reject as params } from '../../../libs/web/src/params/rejections';

/** The refusals of those parts whose code runs for pages. */
const DECLARED = { body, files, groups, invitations, kernel: { readOnlyPast }, ldap, params, realm, signOn, users };
/** Values for all texts. */
const VALUES = { limit: 1_234, name: 'x', position: 1 };

type AnyRefusal = Partial<Refusal<typeof VALUES>> & ((values: typeof VALUES) => { readonly shown?: ShownRefusal });

const all = Object.entries(DECLARED).flatMap(([part, refusals]) =>
  Object.entries(refusals).map(([name, refuse]) => ({ name: `${part} ${name}`, refuse: refuse as AnyRefusal })),
);

describe('a refusal', () => {
  it('has a text for pages (onPages), or is listed as one that no page can show', () => {
    const withoutText = all.filter(({ refuse }) => refuse.onPages === undefined).map(({ name }) => name);
    const listed = readFileSync(join(__dirname, 'refusals-without-pages.txt'), 'utf8');
    expect(withoutText.sort()).toEqual(listed.trimEnd().split('\n'));
  });

  it('that pages can show has its text in every language', () => {
    expect(missingTexts().filter((text) => text.includes(' refusals.'))).toEqual([]);
  });

  it('that pages can show has its values in every language', () => {
    const shown = all.flatMap(({ refuse }) => (refuse.onPages === undefined ? [] : [refuse(VALUES).shown]));
    const texts = LANGUAGE_CODES.flatMap((language) =>
      shown.map((one) => one && `${language}: ${refusalText(translator(language), one)}`),
    );
    expect(texts.filter((text) => text === undefined || /\{\{|: refusals\./.test(text))).toEqual([]);
    const limits = texts.filter((text) => text?.includes('1234'));
    expect(limits).toHaveLength(3 * LANGUAGE_CODES.length);
  });
});
