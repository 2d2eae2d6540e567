import type { ShownRefusal } from '@annals/kernel/domain';
import type { Translate } from './translator';

/** A refusal in the language of a page. */
export const refusalText = (t: Translate, { name, values }: ShownRefusal): string =>
  // The values of a refusal that has a text are numbers and texts.
  t(`refusals.${name}`, values as Readonly<Record<string, string | number>>);
