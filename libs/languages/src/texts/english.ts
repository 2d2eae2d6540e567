import { emailNotifications } from './en/email-notifications';
import { invitations } from './en/invitations';
import { pages } from './en/pages';
import { refusals } from './en/refusals';
import { signIn } from './en/sign-in';
import { signOn } from './en/sign-on';

/** All texts, in English. Each area has a file. */
export const english = { pages, refusals, signIn, signOn, emailNotifications, invitations } as const;

type English = typeof english;

/** The ending of a key that has one text for each plural category of a language. */
type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type Bare<Key> = Key extends `${infer Name}_${Plural}` ? Name : Key;

/** The name of a text: its area and its key. */
export type TextKey = {
  readonly [Area in keyof English]: `${Area}.${Bare<keyof English[Area] & string>}`;
}[keyof English];

/** The texts of an area in another language. What is left out is shown in English. */
export type Texts<Area extends keyof English> = {
  readonly [Key in keyof English[Area] | PluralOf<keyof English[Area] & string>]?: string;
};

/** All plural forms of the keys that have any: a language may have more of them than English. */
type PluralOf<Key> = Key extends `${infer Name}_${Plural}` ? `${Name}_${Plural}` : never;

/** The texts of one language. */
export type LanguageTexts = { readonly [Area in keyof English]?: Texts<Area> };
